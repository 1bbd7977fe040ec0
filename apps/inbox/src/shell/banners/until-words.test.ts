import { expect, it } from "vitest"
import { untilWords } from "./until-words.ts"

const noon = new Date(2026, 10, 16, 12, 0).getTime()
const hour = 3_600_000

it("says a time of today as a clock does, and the day of any other", () => {
  const today = untilWords(noon + hour, noon)
  expect(today).toBe("13:00")
  expect(untilWords(noon + 25 * hour, noon)).toMatch(/ on .*17/)
  expect(untilWords(noon + 25 * hour, noon).startsWith(today)).toBe(true)
})
