import fc from "fast-check"
import { expect, it } from "vitest"
import { createSteadyTime } from "./steady-time.ts"

const step = fc.oneof(
  fc.record({ kind: fc.constant("record" as const), at: fc.integer({ min: 0, max: 1_000 }) }),
  fc.record({ kind: fc.constant("pass" as const), ms: fc.double({ min: 0, max: 100, noNaN: true }) }),
)

it("I1: never goes back, and is never before what was recorded", () => {
  fc.assert(
    fc.property(fc.array(step), fc.integer({ min: 0, max: 500 }), (steps, local) => {
      let passed = 0
      const time = createSteadyTime(() => passed)
      let before = time.now(local)
      for (const each of steps) {
        if (each.kind === "pass") passed += each.ms
        else time.saw(each.at)
        const now = time.now(local)
        expect(now).toBeGreaterThanOrEqual(each.kind === "record" ? Math.max(before, each.at) : before)
        expect(Number.isInteger(now)).toBe(true)
        before = now
      }
    }),
  )
})

it("I2: goes on while the clock stands still, and follows the clock where that is ahead", () => {
  let passed = 0
  const time = createSteadyTime(() => passed)
  expect(time.now(7)).toBe(7)
  time.saw(1_000)
  passed += 30.9
  time.saw(1_020)
  expect(time.now(7)).toBe(1_030)
  expect(time.now(1_031)).toBe(1_031)
})
