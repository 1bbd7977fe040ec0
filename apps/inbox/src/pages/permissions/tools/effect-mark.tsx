import { Mark } from "@byleave/ui"
import type { ReactNode } from "react"
import { effectWords, type ShownEffect } from "./effect-words.ts"

type EffectMarkProps = { readonly effect: ShownEffect; readonly of?: "now" | "rule" }

/** The effect on a call: `now` speaks of the call, `rule` of a rule or a permission. */
export function EffectMark({ effect, of = "now" }: EffectMarkProps): ReactNode {
  const words = effectWords[effect]
  return <Mark tone={words.tone}>{words[of]}</Mark>
}
