import { expect, it } from "vitest"
import { allSteps, filterSteps, flatSteps, someSteps, stepsInTurns, type WorkSteps } from "./steps.ts"

/** A clock that goes on by a millisecond with each look at it; others take a second in each turn. */
function open() {
  let ms = 0
  let turns = 0
  const nextTurn = async () => {
    turns += 1
    ms += 1_000
  }
  return { turns: () => turns, ports: { now: () => ms++, nextTurn } }
}

function* counting(most: number): WorkSteps<number> {
  for (let count = 0; count < most; count++) if (yield) return count
  return most
}

it("I1: others have their turn after each few milliseconds", async () => {
  const { turns, ports } = open()
  expect(await stepsInTurns(counting(1_000), ports)).toBe(1_000)
  expect(turns()).toBe(100)
})

it("I2: work is told when its own time is over, and the time of others does not count", async () => {
  const { turns, ports } = open()
  expect(await stepsInTurns(counting(1_000), ports, 50)).toBeLessThan(60)
  expect(turns()).toBe(5)
})

it("without turns, all of it is done at once", () => {
  expect(allSteps(counting(1_000))).toBe(1_000)
})

it("each item of a list is a step", () => {
  const numbers = [1, 2, 3, 4]
  const isEven = (one: number) => one % 2 === 0
  expect(stepsOf(filterSteps(numbers, isEven))).toEqual({ taken: 4, result: [2, 4] })
  expect(stepsOf(someSteps(numbers, isEven))).toEqual({ taken: 1, result: true })
  expect(stepsOf(flatSteps([numbers, numbers], (list) => filterSteps(list, isEven)))).toEqual({
    taken: 10,
    result: [2, 4, 2, 4],
  })
})

function stepsOf<Result>(steps: WorkSteps<Result>) {
  for (let taken = 0; ; taken++) {
    const step = steps.next(false)
    if (step.done === true) return { taken, result: step.value }
  }
}
