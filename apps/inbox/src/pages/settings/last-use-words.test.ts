import { expect, it } from "vitest"
import { lastUseWords } from "./last-use-words.ts"

const now = 1_800_000_000_000
const hour = 3_600_000

it.each([
  [null, "never used"],
  [now - 100, "used within the hour"],
  [now - 1.5 * hour, "used within the last 2 hours"],
  [now - 5 * hour, "last used about 5 h ago"],
  [now - 30 * hour, "last used about 1 day ago"],
  [now - 72 * hour, "last used about 3 days ago"],
])("says of %j no more than is known: %s", (at, words) => {
  expect(lastUseWords(at, now)).toBe(words)
})
