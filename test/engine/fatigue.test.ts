import { describe, expect, it } from "vitest"
import { promptsPerHundred, simulateWeek } from "../../bench/fatigue/simulate.ts"
import { weeks } from "../../bench/fatigue/weeks.ts"

describe("R37: a simulated week with every suggestion accepted", () => {
  it.each(weeks)("$name: hardly a prompt is left, and nothing ran that the person would have denied", (week) => {
    const { days } = simulateWeek(week)
    const [first, last] = [days[0], days.at(-1)]
    if (first === undefined || last === undefined) throw new RangeError("A week has days.")
    expect(promptsPerHundred(first)).toBe(100)
    expect(promptsPerHundred(last)).toBeLessThanOrEqual(8)
    expect(days.flatMap(({ ranWrongly }) => ranWrongly)).toEqual([])
    expect(days.flatMap(({ refusedWrongly }) => refusedWrongly)).toEqual([])
  })
})
