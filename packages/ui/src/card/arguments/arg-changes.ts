import { canonicalJson, isObject, type JsonObject, type JsonValue, memberAt, pointerTo } from "@byleave/core"

/** One difference between two sets of arguments. An absent side is one where nothing stands at that place. */
export type ArgChange = { readonly path: string; readonly before?: JsonValue; readonly after?: JsonValue }

/** Every difference, in the order of names. */
export function argChanges(before: JsonObject, after: JsonObject): readonly ArgChange[] {
  return ofMembers(before, after, "")
}

type Side = JsonValue | undefined

function ofValues(before: Side, after: Side, path: string): readonly ArgChange[] {
  if (isObject(before) && isObject(after)) return ofMembers(before, after, path)
  if (isSame(before, after)) return []
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }]
}

function ofMembers(before: JsonObject, after: JsonObject, path: string): readonly ArgChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name) => ofValues(memberAt(before, name), memberAt(after, name), pointerTo(path, name)))
}

function isSame(before: Side, after: Side): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}

/**
 * A JSON pointer into `value` as people read places: `/edits/0/newText` as `edits → 1 → newText`. Elements of lists are counted from one; a
 * name stays as it is, in quotes where it could be taken for another place.
 */
export function placeWords(pointer: string, value: JsonValue): string {
  if (pointer === "") return "everything"
  let at: Side = value
  const steps = pointer.slice(1).split("/").map(unescaped)
  return steps
    .map((name) => {
      const words = Array.isArray(at) ? `${Number(name) + 1}` : nameWords(name)
      at = stepInto(at, name)
      return words
    })
    .join(" → ")
}

function unescaped(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~")
}

function stepInto(value: Side, name: string): Side {
  if (Array.isArray(value)) return (value as readonly JsonValue[])[Number(name)]
  return isObject(value) ? memberAt(value, name) : undefined
}

/** A number, several names, a name in quotes already, or words of ours in place of a name. */
const otherPlace = /^$|^\d+$|→|^"|^everything$|^also sent|^not sent/

function nameWords(name: string): string {
  return otherPlace.test(name) ? JSON.stringify(name) : name
}
