import { expect, it } from "vitest"
import { createLoopShare, inTurns, sliceMs } from "./in-turns.ts"

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
  { name: "a usual slice", slice: undefined },
  { name: "one at a time", slice: 1 },
])("I1: answers for every entry in its place, and others have their turn meanwhile: $name", async ({ slice }) => {
  const at = open()
  const wanted = () => true
  expect(await inTurns(entries, at.answer, at.ports, wanted, slice)).toEqual(entries.map((entry) => entry * 2))
  expect(at.turns()).toBe(100)
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

/** A loop that goes on when the test says so, with lists whose entries take so long. */
function openLoop() {
  let ms = 0
  let turn: PromiseWithResolvers<void> | null = null
  const nextTurn = () => {
    turn ??= Promise.withResolvers()
    return turn.promise
  }
  const share = createLoopShare({ now: () => ms, nextTurn })
  const looked: string[] = []
  const look = (who: string, entryMs: number, length = 4) =>
    inTurns(
      Array.from({ length }, () => who),
      async (name) => {
        ms += entryMs
        looked.push(name)
      },
      share.of(who),
      () => true,
      1,
    )
  const settle = async () => {
    for (let left = 50; left > 0; left--) await Promise.resolve()
    return looked.splice(0)
  }
  const goOn = async () => {
    const now = turn
    turn = null
    now?.resolve()
    return settle()
  }
  return { look, settle, goOn, waits: () => turn !== null }
}

it("I2: lists that share the loop take one slice of a turn together, also those that begin in it", async () => {
  const { look, settle, goOn } = openLoop()
  const all = ["a", "b", "c"].map((who) => look(who, sliceMs, 2))
  expect(await settle()).toHaveLength(1)
  for (let left = 5; left > 0; left--) expect(await goOn()).toHaveLength(1)
  await goOn()
  await Promise.all(all)
})

it("I2: short ones begin at once while something of the slice is left", async () => {
  const { look, settle, waits } = openLoop()
  await Promise.all([look("a", 1, 2), look("b", 1, 2)])
  expect(await settle()).toHaveLength(4)
  expect(waits()).toBe(false)
})

it("I3: whoever has one list has a turn before the second of whoever has many", async () => {
  const { look, settle, goOn } = openLoop()
  const all = [...Array.from({ length: 20 }, () => look("many", sliceMs, 1)), look("one", sliceMs, 1)]
  await settle()
  expect([...(await goOn()), ...(await goOn())]).toContain("one")
  for (let left = 20; left > 0; left--) await goOn()
  await Promise.all(all)
})
