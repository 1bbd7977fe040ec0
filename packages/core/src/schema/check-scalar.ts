import type { JsonObject, JsonValue, RawNumber } from "../call/json/json.ts"
import { memberAt } from "../call/json/members.ts"
import { isRawNumber } from "../call/json/raw-number.ts"
import { compareNumbers } from "../policy/conditions/compare-numbers.ts"
import { fitsFormat } from "./check-format.ts"
import {
  type Checking,
  type Kinds,
  listOf,
  numberOf,
  patternTest,
  report,
  spendOn,
  textOf,
  type ValuePath,
} from "./checking.ts"
import { wordsFor } from "./problem-words.ts"
import { isSameValue } from "./same-value.ts"
import { spend, unusable, type Work } from "./work.ts"

/** The keywords about a value as such, about texts and about numbers. */
export function checkScalar(
  kinds: Kinds,
  schema: JsonObject,
  value: JsonValue,
  place: ValuePath,
  checking: Checking,
): boolean {
  const wrong: string[] = []
  if (kinds.scalars) wrong.push(...wrongOfAny(schema, value, checking))
  if (kinds.texts && typeof value === "string") wrong.push(...wrongOfText(schema, value, checking))
  if (kinds.numbers && (typeof value === "number" || isRawNumber(value)))
    wrong.push(...wrongOfNumber(schema, value as number | RawNumber, checking))
  for (const keyword of wrong) report(checking, place, keyword, () => requirementOf(schema, keyword, checking))
  return wrong.length === 0
}

function requirementOf(schema: JsonObject, keyword: string, { work }: Checking): string {
  const wanted = schema[keyword] as JsonValue
  spendOn(wanted, work)
  return wordsFor(keyword, wanted)
}

function wrongOfAny(schema: JsonObject, value: JsonValue, { work }: Checking): readonly string[] {
  const wrong: string[] = []
  const type = memberAt(schema, "type")
  if (type !== undefined && !typesIn(type, work).some((each) => isOfType(each, value, work))) wrong.push("type")
  const only = memberAt(schema, "const")
  if (only !== undefined && !isSameValue(only, value, work)) wrong.push("const")
  const choices = listOf(schema, "enum")
  if (choices !== undefined && !choices.some((choice) => isSameValue(choice, value, work))) wrong.push("enum")
  return wrong
}

/** There are seven types. */
const mostTypes = 7

function typesIn(type: JsonValue, work: Work): readonly JsonValue[] {
  if (!Array.isArray(type)) return [type]
  if (type.length > mostTypes) throw unusable("It names more types than there are.")
  spend(work, type.length)
  return type
}

function isOfType(type: JsonValue, value: JsonValue, work: Work): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type
    case "null":
      return value === null
    case "array":
      return Array.isArray(value)
    case "number":
      return typeof value === "number" || isRawNumber(value)
    case "integer":
      return Number.isInteger(value) || (isRawNumber(value) && /^-?\d+$/.test(sourceOf(value as RawNumber, work)))
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value)
    default:
      throw unusable(`There is no type ${JSON.stringify(type)}.`)
  }
}

function wrongOfText(schema: JsonObject, text: string, checking: Checking): readonly string[] {
  const wrong: string[] = []
  const least = numberOf(schema, "minLength")
  const most = numberOf(schema, "maxLength")
  if (least !== undefined || most !== undefined) {
    const length = lengthOf(text, checking)
    if (least !== undefined && length < least) wrong.push("minLength")
    if (most !== undefined && length > most) wrong.push("maxLength")
  }
  const pattern = textOf(schema, "pattern")
  if (pattern !== undefined && !patternTest(checking, pattern)(text, checking.work)) wrong.push("pattern")
  const format = textOf(schema, "format")
  if (format !== undefined) {
    spend(checking.work, text.length >> 4)
    if (!fitsFormat(format, text)) wrong.push("format")
  }
  return wrong
}

/** In characters: a pair of surrogates is one. */
function lengthOf(text: string, { work }: Checking): number {
  spend(work, text.length >> 4)
  let length = text.length
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.codePointAt(at) as number) <= 0xffff) continue
    length -= 1
    at += 1
  }
  return length
}

/** The text of a number can have any length, and is read anew by each keyword. */
function sourceOf({ rawJSON }: RawNumber, work: Work): string {
  spend(work, rawJSON.length >> 2)
  return rawJSON
}

function wrongOfNumber(schema: JsonObject, value: number | RawNumber, { work }: Checking): readonly string[] {
  const wrong: string[] = []
  const order = (keyword: string): -1 | 0 | 1 | null | undefined => {
    const limit = memberAt(schema, keyword)
    // In draft 4, whether a limit is left out was a mark beside it.
    if (limit === undefined || typeof limit === "boolean") return undefined
    if (typeof limit !== "number" && !isRawNumber(limit)) throw unusable(`Its ${keyword} is no number.`)
    for (const each of [value, limit]) if (isRawNumber(each)) sourceOf(each as RawNumber, work)
    return compareNumbers(value, limit as number | RawNumber)
  }
  const from = order("minimum")
  if (from === null || from === -1 || (from === 0 && schema.exclusiveMinimum === true)) wrong.push("minimum")
  const to = order("maximum")
  if (to === null || to === 1 || (to === 0 && schema.exclusiveMaximum === true)) wrong.push("maximum")
  const above = order("exclusiveMinimum")
  if (above !== undefined && above !== 1) wrong.push("exclusiveMinimum")
  const below = order("exclusiveMaximum")
  if (below !== undefined && below !== -1) wrong.push("exclusiveMaximum")
  const step = numberOf(schema, "multipleOf")
  if (step !== undefined) {
    spend(work, stepsOfDivision)
    if (!isMultiple(value, step)) wrong.push("multipleOf")
  }
  return wrong
}

/** Of numbers with up to some hundreds of digits. */
const stepsOfDivision = 16

/** Of decimal numbers, as they are written: 0.3 is a multiple of 0.1. */
function isMultiple(value: number | RawNumber, step: number): boolean {
  if (typeof value !== "number" || !Number.isFinite(value) || step <= 0) return false
  const [digits, exponent] = decimal(value)
  const [stepDigits, stepExponent] = decimal(step)
  const shift = exponent - stepExponent
  const scaled = digits * 10n ** BigInt(Math.max(0, shift))
  return scaled % (stepDigits * 10n ** BigInt(Math.max(0, -shift))) === 0n
}

function decimal(value: number): readonly [bigint, number] {
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toString().split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
