import { describe, expect, it } from "vitest"
import { labelEvery, spanInWords, tickOf } from "./span-words.ts"

const at = (iso: string): number => Date.parse(iso)

describe("a stretch of time", () => {
  it.each([
    { from: "2026-11-10T14:00Z", to: "2026-11-10T15:00Z", words: "Tuesday 14:00–15:00" },
    { from: "2026-11-10T23:00Z", to: "2026-11-11T00:00Z", words: "Tuesday 23:00–24:00" },
    { from: "2026-11-10T00:00Z", to: "2026-11-11T00:00Z", words: "Tuesday 10 November" },
    { from: "2026-11-09T00:00Z", to: "2026-11-12T00:00Z", words: "9–11 November" },
    { from: "2026-11-29T00:00Z", to: "2026-12-02T00:00Z", words: "29 November – 1 December" },
    { from: "2026-11-09T22:00Z", to: "2026-11-10T02:00Z", words: "Mon 9 Nov 22:00 – Tue 10 Nov 02:00" },
  ])("$words", ({ from, to, words }) => {
    expect(spanInWords(at(from), at(to), "UTC")).toBe(words)
  })

  it("is told by the reader's clock, also on the day it changes", () => {
    expect(spanInWords(at("2026-10-24T22:00Z"), at("2026-10-25T23:00Z"), "Europe/Berlin")).toBe("Sunday 25 October")
    expect(tickOf(at("2026-11-10T23:00Z"), "Europe/Berlin")).toBe("Wed 11")
    expect(tickOf(at("2026-11-10T13:00Z"), "Europe/Berlin")).toBe("14:00")
  })
})

it("labels as many bars as there is room for", () => {
  expect(labelEvery(24, 24 * 56)).toBe(1)
  expect(labelEvery(24, 330)).toBe(5)
  expect(labelEvery(0, 330)).toBe(1)
})
