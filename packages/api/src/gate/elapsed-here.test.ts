import { beforeEach, expect, it } from "vitest"
import { createElapsed } from "./elapsed-here.ts"

let clock: { steady: number; ofDay: number }
let elapsed: () => number
beforeEach(() => {
  clock = { steady: 5, ofDay: 1_000_000 }
  elapsed = createElapsed(
    () => clock.steady,
    () => clock.ofDay,
  )
})

const during = (change: () => void): number => {
  const before = elapsed()
  change()
  return elapsed() - before
}
const pass = (ms: number) => () => {
  clock.steady += ms
  clock.ofDay += ms
}
const set = (ms: number) => () => {
  clock.ofDay += ms
}

it("I1: a sleep counts, in which the steady clock stands still", () => {
  expect(during(pass(1_500))).toBe(1_500)
  expect(during(set(3 * 60 * 60_000))).toBe(3 * 60 * 60_000)
  expect(during(pass(10))).toBe(10)
})

it("I2: it goes on where the clock of the day is set back, and a sleep counts after that", () => {
  expect(during(set(-60_000))).toBe(0)
  expect(during(pass(10))).toBe(10)
  expect(during(set(60_000))).toBe(60_000)
})

it("counts no milliseconds twice where it is read often and the clock of the day is coarse", () => {
  const passed = during(() => {
    for (let at = 1; at <= 100; at += 1) {
      clock.steady += 0.25
      clock.ofDay += at % 4 === 0 ? 1 : 0
      elapsed()
    }
  })
  expect(passed).toBe(25)
})
