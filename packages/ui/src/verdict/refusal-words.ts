import type { ProblemCode } from "@byleave/api"
import type { VerdictState } from "./verdict.ts"

type Refused = Extract<VerdictState, { state: "refused" }>

/** Advice about a refusal, where the service's own sentence gives none. */
const advice: ReadonlyMap<ProblemCode, string> = new Map([
  ["conflict", "Their decision stands."],
  ["already-settled", "There is nothing left to decide."],
  ["not-pending", "There is nothing left to decide."],
  ["presence-needed", "You can still deny it here."],
  ["self-approval", "You can still deny it."],
  ["not-in-group", "You can still deny it."],
  ["never-remember", "Choose Allow once."],
  ["unavailable", "Nothing was decided. Try again when the page is connected."],
])

/** Why an answer did not count, and what to do now. Whatever was refused, nothing was decided by it. */
export function refusalWords(refused: Refused): { readonly title: string; readonly words: string } {
  if (refused.isUnknown) return { title: "Your decision is not confirmed yet", words: refused.why }
  const more = refused.code === undefined ? undefined : advice.get(refused.code)
  return { title: "Your decision was not applied", words: more === undefined ? refused.why : `${refused.why} ${more}` }
}
