import type { RawNumber } from "./json.ts"
import { type Cursor, fail, onItsOwn, unexpected } from "./json-cursor.ts"
import { numberFrom } from "./raw-number.ts"

/** The number at the cursor, which is where any other value would have been noticed. */
export function readNumber(cursor: Cursor): number | RawNumber | undefined {
  const { text, at: start } = cursor
  const firstDigit = text.charCodeAt(start) === 0x2d ? start + 1 : start
  let at = skipDigits(text, firstDigit)
  if (at === firstDigit) return noValue(cursor)
  if (text.charCodeAt(firstDigit) === 0x30 && at > firstDigit + 1) {
    cursor.at = firstDigit
    return fail(cursor, "syntax", "A number starts with a zero that does not belong there. Send it without.")
  }
  const wholeEnd = at
  if (text.charCodeAt(at) === 0x2e) {
    at = skipDigits(text, wholeEnd + 1)
    if (at === wholeEnd + 1) return stopAt(cursor, at)
  }
  const mantissaEnd = at
  if ((text.charCodeAt(at) | 0x20) === 0x65) {
    const sign = text.charCodeAt(at + 1)
    const exponent = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1
    at = skipDigits(text, exponent)
    if (at === exponent) return stopAt(cursor, at)
  }
  cursor.at = at
  const source = text.slice(start, at)
  // Fifteen digits always survive a double.
  return at === mantissaEnd && at - start <= 15 ? Number(source) : numberFrom(onItsOwn(cursor, source))
}

function skipDigits(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (!(code >= 0x30 && code <= 0x39)) return at
    at++
  }
}

function stopAt(cursor: Cursor, at: number): undefined {
  cursor.at = at
  return unexpected(cursor, "a digit")
}

function noValue(cursor: Cursor): undefined {
  const word = /^-?(?:NaN|Infinity)/.exec(cursor.text.slice(cursor.at, cursor.at + 9))
  if (word === null) return unexpected(cursor, "a value")
  return fail(cursor, "syntax", `JSON has no ${word[0]}. Send null, or a number.`)
}
