import { type Cursor, fail, onItsOwn, unexpected } from "./json-cursor.ts"

/** The string whose opening quote the cursor is at. */
export function readString(cursor: Cursor): string | undefined {
  const { text } = cursor
  const start = cursor.at + 1
  let at = start
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      cursor.at = at + 1
      return onItsOwn(cursor, text.slice(start, at))
    }
    // Also what charCodeAt gives past the end: NaN is not above anything.
    if (!(code > 0x1f) || code === 0x5c || isSurrogate(code)) return readHardString(cursor, start, at)
    at++
  }
}

// A string that needs more than a slice, from the first character that says so.
function readHardString(cursor: Cursor, start: number, from: number): string | undefined {
  const { text } = cursor
  let done = ""
  let pending = start
  cursor.at = from
  for (;;) {
    const code = text.charCodeAt(cursor.at)
    if (code === 0x22) {
      done += text.slice(pending, cursor.at++)
      return onItsOwn(cursor, done)
    }
    if (code === 0x5c) {
      done += text.slice(pending, cursor.at)
      const character = readEscape(cursor)
      if (character === undefined) return undefined
      done += character
      pending = cursor.at
    } else if (isSurrogate(code)) {
      if (!isPair(code, text.charCodeAt(cursor.at + 1))) return loneSurrogate(cursor)
      cursor.at += 2
    } else if (code > 0x1f) cursor.at++
    else return brokenString(cursor)
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
])

function readEscape(cursor: Cursor): string | undefined {
  const letter = cursor.text.charAt(cursor.at + 1)
  if (letter === "u") return readUnicodeEscape(cursor)
  const character = escapes.get(letter)
  if (character === undefined) {
    return fail(cursor, "syntax", 'A string has a backslash that starts no escape. Write a plain backslash as "\\\\".')
  }
  cursor.at += 2
  return character
}

function readUnicodeEscape(cursor: Cursor): string | undefined {
  const code = hexAt(cursor.text, cursor.at)
  if (code === undefined) return fail(cursor, "syntax", 'A "\\u" in a string needs four hexadecimal digits after it.')
  if (!isSurrogate(code)) {
    cursor.at += 6
    return String.fromCharCode(code)
  }
  const low = hexAt(cursor.text, cursor.at + 6)
  if (low === undefined || !isPair(code, low)) return loneSurrogate(cursor)
  cursor.at += 12
  return String.fromCharCode(code, low)
}

// The code of the \uXXXX at `at`.
function hexAt(text: string, at: number): number | undefined {
  const match = /^\\u([0-9a-fA-F]{4})$/.exec(text.slice(at, at + 6))
  return match?.[1] === undefined ? undefined : Number.parseInt(match[1], 16)
}

function loneSurrogate(cursor: Cursor): undefined {
  const message = "A string has half of a surrogate pair, which no Unicode text can hold. Send the whole character."
  return fail(cursor, "lone-surrogate", message)
}

function brokenString(cursor: Cursor): undefined {
  if (cursor.at >= cursor.text.length) return unexpected(cursor, "the closing quote of a string")
  return fail(
    cursor,
    "syntax",
    'A string has a control character in it. Write it as an escape, such as "\\n" or "\\u0000".',
  )
}

export function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

function isPair(high: number, low: number): boolean {
  return high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
}
