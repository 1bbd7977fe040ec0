import type { RawNumber } from "./json.ts"

// In every engine we support, but not in the ES2023 library types.
const json = JSON as typeof JSON & {
  rawJSON: (source: string) => RawNumber
  isRawJSON: (value: unknown) => boolean
}

export function isRawNumber(value: unknown): value is RawNumber {
  return json.isRawJSON(value)
}

/** The number a JSON number's text stands for; a `RawNumber` where the double would be written as another value. */
export function numberFrom(source: string): number | RawNumber {
  const value = Number(source)
  return survives(value, source) ? value : json.rawJSON(source)
}

// Whether `value`, written again, is the decimal number that `source` says, however that was spelled.
function survives(value: number, source: string): boolean {
  const written = String(value)
  if (written === source) return true
  return Number.isFinite(value) && normalForm(written) === normalForm(source)
}

// One spelling per decimal value; without its sign, which a double never loses. Trimmed by hand: /0+$/ takes quadratic time on a hostile run of zeros.
function normalForm(source: string): string {
  const exponentAt = source.search(/[eE]/)
  const mantissa = source.slice(source.startsWith("-") ? 1 : 0, exponentAt < 0 ? undefined : exponentAt)
  const pointAt = mantissa.indexOf(".")
  const digits = pointAt < 0 ? mantissa : mantissa.slice(0, pointAt) + mantissa.slice(pointAt + 1)
  let start = 0
  while (digits[start] === "0") start++
  if (start === digits.length) return "0"
  let end = digits.length
  while (digits[end - 1] === "0") end--
  const exponent = exponentAt < 0 ? 0 : Number(source.slice(exponentAt + 1))
  const places = pointAt < 0 ? 0 : mantissa.length - pointAt - 1
  return `${digits.slice(start, end)}e${exponent - places + digits.length - end}`
}
