import type { RawNumber } from "../../call/json/json.ts"

type Order = -1 | 0 | 1

/** Which of two numbers is greater, as they were written and not as doubles would round them; null when an exponent is absurd. */
export function compareNumbers(a: number | RawNumber, b: number | RawNumber): Order | null {
  if (typeof a === "number" && typeof b === "number") return orderOf(a, b)
  const left = decimal(typeof a === "number" ? String(a) : a.rawJSON)
  const right = decimal(typeof b === "number" ? String(b) : b.rawJSON)
  if (left === null || right === null) return null
  if (left.sign !== right.sign) return left.sign < right.sign ? -1 : 1
  const size = compareSizes(left, right)
  return size === 0 ? 0 : size === left.sign ? 1 : -1
}

/** The same as they were written, and as doubles, which is how most programs read them; null as above. */
export function numberOrders(a: number | RawNumber, b: number | RawNumber): readonly Order[] | null {
  const written = compareNumbers(a, b)
  return written === null ? null : [written, orderOf(asDouble(a), asDouble(b))]
}

function orderOf(a: number, b: number): Order {
  return a < b ? -1 : a > b ? 1 : 0
}

function asDouble(value: number | RawNumber): number {
  return typeof value === "number" ? value : Number(value.rawJSON)
}

/** sign × 0.digits × 10^exponent; digits neither begin nor end with a zero. */
type Decimal = { readonly sign: -1 | 0 | 1; readonly digits: string; readonly exponent: number }

function compareSizes(a: Decimal, b: Decimal): Order {
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -1 : 1
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1
}

function decimal(source: string): Decimal | null {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source)
  if (parts === null) return null
  const whole = parts[2] as string
  const digits = whole + (parts[3] ?? "")
  let first = 0
  while (digits[first] === "0") first += 1
  if (first === digits.length) return { sign: 0, digits: "", exponent: 0 }
  let end = digits.length
  while (digits[end - 1] === "0") end -= 1
  const exponent = Number(parts[4] ?? 0) + whole.length - first
  if (!Number.isSafeInteger(exponent)) return null
  return { sign: parts[1] === "-" ? -1 : 1, digits: digits.slice(first, end), exponent }
}
