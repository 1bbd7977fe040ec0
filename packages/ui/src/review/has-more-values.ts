import { isObject, type JsonValue } from "@byleave/core"

/** Whether a value holds more than `most` others, at any depth. Looks at no more of them than it needs to tell. */
export function hasMoreValues(value: JsonValue, most: number): boolean {
  const open: JsonValue[] = [value]
  let count = -1
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count += 1
    const inner = Array.isArray(next) ? next : isObject(next) ? Object.values(next) : []
    if (count + open.length + inner.length > most) return true
    for (const each of inner) open.push(each)
  }
  return false
}
