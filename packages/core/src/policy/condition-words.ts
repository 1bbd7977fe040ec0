import { showText } from "../call/show-text.ts"
import type { Condition } from "./rule.ts"

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
  return `${showText(condition.key)} ${verbs[condition.op]} ${operand(condition)}`
}

const verbs = {
  equals: "is",
  oneOf: "is one of",
  glob: "matches",
  under: "is under",
  host: "is on the host",
  atMost: "is at most",
  atLeast: "is at least",
} as const satisfies Record<Condition["op"], string>

function operand(condition: Condition): string {
  switch (condition.op) {
    case "equals":
      return showText(JSON.stringify(condition.value))
    case "oneOf":
      return condition.values.map((value) => showText(JSON.stringify(value))).join(", ")
    case "glob":
      return showText(JSON.stringify(condition.pattern))
    case "under":
      return showText(condition.folder)
    case "host":
      return condition.patterns.map(showText).join(" or ")
    case "atMost":
    case "atLeast":
      return String(condition.value)
    default:
      return assertNever(condition)
  }
}

function assertNever(value: never): never {
  throw new Error(`unexpected condition ${JSON.stringify(value)}`)
}
