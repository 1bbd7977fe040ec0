import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { foldBars, type TimeBar } from "./fold-bars.ts"

const hour = 3_600_000
const inSteps = (count: number, step: number): TimeBar[] =>
  Array.from({ length: count }, (_, at) => ({ from: at * step, to: (at + 1) * step, counts: [1, at] }))
const hourly = (count: number): TimeBar[] => inSteps(count, hour)
const hoursOf = (bars: readonly TimeBar[]): number[] => bars.map(({ from, to }) => (to - from) / hour)

describe("bars that do not fit", () => {
  it("stay as they are where there is room", () => {
    expect(foldBars(hourly(24), 24)).toEqual(hourly(24))
  })

  it("are joined to parts of a day, or to days", () => {
    const folded = foldBars(hourly(24), 13)
    expect(hoursOf(folded)).toEqual(Array.from({ length: 12 }, () => 2))
    expect(folded[0]).toEqual({ from: 0, to: 2 * hour, counts: [2, 1] })
    expect(hoursOf(foldBars(inSteps(56, 3 * hour), 11))).toEqual(Array.from({ length: 7 }, () => 24))
    expect(hoursOf(foldBars(inSteps(60, 12 * hour), 11))).toEqual(Array.from({ length: 10 }, () => 72))
  })

  it("are joined by their whole length, also where the time ends within one", () => {
    const week = inSteps(56, 3 * hour).map((bar, at) => (at === 55 ? { ...bar, to: bar.from + hour } : bar))
    expect(foldBars(week, 11)).toHaveLength(7)
  })

  it("leave the remnant at the old end", () => {
    expect(hoursOf(foldBars(hourly(7), 4))).toEqual([1, 2, 2, 2])
  })

  it("lose no call and no time, and fit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 60 }), (count, most) => {
        const folded = foldBars(hourly(count), most)
        const calls = folded.reduce((sum, bar) => sum + (bar.counts[0] ?? 0), 0)
        const isWhole = folded.every((bar, at) => bar.from === (folded[at - 1]?.to ?? 0))
        return calls === count && isWhole && folded.at(-1)?.to === count * hour && folded.length <= most
      }),
    )
  })
})
