import { expect, it } from "vitest"
import { createLegSlots } from "./leg-slots.ts"

/** Work that ends when it is told to, and the order in which it began. */
function bench(limit: number, bytesPerStarter = 100) {
  const slots = createLegSlots(limit, bytesPerStarter)
  const begun: string[] = []
  const under = new Map<string, () => void>()
  const add = (starter: string, name: string, signal = new AbortController().signal, bytes = 0): Promise<unknown> =>
    slots.whenFree({ starter, bytes }, signal, () => {
      begun.push(name)
      return new Promise<void>((resolve) => under.set(name, resolve))
    })
  const end = async (name: string): Promise<void> => {
    under.get(name)?.()
    under.delete(name)
    await turns()
  }
  return { add, end, begun, under }
}

/** Everything that can begin has begun. */
const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

const many = (starter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${starter}${at}`)

it("I4: a starter with hundreds of runs leaves places for those who come later, at once", async () => {
  const { add, begun } = bench(16)
  for (const name of many("a", 200)) void add("a", name)
  await turns()
  expect(begun).toHaveLength(12)
  for (const name of ["b0", "b1", "b2", "c0", "d0"]) void add(name.slice(0, 1), name)
  await turns()
  expect(begun.slice(12)).toEqual(["b0", "b1", "c0", "d0"])
})

it("I2: starters take turns, and those with fewer places catch up", async () => {
  const { add, end, begun } = bench(16)
  for (const name of many("a", 40)) void add("a", name)
  for (const name of many("b", 40)) void add("b", name)
  for (let n = 0; n < 12; n++) await end(`a${n}`)
  const ofB = begun.filter((name) => name.startsWith("b")).length
  expect(ofB).toBeGreaterThanOrEqual(6)
  expect(begun.length - ofB - 12).toBeLessThanOrEqual(6)
})

it("I1: there is never more work than places, few as they are", async () => {
  const { add, end, begun, under } = bench(2)
  for (const name of [...many("a", 4), ...many("b", 4)]) void add(name.slice(0, 1), name)
  await turns()
  expect(begun).toEqual(["a0", "a1"])
  await end("a0")
  await end("a1")
  await end("b0")
  expect(under.size).toBe(2)
  expect(begun).toEqual(["a0", "a1", "b0", "a2", "b1"])
})

it("who is told to stop leaves the queue, and takes no place", async () => {
  const { add, end, begun } = bench(1)
  const stop = new AbortController()
  void add("a", "a0")
  const left = add("a", "a1", stop.signal)
  void add("a", "a2")
  stop.abort()
  expect(await left).toBeUndefined()
  await end("a0")
  expect(begun).toEqual(["a0", "a2"])
  expect(await add("a", "a3", AbortSignal.abort())).toBeUndefined()
})

it("I3: large runs of one starter wait for each other, and others' legs for none of them", async () => {
  const { add, end, begun } = bench(16, 100)
  const large = (starter: string, name: string, bytes: number) =>
    void add(starter, name, new AbortController().signal, bytes)
  large("a", "a0", 60)
  large("a", "a1", 50)
  large("a", "a2", 500)
  large("b", "b0", 500)
  large("b", "b1", 1)
  await turns()
  expect(begun).toEqual(["a0", "b0"])
  await end("a0")
  expect(begun).toEqual(["a0", "b0", "a1"])
  await end("a1")
  expect(begun).toEqual(["a0", "b0", "a1", "a2"])
  await end("b0")
  expect(begun).toEqual(["a0", "b0", "a1", "a2", "b1"])
})
