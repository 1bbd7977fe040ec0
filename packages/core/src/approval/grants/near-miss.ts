import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { pointerTo } from "../../call/json/json-pointer.ts"
import { isObject, memberAt } from "../../call/json/members.ts"
import type { Approval } from "../approval.ts"

/** One difference between two calls' arguments. An absent side is one where nothing stands at that path. */
export type ArgDifference = {
  /** A JSON pointer. */
  readonly path: string
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** How a call differs from one of the same tool that was approved, in what was approved; null when that is no longer kept. */
export function nearMiss(approved: Approval, args: JsonObject): readonly ArgDifference[] | null {
  const before = approved.editedArgs ?? approved.args
  return before === null ? null : differences(before, args, "")
}

type Side = JsonValue | undefined

function differences(before: Side, after: Side, path: string): readonly ArgDifference[] {
  if (isObject(before) && isObject(after)) return ofMembers(before, after, path)
  if (isList(before) && isList(after)) return ofLists(before, after, path)
  if (isSame(before, after)) return []
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }]
}

function ofMembers(before: JsonObject, after: JsonObject, path: string): readonly ArgDifference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return keys.flatMap((key) => differences(memberAt(before, key), memberAt(after, key), pointerTo(path, key)))
}

function ofLists(before: readonly JsonValue[], after: readonly JsonValue[], path: string): readonly ArgDifference[] {
  const places = Array.from({ length: Math.max(before.length, after.length) }, (_, place) => place)
  return places.flatMap((place) => differences(before[place], after[place], pointerTo(path, place)))
}

function isList(value: Side): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function isSame(before: Side, after: Side): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}
