import { expect, it } from "vitest"
import { createReadTurns } from "./read-turns.ts"

/** Reads that take `ms` each; `order` has their names and a `-` for each turn of others. */
function open(ms: number) {
  const seen = { order: [] as string[], now: 1_000, reader: "" }
  const turns = createReadTurns(
    () => seen.now,
    () =>
      new Promise((resolve) => {
        setTimeout(() => {
          seen.order.push("-")
          resolve()
        })
      }),
    () => seen.reader,
  )
  const read = (name: string): Promise<string> =>
    turns(async () => {
      seen.order.push(name)
      seen.now += ms
      return name
    })
  return { seen, read }
}

it("I1: one request that reads again and again lets others have a turn", async () => {
  const { seen, read } = open(4)
  for (const name of ["a", "b", "c", "d", "e", "f", "g"]) expect(await read(name)).toBe(name)
  expect(seen.order.join("")).toBe("-abc-def-g")
})

it("I1, I2: so do many requests together, in the order in which they came", async () => {
  const { seen, read } = open(20)
  expect(await Promise.all(["a", "b", "c"].map(read))).toEqual(["a", "b", "c"])
  expect(seen.order.join("")).toBe("-a-b-c")
})

it("I2: readers take turns, however many reads one of them has waiting", async () => {
  const { seen, read } = open(20)
  seen.reader = "ci"
  const many = ["a", "b", "c"].map(read)
  seen.reader = "ana"
  const few = ["x", "y"].map(read)
  await Promise.all([...many, ...few])
  expect(seen.order.join("")).toBe("-a-x-b-y-c")
})

it("I1: reads that take no time wait once", async () => {
  const { seen, read } = open(0)
  await Promise.all(["a", "b", "c"].map(read))
  await read("d")
  expect(seen.order.join("")).toBe("-abcd")
})

it("a read that fails keeps no other from being done", async () => {
  const turns = createReadTurns(
    () => 0,
    async () => {},
  )
  const failing = turns(() => Promise.reject(new Error("broken")))
  await expect(failing).rejects.toThrow("broken")
  expect(await turns(async () => 1)).toBe(1)
})
