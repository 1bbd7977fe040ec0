import { expect, it } from "vitest"
import { nearestWord } from "./did-you-mean.ts"

const known = ["when", "wait", "autoAllowedPerMinute", "ask"]

it.each([
  ["wehn", "when"],
  ["wate", undefined],
  ["wait_", "wait"],
  ["auto_allowed_per_minute", "autoAllowedPerMinute"],
  ["autoAlowedPerMinut", "autoAllowedPerMinute"],
  ["ASK", "ask"],
  ["", undefined],
  ["x".repeat(100_000), undefined],
])("%.20s: %s", (typed, word) => {
  expect(nearestWord(typed, known)).toBe(word)
})
