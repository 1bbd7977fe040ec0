import { expect, it } from "vitest"
import { isRefused } from "../refused.ts"
import { createProgramStarts, mostStarts } from "./program-starts.ts"

/** Requests whose work takes `ms` of the thread; `order` has their names and a `-` for each turn of others. */
function open(ms: number) {
  const seen = { order: [] as string[], now: 0 }
  const starts = createProgramStarts({
    now: () => seen.now,
    nextTurn: () =>
      new Promise<void>((resolve) => {
        setTimeout(() => {
          seen.order.push("-")
          resolve()
        })
      }),
  })
  const request = async (name: string, program = "ci"): Promise<void> => {
    if ((await starts(program)) !== null) return
    seen.order.push(name)
    seen.now += ms
  }
  return { seen, starts, request }
}

it("I1: others have a turn between two requests of a program, in whose order they begin", async () => {
  const { seen, request } = open(1)
  await Promise.all(["a", "b", "c"].map((name) => request(name)))
  expect(seen.order).toEqual(["a", "-", "b", "-", "c"])
})

it("I1: others have several turns after a request that took long", async () => {
  const { seen, request } = open(300)
  await Promise.all([request("a"), request("b")])
  expect(seen.order).toEqual(["a", ...Array.from({ length: 8 }, () => "-"), "b"])
})

it("I1: programs do not wait for each other", async () => {
  const { seen, request } = open(300)
  await Promise.all([request("a"), request("b", "other")])
  expect(seen.order).toEqual(["a", "b"])
})

it("I2: a program has no more requests waiting than it may; another's count for themselves", async () => {
  const { starts } = open(1)
  const waiting = Array.from({ length: mostStarts.pieces }, () => starts("ci"))
  const refused = await starts("ci")
  expect(refused !== null && isRefused(refused) && refused.refusedWith).toBe("too-many-reads")
  expect(await starts("other")).toBeNull()
  expect(await waiting[0]).toBeNull()
})
