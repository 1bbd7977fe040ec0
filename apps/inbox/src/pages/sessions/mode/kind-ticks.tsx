import { type AutonomyKind, autonomyKinds } from "@byleave/core"
import { Tick } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "./autonomy-switches.module.css"
import { kindWords } from "./mode-words.ts"

type KindTicksProps = {
  readonly kinds: readonly AutonomyKind[]
  readonly onChange: (kinds: readonly AutonomyKind[]) => void
}

/** How far an autonomous session goes. */
export function KindTicks({ kinds, onChange }: KindTicksProps): ReactNode {
  return (
    <fieldset className={look.switches}>
      <legend>Runs without approval</legend>
      {autonomyKinds.map((kind) => (
        <Tick
          key={kind}
          label={kindWords[kind].label}
          words={kindWords[kind].sentence}
          checked={kinds.includes(kind)}
          onChange={() => onChange(toggled(kinds, kind))}
        />
      ))}
    </fieldset>
  )
}

/** The kinds with this one switched. */
export function toggled(kinds: readonly AutonomyKind[], kind: AutonomyKind): readonly AutonomyKind[] {
  return kinds.includes(kind) ? kinds.filter((each) => each !== kind) : [...kinds, kind]
}
