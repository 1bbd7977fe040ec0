/**
 * The answers that a card offers.
 *
 * I1. A call that the policy asks about every time is answered once: no answer to it can be remembered.
 * I2. A yes to other arguments than would run now counts for nothing.
 */
import type { ApprovalView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import { showText } from "@byleave/core"
import { policyChangeIn } from "../../card/changes/policy-change.ts"

/** Which answers a call can be given; where one cannot, a sentence says why. */
export type AnswersOffered = {
  /** Null: a yes can be remembered. */
  readonly whyOnlyOnce: string | null
  /** How a no can be remembered: for this tool or wider, for the whole server only, or not at all. */
  readonly denyAlways: "tool" | "server" | "never"
  readonly canEdit: boolean
}

/** The service refuses whatever else is tried; so it is not offered. */
export function answersOffered(approval: ApprovalView): AnswersOffered {
  return {
    whyOnlyOnce: whyOnlyOnce(approval),
    denyAlways: approval.remember === "never" ? "never" : approval.kind === "tool" ? "tool" : "server",
    canEdit:
      approval.kind === "tool" &&
      approval.tool.server !== "byleave" &&
      approval.args !== null &&
      shownArguments(approval) !== null,
  }
}

function whyOnlyOnce(approval: ApprovalView): string | null {
  if (policyChangeIn(approval) !== null) return "Once approved, it stays in effect until the file changes again."
  if (approval.pin === "changed" || approval.pin === "new") {
    return "The tool's current definition is not accepted, so approval applies to this call only."
  }
  if (approval.remember === "never") {
    return "The policy requires approval every time, so approval applies to this call only."
  }
  const { approvals } = approval.needs
  if (approvals > 1) return `${approvals} reviewers must approve it, so approval applies to this call only.`
  if (approval.kind !== "tool") return `${whatItIs[approval.kind]}, not a tool, so approval applies to this call only.`
  return null
}

const whatItIs = {
  resource: "This reads a resource",
  prompt: "This fetches a prompt",
  sampling: "The server asks to use the agent's model",
  elicitation: "The server asks the agent's user a question",
  roots: "The server asks which folders it may see",
  method: "This sends a request that is not part of MCP",
} as const satisfies Record<Exclude<ApprovalView["kind"], "tool">, string>

/** How far a call that several people must allow has come; null where one is enough. */
export type VotesSoFar = {
  readonly given: readonly string[]
  readonly missing: number
  readonly words: string
}

export function votesSoFar(approval: ApprovalView): VotesSoFar | null {
  const { approvals, groups } = approval.needs
  const from = groups.length === 0 ? "" : ` from ${groups.map(showText).join(" or ")}`
  if (approvals <= 1) {
    return groups.length === 0 ? null : { given: [], missing: 1, words: `Only a reviewer${from} can allow this call.` }
  }
  const given = approversOf(approval)
  const missing = Math.max(0, approvals - given.length)
  const who = given.length === 0 ? "No approvals yet" : `${given.map(showText).join(", ")} allowed it`
  const still = `${missing} more ${missing === 1 ? "is" : "are"} needed`
  return { given, missing, words: `${approvals} reviewers${from} must allow this call. ${who}; ${still}.` }
}

/** Only a yes to what would run now counts: an edit makes the earlier ones void. */
function approversOf(approval: ApprovalView): readonly string[] {
  const counted = approval.votes.filter((vote) => vote.kind === "approve" && vote.digest === approval.runDigest)
  return [...new Set(counted.map((vote) => vote.reviewer))]
}
