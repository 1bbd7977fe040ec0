import { isObject, type JsonValue, memberAt } from "@byleave/core"

/** Where two values differ first, in words; null: nowhere. */
export function firstDifference(was: JsonValue | undefined, is: JsonValue | undefined, at = ""): string | null {
  if (Array.isArray(was) && Array.isArray(is)) {
    const length = Math.max(was.length, is.length)
    for (let index = 0; index < length; index++) {
      const found = firstDifference(was[index], is[index], `${at}[${index}]`)
      if (found !== null) return found
    }
    return null
  }
  if (isObject(was) && isObject(is)) {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const found = firstDifference(memberAt(was, name), memberAt(is, name), at === "" ? name : `${at}.${name}`)
      if (found !== null) return found
    }
    return null
  }
  if (JSON.stringify(was) === JSON.stringify(is)) return null
  return `${at === "" ? "It" : at} is ${inWords(is)}, and was ${inWords(was)}.`
}

const longest = 200

function inWords(value: JsonValue | undefined): string {
  if (value === undefined) return "missing"
  const text = JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
