import type { ApprovalSummaryView } from "@byleave/api"

/** Newest first, by when something last became of each. */
export function byNewestEnd(calls: readonly ApprovalSummaryView[]): readonly ApprovalSummaryView[] {
  return calls.toSorted((one, other) => endedAt(other) - endedAt(one))
}

function endedAt(call: ApprovalSummaryView): number {
  if ("settledAt" in call) return call.settledAt
  if (call.status === "approved") return call.at
  return call.status === "running" ? call.startedAt : call.createdAt
}
