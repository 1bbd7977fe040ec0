import { expect, it } from "vitest"
import { backoffMs } from "./backoff.ts"

it("waits longer each time, up to an end, and never the same for all pages", () => {
  expect([1, 2, 3, 4].map((attempt) => backoffMs(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000])
  expect(backoffMs(30, 1)).toBe(20_000)
  expect(backoffMs(3, 0)).toBe(1_000)
})
