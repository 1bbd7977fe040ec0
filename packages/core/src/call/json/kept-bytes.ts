import { utf8Length } from "../text/utf8-length.ts"

/** About what a value takes in memory beside its text: an empty list is two letters, and an object all the same. */
export const bytesPerValue = 60

/** The bytes that JSON counts for where it is kept and read again as values: those of its text, and of its values. */
export function keptBytes(json: string): number {
  return utf8Length(json) + bytesPerValue * valuesIn(json)
}

/** How many values JSON has, keys not counted, by its text alone. An object or a list with nothing but space in it may count as two. */
export function valuesIn(json: string): number {
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 0x22) at = endOfString(json, at)
    else if (code === 0x2c) values++
    else if (code === 0x5b || code === 0x7b) {
      // "]" and "}" come two after their beginnings.
      if (json.charCodeAt(at + 1) !== code + 2) values++
    }
  }
  return values
}

function endOfString(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json.charCodeAt(at - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return at
  }
  return json.length
}
