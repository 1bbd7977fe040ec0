import type { InsightView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { rangeOf, readRange } from "./insight-range.ts"
import { agentLabel, callersWords, decideWords, decisionBars, decisionWords, waitBars } from "./insight-words.ts"

const bar = (...counts: number[]) => ({ from: 0, to: 1, counts })
const times = (medianMs: number | null, p95Ms: number | null): InsightView["timeToDecide"] => ({
  medianMs,
  p95Ms,
  bars: [],
})

describe("what the plots say", () => {
  it.each([
    { bars: [bar(8, 2, 0, 0)], words: "10 calls today; 2 of them (20%) needed approval." },
    { bars: [bar(1, 0, 0, 0)], words: "1 call today; none of them needed approval." },
    { bars: [bar(0, 1, 0, 0)], words: "1 call today; it needed approval." },
    { bars: [bar(999, 1, 0, 0)], words: "1,000 calls today; 1 of them (under 1%) needed approval." },
  ])("$words", ({ bars, words }) => {
    expect(decisionWords(bars, "today")).toBe(words)
  })

  it.each([
    { of: times(null, null), words: "No decisions yet." },
    {
      of: times(12_000, 240_000),
      words: "Half of the decisions took less than 12 s. 95% took less than 4 min.",
    },
    { of: times(200, 900), words: "Nearly all decisions took less than a second." },
  ])("$words", ({ of, words }) => {
    expect(decideWords(of)).toBe(words)
  })

  it.each([
    { totals: [3, 1], words: "Agents with the most calls today. The first accounts for 75%." },
    { totals: [3], words: "Agents with the most calls today." },
    { totals: [], words: "Agents with the most calls today." },
  ])("of $totals.length callers: $words", ({ totals, words }) => {
    const rows = totals.map((allow) => ({ allow, ask: 0, deny: 0, hide: 0 }))
    expect(callersWords("Agent", rows, "today")).toBe(words)
  })

  it("names an agent by its token, and those without one", () => {
    expect(["laptop", "anonymous"].map(agentLabel)).toEqual(["laptop", "Agents without a token"])
  })

  it("begins each bar of waiting where the one before ended", () => {
    const bars = [
      { upToMs: 5_000, calls: 1 },
      { upToMs: 60_000, calls: 2 },
      { upToMs: null, calls: 3 },
    ]
    expect(waitBars({ ...times(1, 1), bars }).map(({ from, to, name }) => [from, to, name])).toEqual([
      [0, 5_000, "under 5 s"],
      [5_000, 60_000, "5 s to 1 min"],
      [60_000, null, "over 1 min"],
    ])
  })

  it("begins the first and ends the last bar with the time that was asked for", () => {
    const view = {
      since: 4,
      until: 15,
      step: 10,
      byDecision: [0, 10].map((at) => ({ at, allow: 1, ask: 2, deny: 3, hide: 4 })),
    }
    expect(decisionBars(view as unknown as InsightView)).toEqual([
      { from: 4, to: 10, counts: [1, 2, 3, 4] },
      { from: 10, to: 15, counts: [1, 2, 3, 4] },
    ])
  })
})

describe("a range", () => {
  const now = new Date(2026, 10, 10, 14, 20).getTime()

  it("is made of whole hours or days of the reader, the present one included", () => {
    expect(rangeOf("hour", now + 1)).toEqual({
      since: new Date(2026, 10, 10, 13, 21).getTime(),
      until: new Date(2026, 10, 10, 14, 21).getTime(),
    })
    expect(rangeOf("day", now)).toEqual({
      since: new Date(2026, 10, 9, 15).getTime(),
      until: new Date(2026, 10, 10, 15).getTime(),
    })
    expect(rangeOf("week", now)).toEqual({
      since: new Date(2026, 10, 4).getTime(),
      until: new Date(2026, 10, 11).getTime(),
    })
    expect(rangeOf("month", now).since).toBe(new Date(2026, 9, 12).getTime())
  })

  it("is a day unless the address says otherwise", () => {
    expect(readRange("week")).toBe("week")
    expect(readRange("toString")).toBe("day")
  })
})
