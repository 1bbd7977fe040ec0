import { errorCode, errorReply } from "./errors.ts"
import type { Reply } from "./message.ts"

/**
 * Replies of an exchange that asked nobody, so that its question may be asked elsewhere. They are known by identity: whoever passes a reply on passes these on
 * as they are.
 */
export const exchangeOver: Reply = errorReply(
  errorCode.internal,
  "The request that this question is about is over. Nobody was asked.",
)
export const cannotAskHere: Reply = errorReply(
  errorCode.methodNotFound,
  "The client cannot be asked anything during this request.",
)

export function wasAsked(reply: Reply): boolean {
  return reply !== exchangeOver && reply !== cannotAskHere
}
