import { errorCode, errorReply } from "./errors.ts"
import type { Reply } from "./message.ts"

/**
 * Replies that answer nothing: nobody was asked, or whoever was can answer no more. The question may be put elsewhere. They are known by identity: whoever
 * passes a reply on passes these on as they are.
 */
export const exchangeOver: Reply = errorReply(
  errorCode.internal,
  "The request that this question is about is over. Nobody was asked.",
)
export const cannotAskHere: Reply = errorReply(
  errorCode.methodNotFound,
  "The client cannot be asked anything during this request.",
)
export const nobodyThere: Reply = errorReply(errorCode.internal, "The client is no longer there to be asked.")
export const clientAway: Reply = errorReply(
  errorCode.internal,
  "Nobody can be asked: a reviewer had this call run while its client was away.",
)
export const unanswered: Reply = errorReply(errorCode.internal, "The client gave no answer.")

const noAnswers: ReadonlySet<Reply> = new Set([exchangeOver, cannotAskHere, nobodyThere, clientAway, unanswered])

export function wasAnswered(reply: Reply): boolean {
  return !noAnswers.has(reply)
}
