import type { JsonObject, JsonValue } from "@byleave/core"
import type { CheckArguments } from "@byleave/ui"
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema"

/** What the service will say of edited arguments, told while somebody types. A schema that cannot be used is the service's to refuse. */
export const checkArguments: CheckArguments = (schema, args) => {
  try {
    const { errors } = new Validator(schema as Schema, "2020-12", false).validate(args)
    return errors.filter((error) => isTelling(error, errors)).map((error) => problemOf(error, schema))
  } catch {
    return []
  }
}

const wrappers = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "prefixItems",
  "allOf",
  "$ref",
])

/** A list is wrong because an entry is: only the entry is worth telling. Of several forms, none of which fits, only that none does. */
function isTelling({ keyword, keywordLocation }: OutputUnit, errors: readonly OutputUnit[]): boolean {
  if (wrappers.has(keyword)) return false
  const forms = errors.filter((error) => error.keyword === "anyOf" || error.keyword === "oneOf")
  return !forms.some((form) => keywordLocation.startsWith(`${form.keywordLocation}/`))
}

function problemOf({ keyword, keywordLocation, instanceLocation, error }: OutputUnit, schema: JsonObject): string {
  const missing = keyword === "required" ? /".*"/.exec(error)?.[0] : undefined
  if (missing !== undefined && instanceLocation === "#") return `${missing} is missing.`
  const words = missing === undefined ? wordsFor(keyword, valueAt(schema, keywordLocation)) : `${missing} is missing.`
  const [, , ...inner] = instanceLocation.split("/")
  const place = inner.length === 0 ? "" : `At ${inner.join("/")}: `
  return `${instanceLocation}: ${place}${words ?? error}`
}

type Words = (value: string) => string

const sentences: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["const", (value) => `It must be ${value}.`],
  ["minimum", (value) => `It must be at least ${value}.`],
  ["maximum", (value) => `It must be at most ${value}.`],
  ["exclusiveMinimum", (value) => `It must be more than ${value}.`],
  ["exclusiveMaximum", (value) => `It must be less than ${value}.`],
  ["multipleOf", (value) => `It must be a multiple of ${value}.`],
  ["minLength", (value) => `It must be at least ${value} characters long.`],
  ["maxLength", (value) => `It must be at most ${value} characters long.`],
  ["pattern", (value) => `It must fit the pattern ${value}.`],
  ["format", (value) => `It must be written as ${value}.`],
  ["minItems", (value) => `It must have at least ${value} entries.`],
  ["maxItems", (value) => `It must have at most ${value} entries.`],
  ["uniqueItems", () => "It has the same entry twice."],
  ["false", () => "The tool does not take it."],
])

/** Null where the library's own sentence has to do. */
function wordsFor(keyword: string, value: JsonValue | undefined): string | null {
  if (keyword === "type" && value !== undefined) return `It must be ${[value].flat().map(typeWords).join(" or ")}.`
  if (keyword === "enum" && Array.isArray(value)) return `It must be one of ${value.map(shown).join(", ")}.`
  if (keyword === "anyOf" || keyword === "oneOf") return "It fits none of the forms that the tool takes."
  return sentences.get(keyword)?.(value === undefined ? "what the tool says" : shown(value)) ?? null
}

const types: ReadonlyMap<JsonValue, string> = new Map([
  ["string", "text"],
  ["number", "a number"],
  ["integer", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["null", "null"],
])

function typeWords(type: JsonValue): string {
  return types.get(type) ?? shown(type)
}

function shown(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** What stands in the schema at a pointer such as `#/properties/edits/type`; undefined where a reference leads elsewhere. */
function valueAt(schema: JsonObject, pointer: string): JsonValue | undefined {
  const names = pointer.split("/").slice(1)
  return names.reduce<JsonValue | undefined>((value, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~")
    if (Array.isArray(value)) return value[Number(key)] as JsonValue | undefined
    const isObject = typeof value === "object" && value !== null
    return isObject && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined
  }, schema)
}
