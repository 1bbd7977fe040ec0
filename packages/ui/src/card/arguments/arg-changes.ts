import { canonicalJson, isRawNumber, type JsonObject, type JsonValue, pointerTo } from "@byleave/core"

/** One difference between two sets of arguments. An absent side is one where nothing stands at that place. */
export type ArgChange = { readonly path: string; readonly before?: JsonValue; readonly after?: JsonValue }

/** Every difference, in the order of names. */
export function argChanges(before: JsonObject, after: JsonObject): readonly ArgChange[] {
  return ofMembers(before, after, "")
}

type Side = JsonValue | undefined

function ofValues(before: Side, after: Side, path: string): readonly ArgChange[] {
  if (isMembers(before) && isMembers(after)) return ofMembers(before, after, path)
  if (isSame(before, after)) return []
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }]
}

function ofMembers(before: JsonObject, after: JsonObject, path: string): readonly ArgChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name) => ofValues(memberOf(before, name), memberOf(after, name), pointerTo(path, name)))
}

function memberOf(object: JsonObject, name: string): Side {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isMembers(value: Side): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

function isSame(before: Side, after: Side): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}

/** A JSON pointer as people read places: `/edits/0/newText` as `edits → 1 → newText`. */
export function placeWords(pointer: string): string {
  if (pointer === "") return "everything"
  return pointer
    .slice(1)
    .split("/")
    .map((part) => (/^\d+$/.test(part) ? `${Number(part) + 1}` : part.replaceAll("~1", "/").replaceAll("~0", "~")))
    .join(" → ")
}
