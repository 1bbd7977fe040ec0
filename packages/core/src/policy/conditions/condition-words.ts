import { assertNever } from "../../call/assert-never.ts"
import type { JsonValue } from "../../call/json/json.ts"
import { showText } from "../../call/text/show-text.ts"
import { maskSecrets, secretMask } from "../risks/mask-secrets.ts"
import { isSecretKey } from "../risks/secret-key.ts"
import type { Condition } from "../rules/rule.ts"
import { anyArgument, keySegments } from "./argument-key.ts"

/** ` when path under /x and mode equals "a"`, close to how it is written; nothing without conditions. */
export function conditionText(when: readonly Condition[]): string {
  return when.length === 0 ? "" : ` when ${when.map((condition) => oneText(condition)).join(" and ")}`
}

/** ` when path is under /x`, for reading aloud. */
export function conditionWords(when: readonly Condition[]): string {
  return when.length === 0 ? "" : ` when ${when.map((condition) => oneInWords(condition)).join(" and ")}`
}

function oneText(condition: Condition): string {
  return `${showText(condition.key)} ${condition.op} ${operand(condition)}`
}

function oneInWords(condition: Condition): string {
  if (condition.op === "sensitive") return sensitiveWords(condition.key, condition.value)
  if (condition.op === "only") return onlyWords(condition.key, operand(condition))
  return `${showText(condition.key)} ${verbs[condition.op]} ${operand(condition)}`
}

function sensitiveWords(key: string, isSensitive: boolean): string {
  if (key !== anyArgument) return `${showText(key)} ${isSensitive ? "looks" : "does not look"} sensitive`
  return isSensitive ? "an argument looks sensitive" : "no argument looks sensitive"
}

function onlyWords(key: string, names: string): string {
  return key === anyArgument ? `no arguments but ${names} are given` : `${showText(key)} has nothing but ${names}`
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
  const shown = (text: string): string => (isSecret && text !== "" ? secretMask(text.length) : showText(text))
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
      return condition.names.length === 0 ? "none" : condition.names.map((name) => showText(name)).join(", ")
    case "atMost":
    case "atLeast":
      return shown(String(condition.value))
    default:
      return assertNever(condition)
  }
}

function valueText(value: JsonValue, isSecret: boolean): string {
  const masked = maskSecrets(value, isSecret)
  return typeof masked === "string" && masked !== value ? masked : showText(JSON.stringify(masked))
}
