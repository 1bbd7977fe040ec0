import { expect, it } from "vitest"
import { inTurns } from "./in-turns.ts"

/** A clock that goes on by a millisecond with each answer. */
function open() {
  let ms = 0
  let turns = 0
  const answer = async (entry: number) => {
    ms += 1
    return entry * 2
  }
  const nextTurn = async () => {
    turns += 1
  }
  return { answer, turns: () => turns, ports: { now: () => ms, nextTurn } }
}

const entries = Array.from({ length: 1_001 }, (_, at) => at)

it.each([
  { name: "a usual slice", slice: undefined, turns: 21 },
  { name: "one at a time", slice: 1, turns: 100 },
])("answers for every entry in its place, and others have their turn meanwhile: $name", async ({ slice, turns }) => {
  const at = open()
  const wanted = () => true
  expect(await inTurns(entries, at.answer, at.ports, wanted, slice)).toEqual(entries.map((entry) => entry * 2))
  expect(at.turns()).toBe(turns - (slice === undefined ? 1 : 0))
})

it.each([
  { name: "before the first", asked: 0, answered: 0 },
  { name: "after some turns", asked: 3, answered: 30 },
])("answers for no more entries once nobody wants them: $name", async ({ asked, answered }) => {
  const at = open()
  let times = 0
  const isWanted = async () => times++ < asked
  expect(await inTurns(entries, at.answer, at.ports, isWanted, 1)).toBe(null)
  expect(at.ports.now()).toBe(answered)
})
