/**
 * JSON Schema (2020-12, and what is left of earlier drafts in it) for schemas that servers wrote: a value is held against them within counted
 * steps, without `eval` and without the engine's regular expressions.
 *
 * I1. No schema and no value takes more than the allowed work: what would is not judged, and throws a `SchemaError`.
 * I2. What fits has no problems; what cannot be judged never counts as fitting.
 */

import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { isObject, memberAt } from "../call/json/members.ts"
import { checkList } from "./check-list.ts"
import { checkObject } from "./check-object.ts"
import { checkScalar } from "./check-scalar.ts"
import {
  type Check,
  type Checking,
  type KeywordCheck,
  kindsOf,
  listOf,
  newSeen,
  report,
  type SchemaProblem,
  type Seen,
} from "./checking.ts"
import { prepareSchema, referredTo } from "./prepare-schema.ts"
import { wordsFor } from "./problem-words.ts"
import { spend, unusable } from "./work.ts"

/** Steps for one value: some hundredths of a second. A part of a schema is worth as many as it takes the time of. */
const mostWork = 1_000_000
const stepsOfPart = 16
const deepest = 400

/** Holds values against a schema. Both throw a `SchemaError` that says why something cannot be judged. */
export function createSchemaCheck(schema: JsonObject): (value: JsonValue) => readonly SchemaProblem[] {
  const prepared = prepareSchema(schema)
  return (value) => {
    const problems: SchemaProblem[] = []
    const checking = { check, prepared, work: { left: mostWork }, problems, quiet: false, depth: 0 }
    check(schema, value, null, checking, null)
    return problems
  }
}

/** Each part sees what it and the parts within it looked at, and none of the parts beside it; the part around it sees all of that. */
const check: Check = (schema, value, place, checking, seen) => {
  spend(checking.work, stepsOfPart)
  const inner = newSeen(checking.prepared)
  const fits = checkPart(schema, value, place, checking, inner)
  // What does not fit has looked at nothing. Where nothing is merely tried, the whole does not fit, whatever else is told of it.
  if (fits || !checking.quiet) unite(seen, inner, checking)
  return fits
}

const checkPart: Check = (schema, value, place, outer, seen) => {
  if (schema === true) return true
  if (schema === false) return report(outer, place, "false", () => wordsFor("false", false))
  if (!isObject(schema)) throw unusable("A part of it is neither an object nor true or false.")
  if (outer.depth > deepest) throw unusable("It leads too deep, or round in a circle.")
  const kinds = kindsOf(schema, outer.prepared)
  const checking = { ...outer, depth: outer.depth + 1 }
  let fits = checkScalar(kinds, schema, value, place, checking)
  if (kinds.references) fits = checkReferences(schema, value, place, checking, seen) && fits
  if (kinds.forms) fits = checkForms(schema, value, place, checking, seen) && fits
  if (kinds.branches) fits = checkBranches(schema, value, place, checking, seen) && fits
  if (Array.isArray(value)) return checkList(schema, value, place, checking, seen) && fits
  return kinds.objects && isObject(value) ? checkObject(schema, value, place, checking, seen) && fits : fits
}

const references = ["$ref", "$dynamicRef", "$recursiveRef"]

const checkReferences: KeywordCheck = (schema, value, place, checking, seen) => {
  let fits = true
  for (const keyword of references) {
    const reference = memberAt(schema, keyword)
    if (reference === undefined) continue
    fits = check(referredTo(checking.prepared, reference), value, place, checking, seen) && fits
  }
  return fits
}

/** Tries a form without telling what is wrong with it. */
const tries: Check = (schema, value, place, checking, seen) =>
  check(schema, value, place, { ...checking, quiet: true }, seen)

function unite(seen: Seen, inner: Seen, { work }: Checking): void {
  if (seen === null || inner === null) return
  spend(work, inner.keys.size + inner.entries.size)
  for (const key of inner.keys) seen.keys.add(key)
  for (const entry of inner.entries) seen.entries.add(entry)
}

const checkForms: KeywordCheck = (schema, value, place, checking, seen) => {
  let fits = true
  for (const part of listOf(schema, "allOf") ?? []) fits = check(part, value, place, checking, seen) && fits
  const anyOf = listOf(schema, "anyOf")
  // All of them are tried where it matters what they look at.
  if (anyOf !== undefined) {
    const found = checking.prepared.tracks
      ? anyOf.filter((part) => tries(part, value, place, checking, seen)).length > 0
      : anyOf.some((part) => tries(part, value, place, checking, seen))
    if (!found) fits = report(checking, place, "anyOf", () => wordsFor("anyOf", ""))
  }
  const oneOf = listOf(schema, "oneOf")
  if (oneOf !== undefined && oneOf.filter((part) => tries(part, value, place, checking, seen)).length !== 1)
    fits = report(checking, place, "oneOf", () => wordsFor("oneOf", ""))
  const not = memberAt(schema, "not")
  if (not !== undefined && tries(not, value, place, checking, null))
    fits = report(checking, place, "not", () => wordsFor("not", ""))
  return fits
}

const checkBranches: KeywordCheck = (schema, value, place, checking, seen) => {
  const condition = memberAt(schema, "if")
  if (condition === undefined) return true
  const branch = memberAt(schema, tries(condition, value, place, checking, seen) ? "then" : "else")
  return branch === undefined || check(branch, value, place, checking, seen)
}
