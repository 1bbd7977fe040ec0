import { expect, it } from "vitest"
import { createProgramTurns } from "./program-turns.ts"

const most = { pieces: 3, bytes: 100 }

function open() {
  const seen: string[] = []
  const waits: Array<() => void> = []
  const turns = createProgramTurns(most, () => new Promise<void>((resolve) => waits.push(resolve)))
  const piece = (name: string, token = "prog", bytes = 1, program = "") =>
    turns.take({ token, program, bytes }, async () => void seen.push(name))
  const nextTurn = async (): Promise<void> => {
    for (const resolve of waits.splice(0)) resolve()
    await settled()
  }
  return { seen, piece, nextTurn }
}

/** All promises that can be resolved without another turn are. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

it("I1: others have a turn between two pieces of one credential, and its order is kept", async () => {
  const { seen, piece, nextTurn } = open()
  void piece("a")
  void piece("b")
  void piece("other", "else")
  await settled()
  expect(seen).toEqual(["a", "other"])
  await nextTurn()
  expect(seen).toEqual(["a", "other", "b"])
})

it("I1: others have a turn also when the next piece is asked for after the one before has ended", async () => {
  const { seen, piece, nextTurn } = open()
  await piece("a")
  void piece("b")
  await settled()
  expect(seen).toEqual(["a"])
  await nextTurn()
  expect(seen).toEqual(["a", "b"])
})

it("I2: a credential has no more waiting than it may; another's counts for itself", async () => {
  const { seen, piece, nextTurn } = open()
  expect(["a", "b", "c", "d"].map((name) => piece(name) === null)).toEqual([false, false, false, true])
  expect(piece("other", "else")).not.toBeNull()
  for (let turn = 0; turn < 4; turn++) await nextTurn()
  expect(seen.toSorted()).toEqual(["a", "b", "c", "other"])
  expect(piece("large", "new", 1_000)).not.toBeNull()
  expect(piece("more", "new", 1)).toBeNull()
})

it("I2: one program leaves room for another that shares its credential", async () => {
  const { seen, piece, nextTurn } = open()
  expect(["a", "b", "c", "d"].map((name) => piece(name, "prog", 1, "one") === null)).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect(piece("other", "prog", 25, "two")).not.toBeNull()
  for (let turn = 0; turn < 4; turn++) await nextTurn()
  expect(seen).toEqual(["a", "b", "other", "c"])
})

it("I3: programs that share a credential take turns, and together have those of one", async () => {
  const { seen, piece, nextTurn } = open()
  for (const name of ["a1", "a2", "a3"]) void piece(name, "prog", 1, "one")
  void piece("b1", "prog", 1, "two")
  void piece("other", "else")
  await settled()
  expect(seen).toEqual(["a1", "other"])
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  expect(seen).toEqual(["a1", "other", "a2", "b1", "a3"])
})
