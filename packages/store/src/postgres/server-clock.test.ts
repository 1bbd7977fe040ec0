import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createServerClock } from "./server-clock.ts"

describe("the server's clock", () => {
  it.each([
    { name: "a server an hour ahead", server: 3_600_000 + 5, asked: 0, answered: 10, now: 3_600_000 },
    { name: "a server an hour behind", server: -3_600_000 + 5, asked: 0, answered: 10, now: -3_600_000 },
    { name: "I2: a difference smaller than the journey", server: 9, asked: 0, answered: 10, now: 0 },
    { name: "a local clock that stepped back during the question", server: 5, asked: 10, answered: 0, now: 0 },
  ])("follows $name", ({ server, asked, answered, now }) => {
    const clock = createServerClock(() => 0)
    clock.observe(server, asked, answered)
    expect(clock.now(1_000_000_000)).toBe(1_000_000_000 + now)
  })

  it("keeps the more exact of two measurements until it is old", () => {
    const clock = createServerClock(() => 0)
    clock.observe(100_001, 0, 2)
    clock.observe(100_500, 0, 1_000)
    expect(clock.now(0)).toBe(100_000)
    clock.observe(0, 100_000, 101_000)
    expect(clock.now(200_000)).toBe(200_000 - 100_500)
  })

  it("I1: is never before anything it saw", () => {
    const look = fc
      .tuple(fc.integer(), fc.integer(), fc.nat())
      .map(([server, asked, took]) => ({ server, asked, took }))
    fc.assert(
      fc.property(fc.array(look), fc.array(fc.nat()), fc.integer(), (looks, seen, local) => {
        const clock = createServerClock(() => 0)
        for (const { server, asked, took } of looks) clock.observe(server, asked, asked + took)
        for (const at of seen) clock.saw(at)
        expect(clock.now(local)).toBeGreaterThanOrEqual(Math.max(...seen))
      }),
    )
  })
})
