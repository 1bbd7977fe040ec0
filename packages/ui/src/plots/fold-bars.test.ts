import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { foldBars, type TimeBar } from "./fold-bars.ts"

const hourly = (count: number): TimeBar[] =>
  Array.from({ length: count }, (_, hour) => ({ from: hour, to: hour + 1, counts: [1, hour] }))

describe("bars that do not fit", () => {
  it("stay as they are where there is room", () => {
    expect(foldBars(hourly(24), 24)).toEqual(hourly(24))
  })

  it("are joined by a number people count in", () => {
    const folded = foldBars(hourly(24), 13)
    expect(folded.map(({ to, from }) => to - from)).toEqual(Array.from({ length: 12 }, () => 2))
    expect(folded[0]).toEqual({ from: 0, to: 2, counts: [2, 1] })
  })

  it("leave the remnant at the old end", () => {
    expect(foldBars(hourly(7), 4).map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1, 3],
      [3, 5],
      [5, 7],
    ])
  })

  it("lose no call and no time, and fit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 60 }), (count, most) => {
        const folded = foldBars(hourly(count), most)
        const calls = folded.reduce((sum, bar) => sum + (bar.counts[0] ?? 0), 0)
        const isWhole = folded.every((bar, at) => bar.from === (folded[at - 1]?.to ?? 0))
        return calls === count && isWhole && folded.at(-1)?.to === count && folded.length <= most
      }),
    )
  })
})
