import { isObject, type JsonObject, type JsonValue } from "@byleave/core"
import { AdapterError } from "./adapter-error.ts"

/** A tool's arguments as the gate shows and binds them. Models send JSON objects; none is an empty one. */
export function argumentsOf(input: unknown): JsonObject {
  return bindableInput(input).args
}

/**
 * A copy of a tool's input, and that copy as JSON. Throws where the JSON would not say all of it: a library may have made a Set of a list,
 * which is `{}` in JSON, and a reviewer would approve something else than what runs. A date is its JSON text.
 */
export function bindableInput(input: unknown): { readonly kept: unknown; readonly args: JsonObject } {
  if (input === undefined || input === null) return { kept: input, args: {} }
  const kept = copyOf(input)
  const place = unshowable(kept, [])
  if (place !== null) throw notShown(place)
  const args = toJson(kept)
  if (isObject(args)) return { kept, args }
  throw new AdapterError("bad-arguments", "A gated tool takes its arguments as one object.")
}

function copyOf(input: unknown): unknown {
  try {
    return structuredClone(input)
  } catch (cause) {
    throw new AdapterError("bad-arguments", `${notPlain} (${messageOf(cause)})`, { cause })
  }
}

const notPlain =
  "A gated tool takes plain JSON as its arguments, so that a reviewer is shown all that runs. Make other values of them inside the tool."

function notShown(place: readonly string[]): AdapterError {
  return new AdapterError("bad-arguments", `${notPlain} (This one is not: ${place.join(".") || "the whole input"})`)
}

/** The first place whose value JSON does not tell from another one; null where there is none. */
function unshowable(value: unknown, place: readonly string[]): readonly string[] | null {
  if (value === null || ["string", "boolean"].includes(typeof value)) return null
  if (typeof value === "number") return Number.isFinite(value) ? null : place
  if (typeof value !== "object" || place.length > mostDepth) return place
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? place : null
  if (!isPlain(value)) return place
  for (const [key, member] of Object.entries(value)) {
    const found = member === undefined && !Array.isArray(value) ? null : unshowable(member, [...place, key])
    if (found !== null) return found
  }
  return null
}

const mostDepth = 200

/** A list without gaps and without members of its own, or an object that is nothing but its members. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return Object.keys(value).length === value.length
  const made = Object.getPrototypeOf(value) as unknown
  return made === Object.prototype || made === null
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
