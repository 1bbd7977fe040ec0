import type { JsonObject } from "@byleave/core"
import { errorCode, errorReply } from "./errors.ts"
import type { Ask, Reply, RequestId } from "./message.ts"

/** Of questions of a server that nobody has answered yet: over one connection, of one task, in one answer. */
export const mostQuestions = 16
/** Of all of them together, in characters of JSON. */
const mostCharacters = 1024 * 1024

export const tooManyQuestions: Reply = errorReply(
  errorCode.internal,
  `Questions to a client that are not answered may be ${mostQuestions} and hold 1 MiB. Ask again when some are answered, or ask for less.`,
)

/**
 * Counts questions that are open.
 *
 * I1. No more are open than may be, nor do they hold more than they may; one that is over counts no more.
 */
export type OpenQuestions = {
  /** Returns the function to call once the question is answered; null: it is one too many. `id`: the one that is kept for the answer, where it has one. */
  readonly begin: (question: Ask, id?: RequestId) => (() => void) | null
}

export function createOpenQuestions(): OpenQuestions {
  let open = 0
  let characters = 0
  return {
    begin: ({ params }, id = "") => {
      const size = sizeOf(params) + String(id).length
      if (open >= mostQuestions || characters + size > mostCharacters) return null
      open += 1
      characters += size
      return () => {
        open -= 1
        characters -= size
      }
    },
  }
}

/** Whether these may be asked at once. */
export function mayAskAll(questions: readonly Ask[]): boolean {
  const { begin } = createOpenQuestions()
  return questions.every((question) => begin(question) !== null)
}

function sizeOf(params: JsonObject | undefined): number {
  return params === undefined ? 0 : JSON.stringify(params).length
}
