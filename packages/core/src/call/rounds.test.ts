import { expect, it } from "vitest"
import { createRounds } from "./rounds.ts"

/** All that waits, in the order in which it is taken. */
function takenFrom(add: (rounds: ReturnType<typeof createRounds<string>>) => void): readonly string[] {
  const rounds = createRounds<string>()
  add(rounds)
  const taken: string[] = []
  for (let next = rounds.take(); next !== undefined; next = rounds.take()) taken.push(next)
  return taken
}

it("gives each a turn before anybody's second, and keeps the order of each", () => {
  const taken = takenFrom(({ add }) => {
    for (const entry of ["a1", "a2", "a3", "b1", "b2", "c1"]) add(entry.charAt(0), entry)
  })
  expect(taken).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"])
})

it("takes what goes first before the same one's others, and before nobody else's", () => {
  const taken = takenFrom(({ add }) => {
    for (const entry of ["a1", "a2", "b1", "b2"]) add(entry.charAt(0), entry)
    for (const entry of ["a!", "a!!"]) add("a", entry, true)
  })
  expect(taken).toEqual(["a!", "b1", "a!!", "b2", "a1", "a2"])
})

it("takes nothing that was removed", () => {
  const taken = takenFrom(({ add, remove }) => {
    for (const entry of ["a1", "a2", "b1"]) add(entry.charAt(0), entry)
    const removed = [remove("a", "a1"), remove("a", "a1"), remove("b", "a2"), remove("b", "b1")]
    expect(removed).toEqual([true, false, false, true])
  })
  expect(taken).toEqual(["a2"])
})
