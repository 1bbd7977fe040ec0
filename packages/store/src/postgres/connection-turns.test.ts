import { expect, it } from "vitest"
import { createConnectionTurns } from "./connection-turns.ts"

/** Reads that end when they are told to; `begun` has the names of those that have begun, in order. */
function open(connections: number) {
  const begun: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  let reader = ""
  const turns = createConnectionTurns(connections, () => reader)
  const read = (by: string, name: string): Promise<string> => {
    reader = by
    return turns(
      () =>
        new Promise((resolve, reject) => {
          begun.push(name)
          ends.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure)))
        }),
    )
  }
  const end = async (name: string, failure?: Error): Promise<void> => {
    ends.get(name)?.(failure)
    // The next one begins once whoever waited for this one has its answer.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, read, end }
}

it("I1: begins no more reads than there are connections", async () => {
  const { begun, read, end } = open(2)
  const all = ["a", "b", "c"].map((name) => read(name, name))
  expect(begun).toEqual(["a", "b"])
  await end("b")
  expect(begun).toEqual(["a", "b", "c"])
  for (const name of ["a", "c"]) await end(name)
  expect(await Promise.all(all)).toEqual(["a", "b", "c"])
})

it("I2, I3: one reader leaves a connection to the others, who need not wait for what it asked for before", async () => {
  const { begun, read, end } = open(3)
  const many = ["a", "b", "c", "d"].map((name) => read("ci", name))
  const few = ["x", "y"].map((name) => read("ana", name))
  expect(begun).toEqual(["a", "b", "x"])
  for (const name of ["a", "x", "b", "c", "y", "d"]) await end(name)
  expect(begun).toEqual(["a", "b", "x", "c", "y", "d"])
  expect(await Promise.all([...many, ...few])).toEqual(["a", "b", "c", "d", "x", "y"])
})

it("a read that fails makes room for the next", async () => {
  const { begun, read, end } = open(1)
  const failing = read("ci", "a")
  const next = read("ci", "b")
  failing.catch(() => {})
  await end("a", new Error("broken"))
  await expect(failing).rejects.toThrow("broken")
  expect(begun).toEqual(["a", "b"])
  await end("b")
  expect(await next).toBe("b")
})
