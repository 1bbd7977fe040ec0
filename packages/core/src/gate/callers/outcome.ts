import type { Approval } from "../../approval/approval.ts"
import type { Refusal } from "../../approval/refusal.ts"
import { toolName } from "../../call/call.ts"
import { shownName } from "../../call/text/quoted.ts"
import type { Outcome, OutcomeNote } from "../gate.ts"

/** The outcome for the caller of a settled approval; null while it is still open. */
export function outcomeOf(approval: Approval, late = false): Outcome | null {
  const notes = notesOf(approval, late)
  switch (approval.status) {
    case "pending":
    case "approved":
    case "running":
      return null
    case "succeeded":
      return { kind: "result", result: approval.result, approval: approval.id, notes }
    case "failed":
      return { kind: "error", error: approval.error, approval: approval.id, notes }
    case "unknown":
      return { kind: "unknown", detail: approval.detail, approval: approval.id }
    case "denied":
      return { kind: "refusal", refusal: approval.refusal, approval: approval.id }
    case "expired":
      return unanswered(
        approval,
        { by: "timeout", code: "expired" },
        (name) => `Nobody decided in time, so ${name} did not run.`,
      )
    case "cancelled":
      return unanswered(
        approval,
        { by: "policy", code: "cancelled" },
        (name) => `${name} was withdrawn before it ran: ${approval.detail}`,
      )
    case "superseded":
      return unanswered(
        approval,
        { by: "policy", code: "superseded" },
        (name) => `${name} did not run: ${approval.detail}`,
      )
  }
}

function unanswered(approval: Approval, refusal: Omit<Refusal, "reason">, sentence: (name: string) => string): Outcome {
  const reason = sentence(shownName(toolName(approval.tool)))
  return { kind: "refusal", refusal: { ...refusal, reason }, approval: approval.id }
}

function notesOf(approval: Approval, late: boolean): readonly OutcomeNote[] {
  const notes: OutcomeNote[] = []
  if (approval.runDigest !== approval.callDigest) notes.push("edited")
  if (late) notes.push("delivered-late")
  if ("runNow" in approval && approval.runNow !== undefined) notes.push("run-by-reviewer")
  return notes
}
