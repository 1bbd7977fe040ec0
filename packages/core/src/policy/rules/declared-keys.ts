import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { asObject, memberAt, objectAt } from "../../call/json/members.ts"

/**
 * Whether a schema declares a top-level key, following local references and combinations; null when it names no properties at all.
 * A server's regular expressions are never run: of `patternProperties` only plain prefixes count.
 */
export function declaredKeys(schema: JsonObject): ((key: string) => boolean) | null {
  const found: Found = { names: new Set(), prefixes: [], seen: new Set(), any: false }
  collect(schema, schema, found, 0)
  if (!found.any) return null
  const hasPrefix = prefixTest(found.prefixes)
  return (key) => found.names.has(key) || hasPrefix(key)
}

/** Whether a text begins with one of them, found by halving: there may be as many as there are texts to ask about. */
function prefixTest(prefixes: readonly string[]): (text: string) => boolean {
  const shortest: string[] = []
  for (const prefix of [...prefixes].sort()) {
    const last = shortest.at(-1)
    if (last === undefined || !prefix.startsWith(last)) shortest.push(prefix)
  }
  // None of them begins with another, so that a text that begins with one comes after it and before the next.
  return (text) => {
    let from = 0
    let to = shortest.length
    while (from < to) {
      const middle = (from + to) >> 1
      if ((shortest[middle] as string) <= text) from = middle + 1
      else to = middle
    }
    return from > 0 && text.startsWith(shortest[from - 1] as string)
  }
}

type Found = { readonly names: Set<string>; readonly prefixes: string[]; readonly seen: Set<JsonObject>; any: boolean }

const combinations = ["allOf", "anyOf", "oneOf"] as const
const deepestCombination = 64

function collect(part: JsonValue | undefined, root: JsonObject, found: Found, depth: number): void {
  const schema = asObject(part)
  if (schema === undefined || depth > deepestCombination || found.seen.has(schema)) return
  found.seen.add(schema)
  const properties = asObject(schema.properties)
  const patterns = asObject(schema.patternProperties)
  if (properties !== undefined || patterns !== undefined || schema.$ref !== undefined) found.any = true
  for (const name of Object.keys(properties ?? {})) found.names.add(name)
  for (const pattern of Object.keys(patterns ?? {})) collectPrefix(pattern, found)
  collect(localDefinition(root, schema.$ref), root, found, depth + 1)
  for (const combination of combinations) {
    const parts = schema[combination]
    if (Array.isArray(parts)) for (const inner of parts) collect(inner, root, found, depth + 1)
  }
  for (const branch of [schema.if, schema.then, schema.else]) collect(branch, root, found, depth + 1)
}

function collectPrefix(pattern: string, found: Found): void {
  const prefix = /^\^?(?:\.\*)?\$?$/.test(pattern) ? "" : (/^\^([\w-]+)$/.exec(pattern)?.[1] ?? null)
  if (prefix !== null) found.prefixes.push(prefix)
}

function localDefinition(root: JsonObject, reference: JsonValue | undefined): JsonValue | undefined {
  const parts = typeof reference === "string" ? /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(reference) : null
  if (parts === null) return undefined
  return memberAt(objectAt(root, parts[1] as string), parts[2] as string)
}
