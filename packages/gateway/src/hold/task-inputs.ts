import type { JsonObject } from "@byleave/core"
import { objectAt } from "../wire/members.ts"
import type { Ask, Reply } from "../wire/message.ts"

type Asked = { readonly ask: Ask; readonly answered: (reply: Reply) => void }

/** What running tasks want to know from their clients: shown by `tasks/get`, answered by `tasks/update`. */
export type TaskInputs = {
  readonly ask: (task: string, ask: Ask) => Promise<Reply>
  /** What is asked now, by key; null when nothing is. */
  readonly pending: (task: string) => JsonObject | null
  /** Answers the keys it knows; others are none of ours. */
  readonly answer: (task: string, responses: JsonObject) => void
}

export function createTaskInputs(): TaskInputs {
  const asked = new Map<string, Map<string, Asked>>()
  let count = 0
  const drop = (task: string, key: string): void => {
    const open = asked.get(task)
    open?.delete(key)
    if (open?.size === 0) asked.delete(task)
  }
  return {
    ask: (task, ask) => {
      count += 1
      const key = `input-${count}`
      return new Promise((answered) => {
        const open = asked.get(task) ?? new Map<string, Asked>()
        asked.set(task, open.set(key, { ask, answered }))
      })
    },
    pending: (task) => {
      const open = asked.get(task)
      if (open === undefined) return null
      return Object.fromEntries([...open].map(([key, { ask }]) => [key, requestOf(ask)]))
    },
    answer: (task, responses) => {
      for (const [key, { answered }] of [...(asked.get(task) ?? [])]) {
        const result = objectAt(responses, key)
        if (result === undefined) continue
        drop(task, key)
        answered({ kind: "result", result })
      }
    },
  }
}

function requestOf({ method, params }: Ask): JsonObject {
  return params === undefined ? { method } : { method, params }
}
