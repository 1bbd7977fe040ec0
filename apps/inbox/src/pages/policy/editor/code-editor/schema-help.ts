import type { YamlPath } from "./yaml-words.ts"

/** A part of a JSON Schema as it came over the wire: nothing of it is known before it is looked at. */
export type SchemaPart = { readonly [key: string]: unknown }

export type SchemaKey = {
  readonly name: string
  readonly description: string
  readonly form: "map" | "list" | "scalar"
  readonly isRequired: boolean
}

export type SchemaValue = { readonly text: string; readonly isExample: boolean }

export type SchemaHelp = { readonly description: string; readonly values: readonly SchemaValue[] }

/** Returns the parts of the schema that a value at this path may follow; none where the schema does not know the path. */
export function schemaAt(schema: SchemaPart, path: YamlPath): readonly SchemaPart[] {
  return path.reduce<readonly SchemaPart[]>(
    (parts, step) => parts.flatMap((part) => forms(step === null ? part.items : member(part, step))),
    forms(schema),
  )
}

/** Lists the keys that may be added to a map which has these already; those it must have come first. */
export function keysFor(parts: readonly SchemaPart[], present: readonly string[]): readonly SchemaKey[] {
  const known = new Set(parts.flatMap((part) => [...properties(part).keys()]))
  const used = present.filter((key) => known.has(key))
  const keys = new Map<string, SchemaKey>()
  for (const part of parts) {
    const own = properties(part)
    if (!used.every((key) => own.has(key))) continue
    const required = listed(part.required)
    for (const [name, child] of own) {
      if (used.includes(name) || keys.has(name)) continue
      const all = forms(child)
      const { description } = helpFor(all) ?? { description: "" }
      keys.set(name, { name, description, form: formOf(all), isRequired: required.includes(name) })
    }
  }
  return [...keys.values()].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

/** Lists the values that can be written as they are: first those the schema enumerates, then its examples. */
export function valuesFor(parts: readonly SchemaPart[]): readonly SchemaValue[] {
  const enumerated = parts.flatMap((part) => [
    ...listed(part.enum),
    ...(part.const === undefined ? [] : [part.const]),
    ...(part.type === "boolean" ? [true, false] : []),
  ])
  const examples = parts.flatMap((part) => listed(part.examples))
  const values = new Map<string, SchemaValue>()
  for (const value of enumerated) values.set(String(value), { text: String(value), isExample: false })
  for (const value of examples) {
    const text = String(value)
    if (!values.has(text)) values.set(text, { text, isExample: true })
  }
  return [...values.values()]
}

/** Returns what the schema says of a value in words; null where it says nothing. */
export function helpFor(parts: readonly SchemaPart[]): SchemaHelp | null {
  const description = parts.map((part) => part.description).find((words) => typeof words === "string" && words !== "")
  return typeof description === "string" ? { description, values: valuesFor(parts) } : null
}

/** Returns a part itself and every alternative of it. */
function forms(part: unknown): readonly SchemaPart[] {
  if (!isPart(part)) return []
  return [part, ...[part.anyOf, part.oneOf, part.allOf].flatMap(listed).flatMap(forms)]
}

function member(part: SchemaPart, key: string): unknown {
  return properties(part).get(key) ?? part.additionalProperties
}

function properties(part: SchemaPart): ReadonlyMap<string, unknown> {
  return new Map(isPart(part.properties) ? Object.entries(part.properties) : [])
}

/** A key whose value may be short is offered for a value on its line. */
function formOf(parts: readonly SchemaPart[]): SchemaKey["form"] {
  const types = new Set(parts.flatMap(({ type }) => (typeof type === "string" ? [type] : [])))
  if (types.size !== 1) return types.has("object") && !types.has("string") ? "map" : "scalar"
  if (types.has("object")) return "map"
  return types.has("array") ? "list" : "scalar"
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isPart(value: unknown): value is SchemaPart {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
