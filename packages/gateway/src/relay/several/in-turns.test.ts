import { expect, it } from "vitest"
import { inTurns } from "./in-turns.ts"

it("answers for every entry in its place, and others have their turn meanwhile", async () => {
  const entries = Array.from({ length: 1_001 }, (_, at) => at)
  let turns = 0
  let isOver = false
  const other = (): void => {
    turns += 1
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  const answers = await inTurns(entries, async (entry) => {
    for (const until = performance.now() + 0.1; performance.now() < until; );
    return entry * 2
  })
  isOver = true
  expect(answers).toEqual(entries.map((entry) => entry * 2))
  expect(turns).toBeGreaterThan(3)
})
