import type { JsonValue } from "../call/json/json.ts"
import { unambiguousJson } from "../call/text/quoted.ts"

/** The requirement that a keyword puts on a value, in a sentence for people. */
export function wordsFor(keyword: string, wanted: JsonValue): string {
  if (keyword === "type") return `It must be ${[wanted].flat().map(typeWords).join(" or ")}.`
  if (keyword === "enum" && Array.isArray(wanted)) return `It must be one of ${wanted.map(shown).join(", ")}.`
  return sentences.get(keyword)?.(shown(wanted)) ?? `It does not match the tool's schema (${keyword}).`
}

export function missingWords(name: string): string {
  return `${unambiguousJson(name)} is missing.`
}

type Words = (value: string) => string

const noForm: Words = () => "It matches none of the forms the tool accepts."
const few: Words = (value) => `It must have at least ${value} entries.`
const many: Words = (value) => `It must have at most ${value} entries.`

const sentences: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["const", (value) => `It must be ${value}.`],
  ["minimum", (value) => `It must be at least ${value}.`],
  ["maximum", (value) => `It must be at most ${value}.`],
  ["exclusiveMinimum", (value) => `It must be more than ${value}.`],
  ["exclusiveMaximum", (value) => `It must be less than ${value}.`],
  ["multipleOf", (value) => `It must be a multiple of ${value}.`],
  ["minLength", (value) => `It must be at least ${value} characters long.`],
  ["maxLength", (value) => `It must be at most ${value} characters long.`],
  ["pattern", (value) => `It must match the pattern ${value}.`],
  ["format", (value) => `It must have the format ${value}.`],
  ["minItems", few],
  ["maxItems", many],
  ["minProperties", few],
  ["maxProperties", many],
  ["contains", () => "It must have an entry of the kind the tool requires."],
  ["minContains", (value) => `It must have at least ${value} entries of the kind the tool requires.`],
  ["maxContains", (value) => `It must have at most ${value} entries of the kind the tool requires.`],
  ["uniqueItems", () => "It has the same entry twice."],
  ["anyOf", noForm],
  ["oneOf", noForm],
  ["not", () => "It has a form the tool does not accept."],
  ["false", () => "The tool does not accept it."],
])

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

const longest = 200

function shown(value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
