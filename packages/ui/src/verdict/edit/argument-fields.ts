/**
 * A call's arguments as fields to fill in, and back.
 *
 * I1. A field nobody touched gives back exactly the value it was made from: text areas turn line ends into others, and numbers beyond a double
 *     are kept as they were written.
 * I2. What a plain field could not show is edited as JSON with escapes: nothing hides in a field.
 */
import {
  asObject,
  canonicalJson,
  hasHiddenCharacters,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  readJson,
  showText,
  unambiguousJson,
} from "@byleave/core"

export type ArgumentField = {
  readonly key: string
  readonly kind: "text" | "long" | "number" | "boolean" | "choice" | "json"
  readonly required: boolean
  /** Of a choice. */
  readonly options: readonly string[]
  /** The value in the call; undefined: the call does not send this argument. */
  readonly before: JsonValue | undefined
  /** As it stands in the field at first; null: not sent. */
  readonly text: string | null
}

/** The texts of the fields, by key; null: not sent. */
export type FieldTexts = ReadonlyMap<string, string | null>

export type ReadFields =
  | { readonly ok: true; readonly args: JsonObject; readonly changes: readonly ArgumentChange[] }
  | {
      readonly ok: false
      readonly problems: ReadonlyMap<string, string>
      /** Of the fields that can be read. */
      readonly changes: readonly ArgumentChange[]
    }

export type ArgumentChange = {
  readonly key: string
  /** As JSON; null: not sent. */
  readonly before: string | null
  readonly after: string | null
}

/** The call's own arguments first, in their order, then those the schema knows and the call does not send. */
export function argumentFields(args: JsonObject, schema: JsonObject | null): readonly ArgumentField[] {
  const properties = new Map(Object.entries(objectAt(schema ?? undefined, "properties") ?? {}))
  const required = new Set(listAt(schema ?? undefined, "required"))
  const absent = [...properties.keys()].filter((key) => !Object.hasOwn(args, key))
  const fieldOf = (key: string, before: JsonValue | undefined): ArgumentField => {
    const { kind, options } = shapeOf(properties.get(key), before)
    const text = before === undefined ? null : textOf(kind, before)
    return { key, kind, options, required: required.has(key), before, text }
  }
  return [
    ...Object.entries(args).map(([key, value]) => fieldOf(key, value)),
    ...absent.map((key) => fieldOf(key, undefined)),
  ]
}

/** The arguments as they now stand, and how they differ from what was asked for. */
export function readFields(fields: readonly ArgumentField[], texts: FieldTexts): ReadFields {
  const members: [string, JsonValue][] = []
  const problems = new Map<string, string>()
  const changes: ArgumentChange[] = []
  for (const field of fields) {
    const text = texts.has(field.key) ? (texts.get(field.key) ?? null) : field.text
    const read = text === field.text ? { ok: true as const, value: field.before } : readText(field, text)
    if (!read.ok) {
      problems.set(field.key, read.problem)
      continue
    }
    if (read.value !== undefined) members.push([field.key, read.value])
    const change = changeOf(field, read.value)
    if (change !== null) changes.push(change)
  }
  // Unlike an assignment, this makes a member of "__proto__" like any other.
  return problems.size > 0 ? { ok: false, problems, changes } : { ok: true, args: Object.fromEntries(members), changes }
}

type Read =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly problem: string }

function readText(field: ArgumentField, text: string | null): Read {
  if (text === null) {
    return field.required ? { ok: false, problem: "The tool requires this argument." } : { ok: true, value: undefined }
  }
  switch (field.kind) {
    case "text":
    case "long":
      return { ok: true, value: text }
    case "boolean":
      return { ok: true, value: text === "true" }
    case "choice":
    case "json":
      return readValue(text)
    case "number": {
      const read = readValue(text)
      const isNumber = read.ok && (typeof read.value === "number" || isRawNumber(read.value))
      return isNumber ? read : { ok: false, problem: "Enter a number." }
    }
  }
}

function readValue(text: string): Read {
  const read = readJson(text)
  return read.ok ? read : { ok: false, problem: `Invalid JSON: ${read.problem.message}` }
}

function changeOf({ key, before }: ArgumentField, after: JsonValue | undefined): ArgumentChange | null {
  const was = before === undefined ? null : canonicalJson(before)
  const is = after === undefined ? null : canonicalJson(after)
  if (was === is) return null
  return { key, before: exact(before), after: exact(after) }
}

function exact(value: JsonValue | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** By what the call holds where it holds something, since that is what the field must be able to show. */
function shapeOf(
  property: JsonValue | undefined,
  before: JsonValue | undefined,
): Pick<ArgumentField, "kind" | "options"> {
  const schema = asObject(property)
  const choices = scalarChoices(schema)
  if (choices.length > 0 && (before === undefined || choices.includes(JSON.stringify(before)))) {
    return { kind: "choice", options: choices }
  }
  const plain = (kind: ArgumentField["kind"]) => ({ kind, options: [] })
  if (before === undefined) return plain(kindOfType(schema?.type))
  if (typeof before === "string") return plain(kindOfString(before))
  if (typeof before === "boolean") return plain("boolean")
  return plain(typeof before === "number" || isRawNumber(before) ? "number" : "json")
}

function kindOfType(type: JsonValue | undefined): ArgumentField["kind"] {
  if (type === "string") return "long"
  if (type === "number" || type === "integer") return "number"
  return type === "boolean" ? "boolean" : "json"
}

function kindOfString(text: string): ArgumentField["kind"] {
  const seen = text.replaceAll("\n", "").replaceAll("\t", "")
  if (hasHiddenCharacters(seen).length > 0 || showText(seen) !== seen) return "json"
  return text.includes("\n") || text.length > 80 ? "long" : "text"
}

function textOf(kind: ArgumentField["kind"], value: JsonValue): string {
  if ((kind === "text" || kind === "long") && typeof value === "string") return value
  return escaped(JSON.stringify(value, null, kind === "json" ? 2 : 0))
}

/** JSON in which nothing hides: what would not be seen is written as an escape. Outside of strings there is nothing to hide. */
function escaped(json: string): string {
  return json
    .split("\n")
    .map((line) =>
      hasHiddenCharacters(line).length === 0 ? line : line.replaceAll(/[^\x20-\x7e]/gu, escapeUnlessSeen),
    )
    .join("\n")
}

function escapeUnlessSeen(character: string): string {
  if (hasHiddenCharacters(character).length === 0) return character
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
  }).join("")
}

function scalarChoices(schema: JsonObject | undefined): readonly string[] {
  const listed = schema?.enum
  if (!Array.isArray(listed)) return []
  const isScalar = (value: JsonValue) => typeof value !== "object" || value === null
  return listed.every(isScalar) ? listed.map((value) => JSON.stringify(value)) : []
}

/**
 * Which argument each problem of a schema is about: `#/path: …` and `"path" is not …` name one. What names none is about all of
 * them together, and stands under the empty key.
 */
export function problemsByKey(
  problems: readonly string[],
  fields: readonly ArgumentField[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const problem of problems) {
    const field = fields.find(({ key }) => names(problem, key))
    const place = field?.key ?? ""
    const sentence = problem.replace(/^#[^:]*: /, "")
    found.set(place, found.has(place) ? `${found.get(place)} ${sentence}` : sentence)
  }
  return found
}

function names(problem: string, key: string): boolean {
  const pointer = `#/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
  const rest = problem.startsWith(pointer) ? problem.charAt(pointer.length) : ""
  return rest === "/" || rest === ":" || problem.startsWith(`${unambiguousJson(key)} `)
}
