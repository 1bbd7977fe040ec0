/** Arguments to begin with when trying a call. */
import { type JsonObject, type JsonValue, readJson } from "@byleave/core"

/** The schema's required keys (all of them where it requires none), each with an empty value of its type; `{}` where nothing is known. */
export function argsTemplate(schema: JsonObject | null): string {
  const properties = objectOf(schema?.properties)
  if (properties === null) return "{}"
  const required = new Set(Array.isArray(schema?.required) ? schema.required : [])
  const all = Object.entries(properties)
  const wanted = required.size === 0 ? all : all.filter(([key]) => required.has(key))
  const entries = wanted.map(([key, described]) => [key, emptyOf(objectOf(described))] as const)
  return JSON.stringify(Object.fromEntries(entries), null, 2)
}

/** Names of the keys a schema knows, to be told beside the field. */
export function schemaKeys(schema: JsonObject | null): readonly string[] {
  return Object.keys(objectOf(schema?.properties) ?? {})
}

function emptyOf(schema: JsonObject | null): JsonValue {
  if (schema?.default !== undefined) return schema.default
  if (Array.isArray(schema?.enum)) return (schema.enum as readonly JsonValue[])[0] ?? null
  switch (schema?.type) {
    case "number":
    case "integer":
      return 0
    case "boolean":
      return false
    case "array":
      return []
    case "object":
      return {}
    default:
      return ""
  }
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

type ReadArgs = { readonly ok: true; readonly args: JsonObject } | { readonly ok: false; readonly problem: string }

/** Read as strictly as the gateway reads: what is tried is what would be judged. */
export function readArgs(text: string): ReadArgs {
  const read = readJson(text.trim() === "" ? "{}" : text)
  if (!read.ok) return { ok: false, problem: read.problem.message }
  const args = objectOf(read.value)
  return args === null
    ? { ok: false, problem: 'Arguments must be a JSON object, such as {"path": "a.txt"}.' }
    : { ok: true, args }
}
