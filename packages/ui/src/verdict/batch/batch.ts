/**
 * One answer to several chosen calls.
 *
 * I1. A yes goes to no call whose secret nobody has looked at.
 * I2. A yes goes to no call whose tool is new or has changed.
 * I3. A yes goes only to calls that are read whole and shown; so many, and so much, as a page can show.
 */
import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { secretsIn, sentTree } from "../../card/arguments/arg-tree.ts"

/** Of several chosen calls, those that one answer can go to; the others with a reason each. */
export type Batch = {
  readonly allowed: readonly ApprovalSummaryView[]
  readonly denied: readonly ApprovalSummaryView[]
  /** Chosen, but not to be allowed with the others. */
  readonly leftOut: ReadonlyArray<{ readonly approval: ApprovalSummaryView; readonly why: string }>
}

export const largestCall = 262_144
const largestBatch = 4_000_000
const mostCalls = 100

/** A yes to many goes only to calls that can be judged at a glance. A no goes to all that wait. */
export function batchOf(
  chosen: readonly ApprovalSummaryView[],
  isRevealed: (approval: ApprovalSummaryView) => boolean,
): Batch {
  const waiting = chosen.filter((approval) => approval.status === "pending")
  const allowed: ApprovalSummaryView[] = []
  const leftOut: { approval: ApprovalSummaryView; why: string }[] = []
  let bytes = 0
  for (const approval of waiting) {
    const why = whyLeftOut(approval, isRevealed(approval)) ?? whyNotMore(allowed.length, bytes + approval.bytes)
    if (why === null) {
      allowed.push(approval)
      bytes += approval.bytes
    } else leftOut.push({ approval, why })
  }
  return { allowed, denied: waiting, leftOut }
}

function whyLeftOut(approval: ApprovalSummaryView, isRevealed: boolean): string | null {
  if (approval.needs.approvals > 1)
    return `${approval.needs.approvals} reviewers must approve it, so decide it separately.`
  if (approval.preview === null) return "Its arguments are no longer stored."
  if (approval.bytes > largestCall) return tooLong
  if (approval.risks === null) return "Not checked for secrets. Open it to review."
  if (!isRevealed && approval.risks.kinds.includes("secret-like")) return unrevealed
  if (approval.pin === "changed" || approval.pin === "new") {
    return "Its tool is new or changed. Open it to see the difference."
  }
  return null
}

export const tooLong = "Too long to review here. Open it to read it."
export const unrevealed = "It contains an unrevealed secret. Open it to review."

/** Whether anything in a call is masked. Lists know its warnings alone, and a value may be masked without one. */
export function holdsSecret(call: ApprovalView): boolean {
  return secretsIn(sentTree(call)).length > 0
}

function whyNotMore(calls: number, bytes: number): string | null {
  if (calls < mostCalls && bytes <= largestBatch) return null
  return "Too much to review at once. Select fewer calls."
}
