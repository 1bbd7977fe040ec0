import type { ApprovalView } from "@byleave/api"

/** Newest first, by when something last became of each. */
export function byNewestEnd(calls: readonly ApprovalView[]): readonly ApprovalView[] {
  return calls.toSorted((one, other) => endedAt(other) - endedAt(one))
}

function endedAt(call: ApprovalView): number {
  if ("settledAt" in call) return call.settledAt
  if (call.status === "approved") return call.at
  return call.status === "running" ? call.startedAt : call.createdAt
}
