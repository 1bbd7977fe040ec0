import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { isObject, memberAt } from "../call/json/members.ts"
import type { PreparedSchema } from "./checking.ts"
import { unusable } from "./work.ts"

/** Of a schema: values within it, and characters of its texts. */
const mostParts = 50_000
const mostCharacters = 1_048_576
/** Of all its patterns together, with their repetitions: a part of a pattern takes about a hundred bytes. */
const mostPatternParts = 100_000

type Survey = {
  parts: number
  characters: number
  readonly anchors: Map<string, JsonObject>
  tracks: boolean
  refers: boolean
  ids: number
}

/** Looks through a schema once. Throws a `SchemaError` where it is too large, or refers to others in ways that are not followed here. */
export function prepareSchema(root: JsonObject): PreparedSchema {
  const survey: Survey = { parts: 0, characters: 0, anchors: new Map(), tracks: false, refers: false, ids: 0 }
  look(root, survey, 0)
  const hasInnerIds = survey.ids > (memberAt(root, "$id") === undefined ? 0 : 1)
  if (hasInnerIds && survey.refers) throw unusable("It holds other schemas with an $id of their own.")
  return {
    root,
    anchors: survey.anchors,
    tracks: survey.tracks,
    patterns: new Map(),
    patternsOf: new Map(),
    patternParts: { left: mostPatternParts },
    referred: new Map(),
    kinds: new Map(),
  }
}

function look(value: JsonValue, survey: Survey, depth: number): void {
  survey.parts += 1
  if (typeof value === "string") survey.characters += value.length
  if (survey.parts > mostParts || survey.characters > mostCharacters || depth > 200)
    throw unusable("It is too large to check arguments against.")
  if (Array.isArray(value)) for (const entry of value) look(entry, survey, depth + 1)
  if (!isObject(value)) return
  const schema: JsonObject = value
  for (const [key, inner] of Object.entries(schema)) {
    survey.characters += key.length
    note(schema, key, survey)
    look(inner, survey, depth + 1)
  }
}

function note(schema: JsonObject, key: string, survey: Survey): void {
  const value = schema[key]
  if (key === "$anchor" || key === "$dynamicAnchor") {
    if (typeof value === "string") survey.anchors.set(value, schema)
  } else if (key === "$id") {
    if (typeof value === "string") survey.ids += 1
  } else if (key === "$ref" || key === "$dynamicRef") survey.refers = true
  else if (key === "unevaluatedProperties" || key === "unevaluatedItems") survey.tracks = true
}

/** The part of a schema that a reference names: by its place, or by an anchor. */
export function referredTo({ root, anchors, referred }: PreparedSchema, reference: JsonValue): JsonValue {
  if (typeof reference !== "string") throw unusable("It refers to something by what is no text.")
  const found = referred.get(reference) ?? find(root, anchors, reference)
  if (found === undefined) throw unusable(`It refers to ${JSON.stringify(reference)}, which it does not hold.`)
  referred.set(reference, found)
  return found
}

function find(root: JsonObject, anchors: ReadonlyMap<string, JsonObject>, reference: string): JsonValue | undefined {
  const id = memberAt(root, "$id")
  const local = typeof id === "string" && reference.startsWith(`${id}#`) ? reference.slice(id.length) : reference
  if (local === "#" || local === id) return root
  if (!local.startsWith("#")) return undefined
  if (!local.startsWith("#/")) return anchors.get(local.slice(1))
  return local
    .slice(2)
    .split("/")
    .reduce<JsonValue | undefined>((part, name) => {
      const key = decoded(name).replaceAll("~1", "/").replaceAll("~0", "~")
      if (Array.isArray(part)) return /^\d{1,9}$/.test(key) ? part[Number(key)] : undefined
      return isObject(part) ? memberAt(part, key) : undefined
    }, root)
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
