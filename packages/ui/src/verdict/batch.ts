/**
 * One answer to several chosen calls.
 *
 * I1. A yes goes to no call whose secret nobody has looked at.
 * I2. A yes goes to no call whose tool is new or has changed.
 */
import type { ApprovalView } from "@byleave/api"
import { runArguments } from "./answers-offered.ts"

/** Of several chosen calls, those that one answer can go to; the others with a reason each. */
export type Batch = {
  readonly allowed: readonly ApprovalView[]
  readonly denied: readonly ApprovalView[]
  /** Chosen, but not to be allowed with the others. */
  readonly leftOut: ReadonlyArray<{ readonly approval: ApprovalView; readonly why: string }>
}

/** A yes to many goes only to calls that can be judged at a glance. A no goes to all that wait. */
export function batchOf(chosen: readonly ApprovalView[], isRevealed: (approval: ApprovalView) => boolean): Batch {
  const waiting = chosen.filter((approval) => approval.status === "pending")
  const judged = waiting.map((approval) => ({ approval, why: whyLeftOut(approval, isRevealed(approval)) }))
  return {
    allowed: judged.filter(({ why }) => why === null).map(({ approval }) => approval),
    denied: waiting,
    leftOut: judged.flatMap(({ approval, why }) => (why === null ? [] : [{ approval, why }])),
  }
}

function whyLeftOut(approval: ApprovalView, isRevealed: boolean): string | null {
  if (approval.needs.approvals > 1)
    return `${approval.needs.approvals} people must allow it, so it is answered by itself.`
  if (runArguments(approval) === null) return "Its arguments are no longer kept."
  if (!isRevealed && approval.risks.some((risk) => risk.kind === "secret-like")) {
    return "It holds a secret nobody has looked at. Open it to look."
  }
  if (approval.pin === "changed" || approval.pin === "new") {
    return "Its tool is new or has changed. Open it to see the difference."
  }
  return null
}
