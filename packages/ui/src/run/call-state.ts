import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { statusWords } from "../card/head/status-words.ts"
import type { Tone } from "../parts/mark.tsx"
import type { StoryOutcome, TurnCall } from "./story-turns.ts"

const outcomeWords = {
  result: { words: "Ran", tone: "yes" },
  error: { words: "Failed", tone: "no" },
  unknown: { words: "Outcome unknown", tone: "wait" },
  refusal: { words: "Denied", tone: "no" },
} as const satisfies Record<StoryOutcome["kind"], CallState>

/** By a rule or a permission: nobody was asked about this very call. */
const ranUnasked: CallState = { words: "Ran without approval", tone: "yes" }

export type CallState = { readonly words: string; readonly tone: Tone }

/** The state of a run's call. `approval`: the one that people were asked for; null: nobody was asked. */
export function callState(
  { outcome }: Pick<TurnCall, "outcome">,
  approval: ApprovalSummaryView | null,
  status: RunView["status"],
): CallState {
  if (outcome?.kind === "result" && outcome.approval === null && approval === null) return ranUnasked
  if (approval?.status === "pending" && outcome === null) return { words: "Needs approval", tone: "wait" }
  const settled = approval === null ? null : statusWords(approval)
  // A call that nobody answered, or that was withdrawn, was not denied.
  if (outcome !== null && (outcome.kind !== "refusal" || settled === null)) return outcomeWords[outcome.kind]
  if (settled !== null) return { words: settled.stamp, tone: settled.tone }
  return status === "running" ? { words: "Running", tone: "know" } : { words: "Did not run", tone: "plain" }
}
