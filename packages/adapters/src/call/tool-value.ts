import { asObject, type JsonValue, listAt } from "@byleave/core"
import { AdapterError } from "./adapter-error.ts"
import type { PermissionResult } from "./permission-result.ts"
import type { GatedAnswer } from "./submit-call.ts"

export const noteKey = "byleave/note"

/** The answer as a tool's own function gives it: a value, or an error thrown in words for the model. */
export function toolValue<Value>(answer: GatedAnswer<Value>): Value | JsonValue | PermissionResult {
  switch (answer.kind) {
    case "ran":
      return withNotes(answer.value, answer.notes)
    case "threw":
      if (answer.notes.length === 0) throw answer.thrown
      throw new AdapterError("failed", [wordsOf(answer.thrown), ...answer.notes].join(" "), { cause: answer.thrown })
    case "result":
      return withNotes(answer.result, answer.notes)
    case "failed":
      // An MCP server's error is a result to its client.
      if (asObject(answer.error)?.isError === true) return withNotes(answer.error, answer.notes)
      throw new AdapterError("failed", [wordsOf(answer.error), ...answer.notes].join(" "))
    case "refused":
    case "unknown":
      throw new AdapterError(answer.kind, answer.text)
    case "waiting":
      return answer.permission
  }
}

/** Adds what the model has to know, in the shape the value has: a part of MCP content, a line of text, or a member of an object. */
export function withNotes<Value>(value: Value, notes: readonly string[]): Value {
  if (notes.length === 0) return value
  const note = notes.join(" ")
  if (typeof value === "string") return `${value}\n\n${note}` as Value
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { result: value, [noteKey]: note } as Value
  }
  const content = listAt(value as { readonly [key: string]: JsonValue }, "content")
  if (content === undefined) return { ...value, [noteKey]: note }
  return { ...value, content: [...content, { type: "text", text: note }] }
}

function wordsOf(error: unknown): string {
  if (error instanceof Error) return error.message
  if (typeof error === "string") return error
  const message = asObject(error as JsonValue)?.message
  return typeof message === "string" ? message : JSON.stringify(error)
}
