import type { AnswerRefusal } from "@byleave/core"
import { notFound, type RefusedRequest, refuse } from "../refused.ts"

type Sentence<Code extends AnswerRefusal["code"]> = (refusal: Extract<AnswerRefusal, { readonly code: Code }>) => string

const sentences: { readonly [Code in AnswerRefusal["code"]]: Sentence<Code> } = {
  "already-settled": ({ status }) => `It is already ${status}. Nothing was changed.`,
  conflict: ({ status }) => `Somebody else decided differently: it is ${status}. Nothing was changed.`,
  "digest-mismatch": () => "It differs from what you were shown. Review it again, then decide.",
  "self-approval": () => "This call uses your own token, so somebody else must approve it.",
  "not-in-group": ({ groups }) => `Only members of ${groups.join(", ")} may approve it.`,
  "past-expiry": () => "It has expired. The agent can call again.",
  "not-due": () => "That does not apply to it now. Nothing was changed.",
  "not-approved": ({ status }) => `It is ${status}, not approved. Nothing was changed.`,
  "has-caller": () => "A caller is already waiting for it. Nothing was changed.",
  "not-the-caller": () => "Another caller is waiting for it. Nothing was changed.",
  "not-the-owner": () => "Another process is running it. Nothing was changed.",
  "not-pending": ({ status }) => `It is no longer waiting: it is ${status}. Nothing was changed.`,
  "edit-after-vote": () => "Somebody already approved it unedited. Approve it unedited, or deny it.",
  "not-found": () => notFound().detail,
  "invalid-verdict": ({ detail }) => detail,
  "grant-lapsed": ({ detail }) => detail,
  "never-remember": () => "The policy requires approval every time. Decide it once, without saving a permission.",
  "breadth-mismatch": ({ detail }) => detail,
  "invalid-arguments": () => "The arguments do not match the tool's schema. Correct them and try again.",
  "forbidden-by-policy": ({ reason }) => reason,
  "not-rerunnable": ({ status }) => `It is ${status}. Only calls that failed or whose outcome is unknown can be rerun.`,
  "not-undoable": ({ status }) => `It is ${status}. Only calls that succeeded can be put back.`,
  "arguments-removed": () => "Its arguments are no longer stored, so it cannot be rerun. Have the agent call again.",
  "store-unavailable": ({ detail }) => detail,
}

/** The gate's refusal as a problem, with a sentence that says what to do. */
export function answerRefused(refusal: AnswerRefusal): RefusedRequest {
  const sentence = sentences[refusal.code] as (of: AnswerRefusal) => string
  const problems = refusal.code === "invalid-arguments" ? refusal.problems : undefined
  return refuse(refusal.code, sentence(refusal), problems)
}
