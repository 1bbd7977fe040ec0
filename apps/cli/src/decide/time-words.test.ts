import { expect, it } from "vitest"
import { inWords } from "./time-words.ts"

const minute = 60_000
const hour = 60 * minute

it.each([
  { ms: 0, words: "now" },
  { ms: 500, words: "in a moment" },
  { ms: 59 * minute + 59_000, words: "in 59 minutes" },
  { ms: 7 * hour, words: "in 7 hours" },
  { ms: 7 * hour + 58 * minute, words: "in 7 hours 58 minutes" },
  { ms: 49 * hour + minute, words: "in 2 days 1 hour" },
])("an end is told as $words", ({ ms, words }) => {
  expect(inWords(ms)).toBe(words)
})
