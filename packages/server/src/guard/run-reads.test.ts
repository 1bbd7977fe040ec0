import { expect, it } from "vitest"
import type { RunCaller } from "./run-caller.ts"
import { createRunReads, mostRunReads } from "./run-reads.ts"

const runner = (token: string) => ({ kind: "runner", token, secretId: "1" }) as unknown as RunCaller
const reviewer = { kind: "reviewer", reviewer: { id: "ana", groups: [] } } as unknown as RunCaller

/** Work that ends when it is told to, in the order in which it began. */
function open() {
  const seen = { turns: 0, under: 0, most: 0 }
  const ends: Array<() => void> = []
  const reads = createRunReads(async () => {
    seen.turns += 1
  })
  const work = async (): Promise<string> => {
    seen.under += 1
    seen.most = Math.max(seen.most, seen.under)
    await new Promise<void>((resolve) => ends.push(resolve))
    seen.under -= 1
    return "read"
  }
  return { seen, ends, work, turnsOf: (caller: RunCaller) => reads.turnsOf(caller) }
}

const megabytes = (count: number): number => count * 1024 * 1024

it("I1: reads of one program go one after the other, with a turn for others after each", async () => {
  const { seen, ends, work, turnsOf } = open()
  const reading = [1, 2, 3].map(() => turnsOf(runner("ci")).take(megabytes(1), work))
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => ends.length).toBe(1)
    ends.pop()?.()
  }
  expect(await Promise.all(reading)).toEqual(["read", "read", "read"])
  await expect.poll(() => seen.turns).toBe(3)
  expect(seen.most).toBe(1)
})

it.each([
  { what: "number", bytes: megabytes(1), taken: mostRunReads.pieces },
  { what: "bytes", bytes: megabytes(40), taken: 3 },
  { what: "bytes, of which one alone may have any number", bytes: megabytes(500), taken: 1 },
])("I2: no more waits of one program than it may have, in $what", ({ bytes, taken }) => {
  const { work, turnsOf } = open()
  const take = (token: string) => turnsOf(runner(token)).take(bytes, work)
  for (let n = 0; n < taken; n++) expect(take("ci")).not.toBeNull()
  expect(take("ci")).toBeNull()
  expect(take("other")).not.toBeNull()
  expect(turnsOf(runner("ci")).finish(bytes, work)).not.toBeNull()
})

it("I3: people, and those who read a little, wait for nothing", () => {
  const { seen, work, turnsOf } = open()
  for (let n = 0; n < 100; n++) {
    void turnsOf(reviewer).take(megabytes(64), work)
    void turnsOf(runner("ci")).take(1_000, work)
  }
  expect(seen).toMatchObject({ under: 200, turns: 0 })
})

it("I3: searches of one person go one after the other, and wait for nobody else's", async () => {
  const { seen, ends, work, turnsOf } = open()
  const searching = [reviewer, reviewer, runner("ci")].map((caller) => turnsOf(caller).search(1_000, work))
  await expect.poll(() => ends.length).toBe(2)
  expect(seen.under).toBe(2)
  for (const end of ends.splice(0)) end()
  await expect.poll(() => ends.length).toBe(1)
  for (const end of ends.splice(0)) end()
  expect(await Promise.all(searching)).toEqual(["read", "read", "read"])
})
