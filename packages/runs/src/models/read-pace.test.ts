import { expect, it } from "vitest"
import { createReadPace, mostPerTurn } from "./read-pace.ts"

const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 0))

it("I1: what is read slowly is never waited for", async () => {
  const pace = createReadPace()
  for (let turn = 0; turn < 20; turn += 1) {
    expect(pace(200)).toBeNull()
    await nextTurn()
    await nextTurn()
  }
})

it("I1: of many answers that are there at once, one slice is passed on in each turn", async () => {
  const pace = createReadPace()
  const passed: number[] = []
  const answers = Array.from({ length: 12 }, async (_, answer) => {
    await pace(mostPerTurn)
    passed.push(answer)
  })
  let turns = 0
  const counting = (async () => {
    while (passed.length < answers.length) {
      const before = passed.length
      await nextTurn()
      turns += 1
      expect(passed.length - before).toBeLessThanOrEqual(2)
    }
  })()
  await Promise.all([...answers, counting])
  expect(turns).toBeGreaterThanOrEqual(5)
  expect(passed).toEqual([...passed].toSorted((a, b) => a - b))
})
