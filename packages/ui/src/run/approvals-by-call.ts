import type { ApprovalSummaryView } from "@byleave/api"

export type ApprovalsByCall = ReadonlyMap<string, ApprovalSummaryView>

/** The approvals of a run's calls, by the model's ids of the calls. */
export function approvalsByCall(approvals: readonly ApprovalSummaryView[]): ApprovalsByCall {
  return new Map(approvals.flatMap((each) => (each.run === undefined ? [] : [[each.run.toolCall, each] as const])))
}
