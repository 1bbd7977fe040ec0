import type { AnswerRefusal } from "@byleave/core"
import { notFound, type Refused, refuse } from "./refused.ts"

type Sentence<Code extends AnswerRefusal["code"]> = (refusal: Extract<AnswerRefusal, { readonly code: Code }>) => string

const sentences: { readonly [Code in AnswerRefusal["code"]]: Sentence<Code> } = {
  "already-settled": ({ status }) => `It is already ${status}, and that stays. Nothing was changed.`,
  conflict: ({ status }) => `Somebody answered otherwise: it is ${status}. Nothing was changed.`,
  "digest-mismatch": () => "It is not what you were shown any more. Look at it again, then answer.",
  "self-approval": () => "The call is made with your own token, so somebody else must approve it.",
  "not-in-group": ({ groups }) => `Only members of ${groups.join(", ")} may approve it.`,
  "past-expiry": () => "It has expired. The agent can ask again.",
  "not-due": () => "That does not apply to it now. Nothing was changed.",
  "not-approved": ({ status }) => `It is ${status}, not approved. Nothing was changed.`,
  "has-caller": () => "A caller is waiting on it already. Nothing was changed.",
  "not-the-caller": () => "Another caller waits on it. Nothing was changed.",
  "not-the-owner": () => "Another process runs it. Nothing was changed.",
  "not-pending": ({ status }) => `It does not wait any more: it is ${status}. Nothing was changed.`,
  "edit-after-vote": () => "Somebody has already voted for it as it is. Approve it as it is, or deny it.",
  "not-found": () => notFound().detail,
  "invalid-verdict": ({ detail }) => detail,
  "grant-lapsed": ({ detail }) => detail,
  "never-remember": () => "Policy wants this asked every time. Answer it once, without remembering.",
  "breadth-mismatch": ({ detail }) => detail,
  "invalid-arguments": () => "The arguments do not fit the tool. Correct them and try again.",
  "forbidden-by-policy": ({ reason }) => reason,
  "not-rerunnable": ({ status }) => `It is ${status}. Only what failed or was lost can be run anew.`,
  "not-undoable": ({ status }) => `It is ${status}. Only what succeeded can be put back.`,
  "arguments-removed": () => "Its arguments are no longer kept, so it cannot be run anew. Let the agent ask again.",
  "store-unavailable": ({ detail }) => detail,
}

/** What the gate refused, as a problem with a sentence that says what to do. */
export function answerRefused(refusal: AnswerRefusal): Refused {
  const sentence = sentences[refusal.code] as (of: AnswerRefusal) => string
  const problems = refusal.code === "invalid-arguments" ? refusal.problems : undefined
  return refuse(refusal.code, sentence(refusal), problems)
}
