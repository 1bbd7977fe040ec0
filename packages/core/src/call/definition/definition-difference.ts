/**
 * The differences between two definitions of a tool, for the person who is asked to accept the change.
 *
 * I1. There is a difference exactly if the `full` fingerprints differ.
 * I2. There is one that is not only words exactly if the `schema` fingerprints differ.
 * I3. `before` and `after` are what stands at `path` in the two definitions.
 */

import { canonicalJson } from "../json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../json/json.ts"
import { pointerTo } from "../json/json-pointer.ts"
import { isObject, memberAt } from "../json/members.ts"
import { type DefinitionPart, isWords, partOfElement, partOfMember } from "./definition-part.ts"
import type { ToolDefinition } from "./tool-definition.ts"

export type Difference = {
  /** A JSON pointer. A removed part is named by its former place. */
  readonly path: string
  readonly kind: "added" | "removed" | "changed"
  readonly before?: JsonValue
  readonly after?: JsonValue
  /** Words speak to people, hints say what the tool does (`readOnlyHint`), shape is everything else. */
  readonly matters: "words" | "shape" | "hints"
}

/** Every difference, by path in the order of keys; none when the definitions are the same. */
export function definitionDifference(before: ToolDefinition, after: ToolDefinition): readonly Difference[] {
  return differencesOfMembers(before, after, { path: "", part: "definition", matters: "shape" })
}

type Place = { readonly path: string; readonly part: DefinitionPart; readonly matters: Difference["matters"] }
type Side = JsonValue | undefined

function differencesOfMembers(before: JsonObject, after: JsonObject, place: Place): Difference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return keys.flatMap((key) => differencesOfMember(memberAt(before, key), memberAt(after, key), place, key))
}

function differencesOfMember(before: Side, after: Side, { path, part, matters }: Place, key: string): Difference[] {
  const here = { path: pointerTo(path, key), part: partOfMember(part, key), matters }
  const onlyWords = [before, after].every((side) => side === undefined || isWords(part, key, side))
  if (onlyWords) return wholeDifference(before, after, { ...here, matters: "words" })
  if (here.part === "annotations") return differencesOfAnnotations(before, after, { ...here, matters: "hints" })
  const areSets = part === "schema" && sets.has(key) && Array.isArray(before) && Array.isArray(after)
  return areSets ? differencesOfSets(before, after, here) : differencesWithin(before, after, here)
}

function differencesWithin(before: Side, after: Side, place: Place): Difference[] {
  if (isObject(before) && isObject(after)) return differencesOfMembers(before, after, place)
  if (Array.isArray(before) && Array.isArray(after)) return differencesOfLists(before, after, place)
  return wholeDifference(before, after, place)
}

function wholeDifference(before: Side, after: Side, { path, matters }: Place): Difference[] {
  if (before === undefined) return after === undefined ? [] : [{ path, kind: "added", after, matters }]
  if (after === undefined) return [{ path, kind: "removed", before, matters }]
  return isSame(before, after) ? [] : [{ path, kind: "changed", before, after, matters }]
}

function isSame(before: JsonValue, after: JsonValue): boolean {
  return canonicalJson(before) === canonicalJson(after)
}

// Hint by hint, also where one side has no annotations at all; empty ones hint at nothing.
function differencesOfAnnotations(before: Side, after: Side, place: Place): Difference[] {
  const hints = { before: before === undefined ? {} : before, after: after === undefined ? {} : after }
  if (!isObject(hints.before) || !isObject(hints.after)) return wholeDifference(before, after, place)
  const differences = differencesOfMembers(hints.before, hints.after, place)
  return differences.length > 0 ? differences : wholeDifference(before, after, { ...place, matters: "words" })
}

const sets: ReadonlySet<string> = new Set(["enum", "required", "type"])

// The reader wants to know what may be sent now and what must be; order alone is a change of the whole.
function differencesOfSets(before: readonly JsonValue[], after: readonly JsonValue[], place: Place): Difference[] {
  const differences = [
    ...elementsNotIn(after, before, place).flatMap(([element, at]) => wholeDifference(element, undefined, at)),
    ...elementsNotIn(before, after, place).flatMap(([element, at]) => wholeDifference(undefined, element, at)),
  ]
  return differences.length > 0 ? differences : wholeDifference(before, after, place)
}

function elementsNotIn(
  known: readonly JsonValue[],
  list: readonly JsonValue[],
  place: Place,
): ReadonlyArray<readonly [JsonValue, Place]> {
  const texts = new Set(known.map(canonicalJson))
  return list.flatMap((element, at) => (texts.has(canonicalJson(element)) ? [] : [[element, elementAt(place, at)]]))
}

// Equal elements at both ends are set aside, so that one element inserted in front does not make all the others differ.
function differencesOfLists(before: readonly JsonValue[], after: readonly JsonValue[], place: Place): Difference[] {
  const texts = { before: before.map(canonicalJson), after: after.map(canonicalJson) }
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && texts.before[start] === texts.after[start]) start++
  let end = 0
  while (end < shorter - start && texts.before.at(-1 - end) === texts.after.at(-1 - end)) end++
  const old = before.slice(start, before.length - end)
  const young = after.slice(start, after.length - end)
  return Array.from({ length: Math.max(old.length, young.length) }).flatMap((_, at) =>
    differencesWithin(old[at], young[at], elementAt(place, start + at)),
  )
}

function elementAt({ path, part, matters }: Place, at: number): Place {
  return { path: pointerTo(path, at), part: partOfElement(part), matters }
}
