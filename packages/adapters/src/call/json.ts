import { isObject, type JsonObject, type JsonValue } from "@byleave/core"
import { AdapterError } from "./adapter-error.ts"

/** A tool's arguments as the gate shows and binds them. Models send JSON objects; none is an empty one. */
export function argumentsOf(input: unknown): JsonObject {
  const json = input === undefined || input === null ? {} : toJson(input)
  if (isObject(json)) return json
  throw new AdapterError("bad-arguments", "A gated tool takes its arguments as one object.")
}

/** A tool's result, as the gate keeps it. Values that JSON cannot express are kept as text. */
export function toJson(value: unknown): JsonValue {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? null : (JSON.parse(text) as JsonValue)
  } catch {
    return String(value)
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
