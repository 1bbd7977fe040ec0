/**
 * The conditions that keep a suggested yes to the values that were allowed.
 *
 * I1. Of a tool that changes things, every argument has a condition, unless it is named as text for people or files, or as the name of something within
 *     an object, and only ever was text that leads nowhere.
 * I2. Of a read, the same holds, but for numbers and for what it looks for.
 * I3. One call with an odd value takes no condition away: the conditions hold for the other calls, and that one is not covered.
 */
import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonValue } from "../../call/json/json.ts"
import { namesProse } from "../risks/argument-kind.ts"
import { argumentShape, type KeyValues } from "../rules/argument-shape.ts"
import { isFreeText } from "../rules/free-text.ts"
import { choiceCondition } from "../rules/kept-as-given.ts"
import type { Condition } from "../rules/rule.ts"
import type { KeptCall } from "./answered-call.ts"

/** A choice among more values is none that a person would write down. */
const mostValues = 8
const longestValue = 64

/** The values of each key in these calls, one entry for each call that has the key. */
function valuesByKey(calls: readonly KeptCall[]): ReadonlyMap<string, readonly KeyValues[]> {
  const byKey = new Map<string, KeyValues[]>()
  for (const { args } of calls) {
    for (const [key, values] of argumentShape(args) ?? []) {
      const known = byKey.get(key)
      if (known === undefined) byKey.set(key, [values])
      else known.push(values)
    }
  }
  return byKey
}

/** The conditions on all arguments but those `except`; null: some argument has values that no rule can hold on to. */
export function valueConditions(
  calls: readonly KeptCall[],
  { except, isRead }: { readonly except: ReadonlySet<string>; readonly isRead: boolean },
): readonly Condition[] | null {
  const conditions: Condition[] = []
  for (const [key, all] of [...valuesByKey(calls)].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (except.has(key)) continue
    const found = conditionsOn(key, all, isRead)
    if (found === null) return null
    conditions.push(...found)
  }
  return conditions
}

function conditionsOn(key: string, all: readonly KeyValues[], isRead: boolean): readonly Condition[] | null {
  const [kind, ...others] = new Set(all.map((one) => one.kind))
  if (kind === undefined || others.length > 0) return null
  switch (kind) {
    case "null":
      return [{ key, op: "equals", value: null }]
    case "[]":
      return [{ key, op: "equals", value: [] }]
    case "{}":
      return [{ key, op: "equals", value: {} }]
    case "number":
      return isRead ? [] : boundsOf(key, all)
    case "text": {
      const values = all.flatMap((one) => one.values)
      return isFreeText(key, values, isRead) ? [] : listed(repeatedChoice(key, all))
    }
    case "switch":
      return listed(repeatedChoice(key, all))
    case "mixed":
      return null
  }
}

function listed(condition: Condition | null): readonly Condition[] | null {
  return condition === null ? null : [condition]
}

/** No more than was allowed, and nothing below zero that was not. */
function boundsOf(key: string, all: readonly KeyValues[]): readonly Condition[] | null {
  const values = all.flatMap((one) => one.values).filter((value) => typeof value === "number")
  if (values.length === 0) return null
  const [least, most] = [Math.min(0, ...values), Math.max(...values)]
  return [
    { key, op: "atLeast", value: least },
    { key, op: "atMost", value: most },
  ]
}

/** Keys with values that more than one of these calls has, each with the condition that it is one of them. */
export function repeatedChoices(calls: readonly KeptCall[]): readonly Condition[] {
  return [...valuesByKey(calls)].flatMap(([key, all]) => (namesProse(key) ? [] : (repeatedChoice(key, all) ?? [])))
}

/** One of the values that more than one call has, of many the most frequent; null: none is chosen again. */
function repeatedChoice(key: string, all: readonly KeyValues[]): Condition | null {
  const counts = new Map<string, { readonly value: JsonValue; calls: number }>()
  for (const { values } of all) {
    for (const [text, value] of new Map(values.filter(isChoice).map((one) => [canonicalJson(one), one]))) {
      const known = counts.get(text)
      if (known === undefined) counts.set(text, { value, calls: 1 })
      else known.calls += 1
    }
  }
  const often = [...counts].filter(([, { calls }]) => calls > 1)
  often.sort(([one, { calls }], [other, more]) => more.calls - calls || (one < other ? -1 : 1))
  const values = often.slice(0, mostValues).map(([, { value }]) => value)
  return values.length === 0 ? null : choiceCondition(key, values)
}

function isChoice(value: JsonValue): boolean {
  if (typeof value === "boolean") return true
  return typeof value === "string" && value.length <= longestValue && !/\s/.test(value)
}
