import type { SessionView } from "@byleave/api"
import { sessionDigest, sessionName } from "@byleave/api/page"
import { type AutonomyKind, autonomousMode, autonomyKinds, autonomyOf } from "@byleave/core"
import { Choice, exactTime, ShownName, TextField, useNow } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../../data/use-act.ts"
import { useRead } from "../../../data/use-read.ts"
import { ConfirmDialog } from "../../places/confirm-dialog.tsx"
import { PresenceWords } from "../../places/presence-words.tsx"
import { RadioCards } from "../../places/radio-cards.tsx"
import { KindTicks } from "./kind-ticks.tsx"
import { type EndChoice, modeEnd } from "./mode-end.ts"
import { barredMode, type ChosenMode, chosenMode, modes, modeWords, type SessionMode } from "./mode-words.ts"

const ends = [
  { value: "15", label: "In 15 minutes" },
  { value: "30", label: "In 30 minutes" },
  { value: "60", label: "In 60 minutes" },
  { value: "time", label: "At a time of day" },
] as const

type ModeDialogProps = {
  readonly session: SessionView
  /** The mode that is chosen at first; absent: the one the session is in. */
  readonly mode?: SessionMode
  readonly onClose: () => void
}

/** Each mode in a sentence, an end, and nothing done before the button is pressed. */
export function ModeDialog({ session, mode: first = session.mode, onClose }: ModeDialogProps): ReactNode {
  const [chosen, setChosen] = useState<ChosenMode>(chosenMode(first))
  const [kinds, setKinds] = useState<readonly AutonomyKind[]>(autonomyOf(first))
  const mode = chosen === "autonomous" ? autonomousMode(kinds) : chosen
  const isNothing = chosen === "autonomous" && kinds.length === 0
  const [choice, setChoice] = useState<EndChoice>("60")
  const [time, setTime] = useState("")
  const now = useNow()
  const policy = useRead("getPolicy")
  const set = useAct("setMode")
  const forbidden = policy.state === "ready" ? policy.value.forbiddenModes : []
  const end = modeEnd(choice, time, now)
  const { principal, id } = session
  const finish = async (): Promise<void> => {
    const ending = modeEnd(choice, time, Date.now())
    if (mode !== "ask" && !ending.ok) return
    const until = mode !== "ask" && ending.ok ? { until: ending.until } : {}
    const digest = await sessionDigest(session)
    if ((await set.act({ body: { principal, id, mode, ...until, digest } })).ok) onClose()
  }
  return (
    <ConfirmDialog
      title="Session mode"
      lead={<ShownName text={sessionName(session, session)} />}
      confirm={chosen === "ask" ? "Require approval" : `Set to ${modeWords(chosen).label.toLowerCase()}`}
      busyWords="Setting…"
      tone={modeWords(chosen).weight === "strong" ? "yes" : "plain"}
      disabled={policy.state !== "ready" || isNothing || (mode === "ask" ? session.mode === "ask" : !end.ok)}
      act={set}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <RadioCards
        legend="Calls that need approval"
        value={chosen}
        onChoose={(next) => {
          if (next === "autonomous" && kinds.length === 0) setKinds(autonomyKinds)
          setChosen(next)
        }}
        cards={modes.map((value) => ({
          value,
          label: modeWords(value).label,
          words: modeWords(value).sentence,
          weight: modeWords(value).weight,
          barred: barredMode(value, forbidden),
        }))}
      />
      {chosen === "autonomous" && <KindTicks kinds={kinds} onChange={setKinds} />}
      {chosen !== "ask" && (
        <>
          <Choice
            label="Ends"
            hint={end.ok ? `On ${exactTime(end.until)}. After that, calls need approval again.` : undefined}
            value={choice}
            options={ends}
            onChange={(event) => setChoice(event.currentTarget.value as EndChoice)}
          />
          {choice === "time" && (
            <TextField
              label="Time of day"
              type="time"
              required
              value={time}
              error={end.ok || time === "" ? undefined : end.why}
              onChange={(event) => setTime(event.currentTarget.value)}
            />
          )}
        </>
      )}
      {modeWords(chosen).weight === "strong" && <PresenceWords />}
    </ConfirmDialog>
  )
}
