import { expect, it } from "vitest"
import { waitInWords } from "../words/time-words.ts"
import { countsInWords, type Series } from "./series.ts"

const series: readonly Series[] = [
  { key: "allow", label: "Allowed", fill: "yes" },
  { key: "ask", label: "Asked", fill: "wait" },
]

it.each([
  { counts: [12, 3], words: "12 allowed, 3 asked" },
  { counts: [0, 1_500], words: "1,500 asked" },
  { counts: [0, 0], words: "none" },
])("says $words", ({ counts, words }) => {
  expect(countsInWords(counts, series)).toBe(words)
})

it.each([
  { from: 0, to: 5_000, words: "under 5 s" },
  { from: 30_000, to: 120_000, words: "30 s to 2 min" },
  { from: 28_800_000, to: null, words: "over 8 h" },
  { from: 5_400_000, to: 86_400_000, words: "1.5 h to 1 day" },
])("says $words", ({ from, to, words }) => {
  expect(waitInWords(from, to)).toBe(words)
})
