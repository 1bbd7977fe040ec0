/**
 * Conditions in words, and close to how they are written.
 *
 * I1. Agents choose the names of arguments and much of what they are compared with: none can pass for words of ours. A name that is not plain
 *     letters, and every text that something is compared with, stands in quotes that nothing in it ends.
 * I2. A long value is shown by its beginning and its length.
 */
import { assertNever } from "../../call/assert-never.ts"
import type { JsonValue } from "../../call/json/json.ts"
import { quoted, shownJson } from "../../call/text/quoted.ts"
import { maskSecrets, secretMask } from "../risks/mask-secrets.ts"
import { isSecretKey } from "../risks/secret-key.ts"
import type { Condition } from "../rules/rule.ts"
import { anyArgument, keySegments } from "./argument-key.ts"

/** ` when path under "/x" and mode equals "a"`, close to how it is written; nothing without conditions. */
export function conditionText(when: readonly Condition[]): string {
  return when.length === 0 ? "" : ` when ${when.map((condition) => oneText(condition)).join(" and ")}`
}

/** ` when path is under "/x"`, for reading aloud. */
export function conditionWords(when: readonly Condition[]): string {
  return when.length === 0 ? "" : ` when ${when.map((condition) => oneInWords(condition)).join(" and ")}`
}

/** The dotted key of an argument within a sentence: `env."LANG and more"`. */
export function keyWords(key: string): string {
  return keySegments(key).map(segmentWords).join(".")
}

function segmentWords(name: string): string {
  return /^[\w-]+$/.test(name) && name !== nothing ? name : whole(name)
}

function whole(text: string): string {
  return quoted(text, Number.POSITIVE_INFINITY)
}

function oneText(condition: Condition): string {
  const { key, op } = condition
  const isAny = key === anyArgument && (op === "sensitive" || op === "only")
  return `${isAny ? key : keyWords(key)} ${op} ${operand(condition)}`
}

function oneInWords(condition: Condition): string {
  if (condition.op === "sensitive") return sensitiveWords(condition.key, condition.value)
  if (condition.op === "only") return onlyWords(condition.key, condition.names)
  return `${keyWords(condition.key)} ${verbs[condition.op]} ${operand(condition)}`
}

function sensitiveWords(key: string, isSensitive: boolean): string {
  if (key !== anyArgument) return `${keyWords(key)} ${isSensitive ? "looks" : "does not look"} sensitive`
  return isSensitive ? "an argument looks sensitive" : "no argument looks sensitive"
}

function onlyWords(key: string, names: readonly string[]): string {
  if (key === anyArgument)
    return names.length === 0 ? "no arguments are given" : `no arguments but ${nameList(names)} are given`
  return names.length === 0
    ? `${keyWords(key)} has nothing in it`
    : `${keyWords(key)} has nothing but ${nameList(names)}`
}

const nothing = "nothing"

/** Here, `options.*` stands for whatever is in `options`. */
function nameList(names: readonly string[]): string {
  const words = (name: string): string => (name === anyArgument ? name : segmentWords(name))
  return names.length === 0 ? nothing : names.map((name) => keySegments(name).map(words).join(".")).join(", ")
}

const verbs = {
  equals: "is",
  oneOf: "is one of",
  glob: "matches",
  under: "is under",
  directlyIn: "is directly in",
  file: "is the file",
  host: "is on the host",
  atMost: "is at most",
  atLeast: "is at least",
} as const satisfies Record<Exclude<Condition["op"], "sensitive" | "only">, string>

/** Rules and permissions are told to agents and kept in records, so what they compare a secret with is not spelled out. */
function operand(condition: Condition): string {
  const isSecret = keySegments(condition.key).some(isSecretKey)
  const shown = (text: string): string => (isSecret && text !== "" ? secretMask(text.length) : whole(text))
  switch (condition.op) {
    case "equals":
      return valueText(condition.value, isSecret)
    case "oneOf":
      return condition.values.map((value) => valueText(value, isSecret)).join(", ")
    case "glob":
      return valueText(condition.pattern, isSecret)
    case "under":
      return shown(condition.folder)
    case "directlyIn":
      return condition.folders.map(shown).join(" or ")
    case "file":
      return shown(condition.path)
    case "host":
      return condition.patterns.map(shown).join(" or ")
    case "sensitive":
      return String(condition.value)
    case "only":
      return nameList(condition.names)
    case "atMost":
    case "atLeast":
      return isSecret ? secretMask(String(condition.value).length) : String(condition.value)
    default:
      return assertNever(condition)
  }
}

/** As long as a rule that Byleave proposes itself may be. */
const longestShown = 300

function valueText(value: JsonValue, isSecret: boolean): string {
  const masked = maskSecrets(value, isSecret)
  if (typeof masked === "string" && masked !== value) return masked
  const text = typeof masked === "string" ? masked : JSON.stringify(masked)
  if (text.length > longestShown) return `${quoted(text, longestShown)} (${text.length} characters)`
  return shownJson(masked)
}
