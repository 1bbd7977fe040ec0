import type { CallView } from "@byleave/api"
import { capitalized, lengthInWords, type Tone } from "@byleave/ui"
import { outcomeWords } from "../../activity/call-words.ts"
import type { Sentence } from "../../audit/record-parts.ts"

/** Policy's words as a sentence: they may come without a capital letter or a full stop. */
export function sentenceOf(words: string): string {
  return /[.!?]$/.test(words) ? capitalized(words) : `${capitalized(words)}.`
}

/** How people, or nobody, answered a call that was asked about. Null: nobody was asked. */
export function answerSentence(call: CallView): Sentence | null {
  const { answer, decidedBy, decidedAfterMs, outcome } = call
  if (answer === null) return null
  if (answer === "none") return [unanswered[outcome] ?? "Nobody has decided yet."]
  const after = decidedAfterMs === null ? "" : ` after ${lengthInWords(decidedAfterMs)}`
  if (answer === "denied") {
    return decidedBy === null ? ["A newer rule denied it."] : [{ their: decidedBy }, ` denied it${after}.`]
  }
  const since = afterApproval[outcome] ?? ""
  if (decidedBy === null) return [`A permission given meanwhile allowed it.${since}`]
  return [{ their: decidedBy }, ` allowed it${after}.${since}`]
}

const unanswered: Partial<Record<CallView["outcome"], string>> = {
  waiting: "Waiting for a decision.",
  expired: "Nobody decided in time.",
  cancelled: "Withdrawn before anybody decided.",
  superseded: "The tool's definition changed before anybody decided.",
}

/** Why a call that was allowed has not run. */
const afterApproval: Partial<Record<CallView["outcome"], string>> = {
  waiting: " It runs when the agent makes the call again.",
  expired: " The agent did not make the call again in time.",
  cancelled: " The approval was withdrawn before it ran.",
  denied: " A newer rule denied it before it ran.",
  superseded: " The tool's definition changed before it ran.",
}

/** How a call stands out on the time line: by its outcome, or quietly where it went as usual without anybody being asked. */
export function timelineTone(call: CallView): Tone {
  const { tone } = outcomeWords(call)
  return call.outcome === "succeeded" && call.effect === "allow" ? "plain" : tone
}

export type StoryShow = "all" | "asked" | "denied" | "failed"

export const storyShows = [
  { value: "all", label: "All calls" },
  { value: "asked", label: "Asked about" },
  { value: "denied", label: "Denied" },
  { value: "failed", label: "Failed" },
] as const satisfies readonly { readonly value: StoryShow; readonly label: string }[]

export function readShow(value: unknown): StoryShow {
  return storyShows.find((choice) => choice.value === value)?.value ?? "all"
}

/** Filters of the list of calls. */
export const showFilters = {
  all: {},
  asked: { effect: "ask" },
  denied: { outcome: "denied,refused" },
  failed: { outcome: "failed" },
} as const satisfies Record<StoryShow, { readonly effect?: string; readonly outcome?: string }>
