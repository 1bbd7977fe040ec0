import { pointerToken } from "./json-pointer.ts"
import type { JsonProblem, JsonProblemCode } from "./json-problem.ts"

/**
 * Where reading stands. Every function that reads gives `undefined` once there is a problem; on the way back each object and
 * array puts its own step in front of `path`, so that text without problems pays nothing for it.
 */
export type Cursor = {
  readonly text: string
  at: number
  readonly depth: number
  readonly values: number
  /** How many of those values may still come. */
  left: number
  problem: Omit<JsonProblem, "path"> | undefined
  path: string
}

export function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    cursor.at++
  }
}

/** Skips space, and the character that is looked for if it comes next. */
export function nextIs(cursor: Cursor, code: number): boolean {
  skipSpace(cursor)
  if (cursor.text.charCodeAt(cursor.at) !== code) return false
  cursor.at++
  return true
}

export function fail(cursor: Cursor, code: JsonProblemCode, message: string): undefined {
  cursor.problem = { code, message, offset: cursor.at }
}

/** Up to this length a text may stay in memory for as long as a part of it does. */
const sharedText = 4 * 1024

/**
 * A part of the text that may be kept without it. Engines keep a part as a view of the whole text, so that a name that is remembered would keep the megabytes it
 * came in; what is put together first is copied.
 */
export function onItsOwn({ text }: Cursor, part: string): string {
  return text.length > sharedText ? ` ${part}`.slice(1) : part
}

/** The problem is in this member or element. */
export function within(cursor: Cursor, key: string | number): undefined {
  cursor.path = `/${pointerToken(key)}${cursor.path}`
}

export function unexpected(cursor: Cursor, expected: string): undefined {
  const found = cursor.text.codePointAt(cursor.at)
  const what = found === undefined ? "the text ends" : `there is ${nameOf(found)}`
  fail(
    cursor,
    "syntax",
    `The text is not JSON: ${expected} belongs at offset ${cursor.at}, but ${what}. Send valid JSON.`,
  )
}

export function tooDeep(cursor: Cursor): undefined {
  const message = `Objects and arrays are nested more than ${cursor.depth} deep. Send something flatter.`
  return fail(cursor, "too-deep", message)
}

export function tooMany(cursor: Cursor): undefined {
  const message = `The JSON has more than ${cursor.values} values, the most that are read; names of very large objects count several times. Send fewer, for example the data as one text.`
  return fail(cursor, "too-many-values", message)
}

function nameOf(codePoint: number): string {
  if (codePoint > 0x20 && codePoint < 0x7f) return `"${String.fromCodePoint(codePoint)}"`
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`
}
