/**
 * A suggested rule together with the rules in force that it makes needless, so that accepting suggestions for weeks leaves few rules.
 *
 * I1. With the folded rule in place of those it replaces, exactly those calls are allowed that they and the suggested rule allow.
 * I2. Only rules of the same shape are replaced: an allow for the same tool, written in the file itself, without a reason of its own.
 */
import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonValue } from "../../call/json/json.ts"
import { keySegments } from "../conditions/argument-key.ts"
import { compileConditions } from "../conditions/condition.ts"
import { isWithin, readFolder } from "../conditions/path.ts"
import { conditionsOf } from "../decide/plan.ts"
import { choiceCondition, guard } from "../rules/kept-as-given.ts"
import type { Condition, Rule } from "../rules/rule.ts"
import { allows, type ToolOf } from "./covers.ts"

export type FoldedConditions = { readonly when: readonly Condition[]; readonly replaces: readonly Rule[] }

type FoldInput = {
  readonly rule: Rule
  /** In force. */
  readonly rules: readonly Rule[]
  readonly tool: ToolOf
  /** Whether an argument holds one text in every known call. In lists, two rules together allow less than one for both. */
  readonly isText: (name: string) => boolean
}

export function foldRules({ rule, rules, tool, isText }: FoldInput): FoldedConditions {
  const alike = rules.filter((one) => isAlike(one, rule) && areFoldersPlain(conditionsOf(one), tool))
  let when = conditionsOf(rule)
  const replaces = new Set<Rule>()
  for (let before = -1; before !== replaces.size; ) {
    before = replaces.size
    for (const one of alike) {
      if (replaces.has(one)) continue
      const both = isImplied(conditionsOf(one), when, tool)
        ? when
        : one.principal === rule.principal
          ? joined(conditionsOf(one), when, tool, isText)
          : null
      if (both === null) continue
      when = both
      replaces.add(one)
    }
  }
  return { when, replaces: alike.filter((one) => replaces.has(one)) }
}

function isAlike(one: Rule, rule: Rule): boolean {
  const { target, access, reason, origin } = one
  if (one.effect !== "allow" || access !== undefined || reason !== undefined || origin.template !== undefined)
    return false
  const isSameTool = canonicalJson({ ...target }) === canonicalJson({ ...rule.target })
  return isSameTool && (rule.principal === undefined || one.principal === rule.principal)
}

/** Whether no folder of a rule looks sensitive by itself. One that a rule names no longer does so to it, wherever it stands in the arguments. */
function areFoldersPlain(when: readonly Condition[], tool: ToolOf): boolean {
  const isPlain = allows([guard], { ...tool, facts: undefined })
  return when
    .flatMap((one) => (one.op === "directlyIn" ? one.folders : one.op === "under" ? [one.folder] : []))
    .every((folder) => isPlain({ args: { path: `${folder}/x` } }))
}

/** Whether each condition of the wider rule holds wherever those of the narrower one do. */
function isImplied(narrow: readonly Condition[], wide: readonly Condition[], tool: ToolOf): boolean {
  return wide.every((condition) => narrow.some((one) => one.key === condition.key && implies(one, condition, tool)))
}

function implies(narrow: Condition, wide: Condition, { context }: ToolOf): boolean {
  if (textOf(narrow) === textOf(wide)) return true
  const [name, ...deeper] = keySegments(wide.key)
  if (narrow.op === "oneOf" || narrow.op === "equals") {
    const judge = compileConditions([wide], "allow", context)
    const isOneValue = name !== undefined && deeper.length === 0 && wide.op !== "sensitive"
    return isOneValue && valuesOf(narrow).every((value) => judge({ [name]: value }) === "holds")
  }
  if (wide.op === "directlyIn" && narrow.op === "directlyIn")
    return narrow.folders.every((folder) => wide.folders.includes(folder))
  if (wide.op === "under" && narrow.op === "directlyIn") return narrow.folders.every((one) => isBelow(one, wide.folder))
  if (wide.op === "under" && narrow.op === "under") return isBelow(narrow.folder, wide.folder)
  if (wide.op === "host" && narrow.op === "host") return narrow.patterns.every((one) => wide.patterns.includes(one))
  if (wide.op === "atLeast" && narrow.op === "atLeast") return narrow.value >= wide.value
  return wide.op === "atMost" && narrow.op === "atMost" && narrow.value <= wide.value
}

function isBelow(folder: string, other: string): boolean {
  const [inner, outer] = [readFolder(folder), readFolder(other)]
  return inner !== null && outer !== null && isWithin(inner, outer, false) === "holds"
}

function textOf({ key, ...rest }: Condition): string {
  return canonicalJson([key, rest as unknown as JsonValue])
}

function valuesOf(condition: Extract<Condition, { readonly op: "equals" | "oneOf" }>): readonly JsonValue[] {
  return condition.op === "equals" ? [condition.value] : condition.values
}

/** The conditions of both, where they differ in one list alone; null: no such conditions say exactly what both do. */
function joined(
  one: readonly Condition[],
  other: readonly Condition[],
  tool: ToolOf,
  isText: (name: string) => boolean,
): readonly Condition[] | null {
  if (one.length !== other.length) return null
  const known = new Set(one.map(textOf))
  const [mine, more] = other.filter((condition) => !known.has(textOf(condition)))
  const theirs = one.filter((condition) => other.every((each) => textOf(each) !== textOf(condition)))
  if (mine === undefined || more !== undefined || theirs[0] === undefined || theirs.length > 1) return null
  const [name, ...deeper] = keySegments(mine.key)
  if (mine.key !== theirs[0].key || name === undefined || deeper.length > 0 || !isText(name)) return null
  const both = joinedCondition(mine, theirs[0], tool)
  return both === null ? null : other.map((condition) => (condition === mine ? both : condition))
}

/** More stands in no list that a person would read. */
const longestList = 20

function joinedCondition(one: Condition, other: Condition, tool: ToolOf): Condition | null {
  const { key } = one
  if (one.op === "directlyIn" && other.op === "directlyIn") {
    const folders = [...new Set([...one.folders, ...other.folders])].sort()
    const both: Condition = { key, op: "directlyIn", folders }
    return folders.length > longestList || !areFoldersPlain([both], tool) ? null : both
  }
  if (one.op === "host" && other.op === "host") {
    const patterns = [...new Set([...one.patterns, ...other.patterns])].sort()
    return patterns.length > longestList ? null : { key, op: "host", patterns }
  }
  if ((one.op !== "equals" && one.op !== "oneOf") || (other.op !== "equals" && other.op !== "oneOf")) return null
  const values = new Map([...valuesOf(one), ...valuesOf(other)].map((value) => [canonicalJson(value), value]))
  const areTexts = [...values.values()].every((value) => typeof value === "string")
  return values.size > longestList || !areTexts ? null : choiceCondition(key, [...values.values()])
}
