/**
 * Conditions in words, and close to how they are written.
 *
 * I1. Agents choose the names of arguments and much of what they are compared with: none can pass for words of ours. A name that is not plain
 *     letters, and every text that something is compared with, stands in quotes that nothing in it ends.
 * I2. What can match more than one value is spelled out whole: a pattern, a folder, a host, a bound. No mask and no cut makes a rule look narrower
 *     than it is.
 * I3. An exact value under a secret's name is masked, since rules are told to agents and kept in records. Whoever accepts the rule gets it by
 *     `hiddenOperands`, or words that are whole.
 */
import { assertNever } from "../../call/assert-never.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { quoted, shownJson } from "../../call/text/quoted.ts"
import { maskSecrets } from "../risks/mask-secrets.ts"
import { isSecretKey } from "../risks/secret-key.ts"
import type { Condition } from "../rules/rule.ts"
import { anyArgument, keySegments } from "./argument-key.ts"
import { literalOf } from "./glob.ts"

/** ` when path under "/x" and mode equals "a"`, close to how it is written; nothing without conditions. */
export function conditionText(when: readonly Condition[], isWhole = false): string {
  return when.length === 0 ? "" : ` when ${when.map((condition) => oneText(condition, isWhole)).join(" and ")}`
}

/** ` when path is under "/x"`, for reading aloud. */
export function conditionWords(when: readonly Condition[], isWhole = false): string {
  return when.length === 0 ? "" : ` when ${when.map((condition) => oneInWords(condition, isWhole)).join(" and ")}`
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

function oneText(condition: Condition, isWhole: boolean): string {
  const { key, op } = condition
  const isAny = key === anyArgument && (op === "sensitive" || op === "only")
  return `${isAny ? key : keyWords(key)} ${op} ${operand(condition, isWhole)}`
}

function oneInWords(condition: Condition, isWhole: boolean): string {
  if (condition.op === "sensitive") return sensitiveWords(condition.key, condition.value)
  if (condition.op === "only") return onlyWords(condition.key, condition.names)
  return `${keyWords(condition.key)} ${verbs[condition.op]} ${operand(condition, isWhole)}`
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

function operand(condition: Condition, isWhole: boolean): string {
  const exactText = (value: JsonValue) => exactWords(value, isSecret(condition), isWhole)
  switch (condition.op) {
    case "equals":
    case "glob":
      return exactText(exactValue(condition))
    case "oneOf":
      return condition.values.map(exactText).join(", ")
    case "under":
      return whole(condition.folder)
    case "directlyIn":
      return condition.folders.map(whole).join(" or ")
    case "file":
      return whole(condition.path)
    case "host":
      return condition.patterns.map(whole).join(" or ")
    case "sensitive":
    case "atMost":
    case "atLeast":
      return String(condition.value)
    case "only":
      return nameList(condition.names)
    default:
      return assertNever(condition)
  }
}

function exactWords(value: JsonValue, isSecret: boolean, isWhole: boolean): string {
  const masked = isWhole ? value : maskSecrets(value, isSecret)
  return typeof masked === "string" && masked !== value ? masked : shownJson(masked)
}

function isSecret(condition: Condition): boolean {
  const isNamedSo = keySegments(condition.key).some(isSecretKey)
  return isNamedSo && (condition.op !== "glob" || literalOf(condition.pattern) !== null)
}

/** The exact values that are masked in the words of conditions, each under the names it is compared with: `{ env: { TOKEN: "x" } }`. */
export function hiddenOperands(when: readonly Condition[]): readonly JsonObject[] {
  return when.flatMap((condition) => {
    const value = exactValue(condition)
    const isHidden = JSON.stringify(maskSecrets(value, isSecret(condition))) !== JSON.stringify(value)
    return isHidden ? [underNames(keySegments(condition.key), value)] : []
  })
}

/** Of `oneOf`, all of them. */
function exactValue(condition: Condition): JsonValue {
  if (condition.op === "equals") return condition.value
  if (condition.op === "oneOf") return condition.values
  return condition.op === "glob" ? condition.pattern : null
}

/** `fromEntries` makes own members of them all, also of one called `__proto__`. */
function underNames(names: readonly string[], value: JsonValue): JsonObject {
  return names.reduceRight((inner, name) => Object.fromEntries([[name, inner]]), value) as JsonObject
}
