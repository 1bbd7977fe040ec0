import fc from "fast-check"
import { expect, it } from "vitest"
import { countTicks } from "./count-ticks.ts"

it.each([
  { most: 0, ticks: [0, 1] },
  { most: 1, ticks: [0, 1] },
  { most: 4, ticks: [0, 1, 2, 3, 4] },
  { most: 5, ticks: [0, 2, 4, 6] },
  { most: 17, ticks: [0, 5, 10, 15, 20] },
  { most: 1_200, ticks: [0, 500, 1_000, 1_500] },
])("marks an axis up to $most at whole, round counts", ({ most, ticks }) => {
  expect(countTicks(most)).toEqual(ticks)
})

it("never ends below the largest count, never marks a fraction, never needs more than four steps", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (most) => {
      const ticks = countTicks(most)
      return (ticks.at(-1) ?? 0) >= most && ticks.every(Number.isInteger) && ticks.length <= 5
    }),
  )
})
