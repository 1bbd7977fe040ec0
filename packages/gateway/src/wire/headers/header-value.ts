/** Values in headers of the modern era: plain where HTTP can carry them, else base64 of UTF-8 between marks. */
import { trimBlanks } from "./trim-blanks.ts"

const opening = "=?base64?"
const closing = "?="
const canonicalBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const plainValue = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

export function encodeHeaderValue(value: string): string {
  if (plainValue.test(value) && !isMarked(value)) return value
  const bytes = new TextEncoder().encode(value)
  return `${opening}${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}${closing}`
}

/** Undefined where the marks are there and what they hold is not base64 of UTF-8. */
export function decodeHeaderValue(header: string): string | undefined {
  const value = trimBlanks(header)
  if (!isMarked(value)) return value
  const base64 = value.slice(opening.length, value.length - closing.length)
  if (!canonicalBase64.test(base64)) return undefined
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isMarked(value: string): boolean {
  return value.length >= opening.length + closing.length && value.startsWith(opening) && value.endsWith(closing)
}
