/**
 * Questions of running tasks to their clients: shown by `tasks/get`, answered by `tasks/update`.
 *
 * I1. Every question ends: with its answer, with an error when nobody answers in time, with its run, or when the gateway closes.
 * I2. A task has only so many of them open.
 */
import { type JsonObject, objectAt } from "@byleave/core"
import { errorCode, errorReply } from "../wire/errors.ts"
import type { Ask, Reply } from "../wire/message.ts"
import { mostQuestions, tooManyQuestions } from "../wire/question-limits.ts"

type OpenQuestion = { readonly ask: Ask; readonly answered: (reply: Reply) => void }

export type TaskInputs = {
  readonly ask: (task: string, ask: Ask) => Promise<Reply>
  /** The open questions, by key; null if there are none. */
  readonly pending: (task: string) => JsonObject | null
  /** Answers the keys it knows; others are none of ours. */
  readonly answer: (task: string, responses: JsonObject) => void
  /** No client answers for this task any more. */
  readonly end: (task: string) => void
  /** No client answers for any task, or is asked, any more. */
  readonly close: () => void
}

/** `patienceMs`: how long a question waits for its answer. */
export function createTaskInputs(patienceMs: number): TaskInputs {
  const asked = new Map<string, Map<string, OpenQuestion>>()
  let count = 0
  let isClosed = false
  const settle = (task: string, key: string, reply: Reply): void => {
    const open = asked.get(task)
    const question = open?.get(key)
    open?.delete(key)
    if (open?.size === 0) asked.delete(task)
    question?.answered(reply)
  }
  const end = (task: string): void => {
    for (const key of [...(asked.get(task)?.keys() ?? [])]) settle(task, key, nobodyAnswers)
  }
  return {
    ask: (task, ask) => {
      if (isClosed) return Promise.resolve(nobodyAnswers)
      if ((asked.get(task)?.size ?? 0) >= mostQuestions) return Promise.resolve(tooManyQuestions)
      count += 1
      const key = `input-${count}`
      return new Promise((resolve) => {
        const late = setTimeout(() => settle(task, key, nobodyAnswers), patienceMs)
        late.unref()
        const answered = (reply: Reply): void => {
          clearTimeout(late)
          resolve(reply)
        }
        const open = asked.get(task) ?? new Map<string, OpenQuestion>()
        asked.set(task, open.set(key, { ask, answered }))
      })
    },
    pending: (task) => {
      const open = asked.get(task)
      if (open === undefined) return null
      return Object.fromEntries([...open].map(([key, { ask }]) => [key, requestOf(ask)]))
    },
    answer: (task, responses) => {
      for (const key of [...(asked.get(task)?.keys() ?? [])]) {
        const result = objectAt(responses, key)
        if (result !== undefined) settle(task, key, { kind: "result", result })
      }
    },
    end,
    close: () => {
      isClosed = true
      for (const task of [...asked.keys()]) end(task)
    },
  }
}

const nobodyAnswers = errorReply(errorCode.internal, "The client of this task did not answer.")

function requestOf({ method, params }: Ask): JsonObject {
  return params === undefined ? { method } : { method, params }
}
