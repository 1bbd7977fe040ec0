import { expect, it } from "vitest"
import { raceForPermits } from "../engine/race-for-permits.ts"

it("2,000 permits, each raced for by a reviewer and its agent: every one runs once", { timeout: 600_000 }, async () => {
  const { ran, byReviewer, problems } = await raceForPermits(2_000)
  expect(ran.filter((times) => times !== 1)).toEqual([])
  expect(byReviewer).toBeGreaterThan(0)
  expect(byReviewer).toBeLessThan(2_000)
  expect(problems).toEqual([])
})
