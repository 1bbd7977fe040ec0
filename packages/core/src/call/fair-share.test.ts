import fc from "fast-check"
import { expect, it } from "vitest"
import { isFairShare } from "./fair-share.ts"

/** As much as each of so many takes, one piece after the other in turn, until nobody may have more. */
function taken(programs: number, most: number): readonly number[] {
  const own = Array.from({ length: programs }, () => 0)
  for (let isFull = false; !isFull; ) {
    isFull = true
    for (const [at, had] of own.entries()) {
      const all = own.reduce((sum, one) => sum + one, 0)
      if (!isFairShare(had + 1, all + 1, most)) continue
      own[at] = had + 1
      isFull = false
    }
  }
  return own
}

it("lets one alone have all of the limit, and leaves a quarter of it for one that comes then", () => {
  expect(taken(1, 1_000)).toEqual([1_000])
  expect(isFairShare(250, 1_250, 1_000)).toBe(true)
  expect(isFairShare(251, 1_251, 1_000)).toBe(false)
})

it("leaves something for one that comes, and no more than a third above the limit to all", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (programs) => {
      const own = taken(programs, 1_000)
      const all = own.reduce((sum, one) => sum + one, 0)
      expect(all).toBeLessThanOrEqual(1_333)
      expect(Math.max(...own) - Math.min(...own)).toBeLessThanOrEqual(1)
      expect(isFairShare(1, all + 1, 1_000)).toBe(true)
    }),
  )
})
