import type { ServerView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { describeRemembered } from "@byleave/core"
import { Exact, Notice, Sentence, ShownText, Tick } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"
import { PresenceWords } from "../places/presence-words.tsx"
import { RadioCards } from "../places/radio-cards.tsx"
import { type ServerMode, type ServerModeNow, serverModeWords, stepsTo } from "./server-mode.ts"

type ServerModeDialogProps = {
  readonly server: ServerView
  readonly now: ServerModeNow
  readonly onClose: () => void
}

const modes = ["ask", "never-ask", "refuse"] as const
const buttonOf = { ask: "Require approval", "never-ask": "Stop asking", refuse: "Deny all calls" } as const

/** Says what each way means and what will be remembered, before anything is. */
export function ServerModeDialog({ server, now, onClose }: ServerModeDialogProps): ReactNode {
  const [wanted, setWanted] = useState<ServerMode>(now.mode)
  const [isSure, setSure] = useState(false)
  const change = useModeChange(server.id, now)
  const isSame = stepsTo(wanted, now).length === 0
  const needsTick = wanted === "never-ask" && !isSame
  const finish = async (): Promise<void> => {
    if (await change.to(wanted)) onClose()
  }
  return (
    <ConfirmDialog
      title="Calls to this server"
      lead={
        <>
          For all tools of <ShownText text={server.id} />, all agents and all sessions. Calls already waiting are not
          affected.
        </>
      }
      confirm={buttonOf[wanted]}
      busyWords="Saving…"
      tone={wanted === "never-ask" ? "yes" : wanted === "refuse" ? "no" : "plain"}
      disabled={isSame || (needsTick && !isSure)}
      act={change}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <RadioCards
        legend="When an agent calls a tool"
        value={wanted}
        onChoose={setWanted}
        cards={modes.map((mode) => ({
          value: mode,
          label: serverModeWords[mode].label,
          words: serverModeWords[mode].sentence,
          weight: mode === "never-ask" ? "strong" : "usual",
        }))}
      />
      {!isSame && <Remembered wanted={wanted} server={server.id} now={now} />}
      {needsTick && (
        <>
          <Tick
            label={sureWords(server)}
            words="Nobody reviews the arguments before the call runs."
            checked={isSure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
          <PresenceWords />
        </>
      )}
    </ConfirmDialog>
  )
}

function sureWords({ tools }: ServerView): string {
  const writing = tools.filter(({ access }) => access === "write").length
  if (tools.length === 0) return "I want all of its tools to run without approval, though none is known yet."
  return `I want ${tools.length === 1 ? "its tool" : `all ${tools.length} of its tools`} to run without approval, including at least ${writing} that may modify data.`
}

type RememberedProps = { readonly wanted: ServerMode; readonly server: string; readonly now: ServerModeNow }

function Remembered({ wanted, server, now }: RememberedProps): ReactNode {
  if (wanted === "ask") {
    return (
      <Notice tone="know" title="These permissions are revoked">
        {now.grants.map((grant) => (
          <p key={grant.id}>
            <Sentence text={grant.words} />
          </p>
        ))}
      </Notice>
    )
  }
  const effect = wanted === "never-ask" ? "allow" : "deny"
  const { words, text } = describeRemembered({ effect, breadth: { kind: "server", server, access: "all" } })
  return (
    <Notice tone="know" title="This permission applies until you change it">
      <p>
        <Sentence text={words} />.
      </p>
      <Exact>
        <Sentence text={text} />
      </Exact>
    </Notice>
  )
}

function useModeChange(server: string, now: ServerModeNow) {
  const add = useAct("addGrant")
  const revoke = useAct("revokeGrant")
  const to = async (wanted: ServerMode): Promise<boolean> => {
    for (const step of stepsTo(wanted, now)) {
      const breadth = { kind: "server", server, access: "all" } as const
      const done =
        step.kind === "add"
          ? await add.act({ body: { effect: step.effect, breadth } })
          : await revoke.act({ params: { id: step.grant.id }, body: { digest: await grantsDigest([step.grant]) } })
      if (!done.ok) return false
    }
    return true
  }
  return { to, isBusy: add.isBusy || revoke.isBusy, problem: add.problem ?? revoke.problem }
}
