import { expect, it } from "vitest"
import { hasMoreValues } from "./has-more-values.ts"

it.each([
  [{}, 0, false],
  [{ a: 1, b: null }, 2, false],
  [{ a: 1, b: null }, 1, true],
  [{ a: [1, { b: [2, 3] }] }, 5, true],
  [{ a: [1, { b: [2, 3] }] }, 6, false],
])("%j holds more than %i values: %s", (value, most, isMore) => {
  expect(hasMoreValues(value, most)).toBe(isMore)
})
