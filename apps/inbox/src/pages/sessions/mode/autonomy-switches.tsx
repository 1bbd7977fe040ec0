import type { SessionView } from "@byleave/api"
import { sessionDigest } from "@byleave/api/page"
import { type AutonomyKind, autonomousMode, autonomyKinds, autonomyOf } from "@byleave/core"
import { type ReactNode, useState } from "react"
import { useAct } from "../../../data/use-act.ts"
import { useRead } from "../../../data/use-read.ts"
import { ProblemNotice } from "../../places/problem-notice.tsx"
import look from "./autonomy-switches.module.css"
import { toggled } from "./kind-ticks.tsx"
import { ModeDialog } from "./mode-dialog.tsx"
import { barredMode, kindWords, type SessionMode } from "./mode-words.ts"

/** Four switches: everything, tools, paths and URLs. To switch on is confirmed, with an end; to switch off takes at once. */
export function AutonomySwitches({ session }: { readonly session: SessionView }): ReactNode {
  const [wanted, setWanted] = useState<SessionMode | null>(null)
  const less = useAct("setMode")
  const policy = useRead("getPolicy")
  const barred = policy.state === "ready" ? barredMode("autonomous", policy.value.forbiddenModes) : undefined
  const { principal, id, modeUntil } = session
  const on = autonomyOf(session.mode)
  const choose = (kinds: readonly AutonomyKind[]): void => {
    const mode = autonomousMode(kinds)
    if (kinds.some((kind) => !on.includes(kind))) setWanted(mode)
    else void take(mode)
  }
  const take = async (mode: SessionMode) => {
    const until = mode === "ask" || modeUntil === null ? {} : { until: modeUntil }
    return less.act({ body: { principal, id, mode, ...until, digest: await sessionDigest(session) } })
  }
  return (
    <div>
      <SwitchRows mode={session.mode} barred={barred} isBusy={less.isBusy} onChoose={choose} />
      <ProblemNotice problem={less.problem} onClose={less.forget} />
      {wanted !== null && <ModeDialog session={session} mode={wanted} onClose={() => setWanted(null)} />}
    </div>
  )
}

type SwitchRowsProps = {
  readonly mode: SessionMode
  /** Why nothing can be switched. */
  readonly barred: string | undefined
  readonly isBusy: boolean
  /** Told what should run without approval. */
  readonly onChoose: (kinds: readonly AutonomyKind[]) => void
}

export function SwitchRows({ mode, barred, isBusy, onChoose }: SwitchRowsProps): ReactNode {
  const on = autonomyOf(mode)
  return (
    <fieldset className={look.switches} disabled={barred !== undefined || isBusy}>
      <legend>Run without approval</legend>
      <Switch
        label="All"
        words="Everything that no rule covers. Rules that hide, deny or ask still apply."
        isOn={on.length === autonomyKinds.length}
        onChange={(isOn) => onChoose(isOn ? autonomyKinds : [])}
      />
      {autonomyKinds.map((kind) => (
        <Switch
          key={kind}
          label={kindWords[kind].label}
          words={kindWords[kind].sentence}
          isOn={on.includes(kind)}
          onChange={() => onChoose(toggled(on, kind))}
        />
      ))}
      {barred !== undefined && <p className="aside">{barred}</p>}
    </fieldset>
  )
}

type SwitchProps = {
  readonly label: string
  readonly words: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** A box that reads as a switch; it shows what holds, and moves once that has changed. */
function Switch({ label, words, isOn, onChange }: SwitchProps): ReactNode {
  return (
    <label className={look.switch}>
      <input type="checkbox" role="switch" checked={isOn} aria-checked={isOn} onChange={() => onChange(!isOn)} />
      <span>
        <strong>{label}</strong>
        <span className={look.words}>{words}</span>
      </span>
    </label>
  )
}
