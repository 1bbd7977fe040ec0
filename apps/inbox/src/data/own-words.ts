import type { AnswerOf, Routes } from "@byleave/api"
import { grantAsShown, sessionAsShown } from "@byleave/api/page"
import type { ReadName } from "./shown-by.ts"

/**
 * Sentences about permissions and modes are made here: an answer of a person is bound to what the page showed, which must not be words that
 * somebody else chose.
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
