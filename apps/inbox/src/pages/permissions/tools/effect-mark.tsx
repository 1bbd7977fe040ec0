import { Mark } from "@byleave/ui"
import type { ReactNode } from "react"
import { effectWords, type ShownEffect } from "./effect-words.ts"

/** What would become of a call: `now` speaks of the call, `rule` of what is written or remembered. */
export function EffectMark({
  effect,
  of = "now",
}: {
  readonly effect: ShownEffect
  readonly of?: "now" | "rule"
}): ReactNode {
  const words = effectWords[effect]
  return <Mark tone={words.tone}>{words[of]}</Mark>
}
