import type { AnswerOf, Routes } from "@byleave/api"
import { grantAsShown, sessionAsShown } from "@byleave/api/page"
import type { ReadName } from "./shown-by.ts"

/**
 * What is remembered is told in words that are made here: what people do about it is bound to what they were shown, and that is not what
 * somebody else made of it.
 */
export function inOwnWords<Name extends ReadName>(
  name: Name,
  value: AnswerOf<Routes[Name]>,
  now: number,
): AnswerOf<Routes[Name]> {
  if (name === "listGrants") {
    const { items } = value as AnswerOf<Routes["listGrants"]>
    return { items: items.map((grant) => grantAsShown(grant, now)) } as AnswerOf<Routes[Name]>
  }
  if (name === "listSessions") {
    const { items } = value as AnswerOf<Routes["listSessions"]>
    return { items: items.map((session) => sessionAsShown(session, now)) } as AnswerOf<Routes[Name]>
  }
  return value
}
