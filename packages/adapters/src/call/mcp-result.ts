import { asObject, type JsonObject, type JsonValue } from "@byleave/core"
import { AdapterError } from "./adapter-error.ts"
import { permissionContent } from "./permission-result.ts"
import type { GatedAnswer } from "./submit-call.ts"
import { withNotes } from "./tool-value.ts"

/** The answer as an MCP server would give it: what we say ourselves is an `isError` result with a sentence the model can act on. */
export function mcpResult<Value extends object>(answer: GatedAnswer<Value>): Value | JsonObject {
  switch (answer.kind) {
    case "ran":
      return withNotes(answer.value, answer.notes)
    case "threw":
      throw answer.thrown
    case "result":
      return withNotes(resultOf(answer.result), answer.notes)
    case "failed": {
      const error = asObject(answer.error)
      if (error?.isError === true) return withNotes(error, answer.notes)
      throw new AdapterError(
        "failed",
        typeof error?.message === "string" ? error.message : JSON.stringify(answer.error),
      )
    }
    case "refused":
    case "unknown":
      return { content: [{ type: "text", text: answer.text }], isError: true }
    case "waiting":
      return permissionContent(answer.permission)
  }
}

function resultOf(kept: JsonValue): JsonObject {
  return asObject(kept) ?? { content: [{ type: "text", text: JSON.stringify(kept) }] }
}
