import { expect, it } from "vitest"
import { createJudgingTurns } from "./judging-turns.ts"

/** A clock that judging moves on, pauses that the test ends, and what was judged or begun, in order. */
function open() {
  let ms = 0
  let paused: Array<{ readonly ms: number; readonly end: () => void }> = []
  const turns = createJudgingTurns({
    now: () => ms,
    pause: (pauseMs) => new Promise<void>((end) => paused.push({ ms: pauseMs, end })),
  })
  const done: string[] = []
  const call = (credential: string, name: string, takes = 0, isWanted: () => boolean = () => true) =>
    turns.judge(credential, {
      prepare: async () => {},
      judge: () => {
        ms += takes
        done.push(name)
        return name
      },
      leaving: { isWanted, left: `${name} left` },
    })
  const request = (credential: string, name: string) => {
    const waiting = turns.wait(credential)
    void waiting.turn.then((isIts) => done.push(isIts ? name : `${name} left`))
    return waiting
  }
  /** So many pauses end, of each credential that rests; gives how long they were. */
  const pass = async (count: number): Promise<readonly number[]> => {
    const lengths: number[] = []
    await settled()
    for (let turn = 0; turn < count; turn++) {
      const ending = paused
      paused = []
      for (const { ms, end } of ending) {
        lengths.push(ms)
        end()
      }
      await settled()
    }
    return lengths
  }
  return { ...turns, call, request, pass, done }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it("I1: a credential rests for as long as its call took, in eight parts; nobody else does", async () => {
  const { call, isBusy, pass, done } = open()
  await call("ann", "a1", 40)
  void call("ann", "a2")
  await call("bob", "b1")
  expect([isBusy("ann"), isBusy("bob"), done]).toEqual([true, false, ["a1", "b1"]])
  expect(await pass(7)).toEqual([5, 5, 5, 5, 5, 5, 5])
  expect(done).toEqual(["a1", "b1"])
  expect(await pass(1)).toEqual([5])
  expect(done).toEqual(["a1", "b1", "a2"])
})

it("I1: calls that arrive together are judged one after the other, with a rest where they took long", async () => {
  const { call, pass, done } = open()
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) void call("ann", name, 4)
  await settled()
  expect(done).toEqual(["a1", "a2", "a3"])
  await pass(7)
  expect(done).toHaveLength(3)
  await pass(1)
  expect(done).toEqual(["a1", "a2", "a3", "a4", "a5"])
})

it("I1: short ones that others had their turns between do not count together", async () => {
  const { call, isBusy, pass } = open()
  await call("ann", "a1", 6)
  await pass(8)
  await call("ann", "a2", 6)
  expect(isBusy("ann")).toBe(false)
  await call("ann", "a3", 6)
  expect(isBusy("ann")).toBe(true)
})

it("I1: judging that could not wait counts, also where it took long only during a rest", async () => {
  const { took, isBusy, pass } = open()
  took("ann", 16)
  await pass(5)
  took("ann", 16)
  expect(await pass(7)).toEqual([2, 4, 4, 4, 4, 4, 4])
  expect(isBusy("ann")).toBe(true)
  await pass(1)
  expect(isBusy("ann")).toBe(false)
})

it("I1: no rest is longer than half a second", async () => {
  const { took, pass } = open()
  took("ann", 10_000)
  expect((await pass(8)).reduce((sum, ms) => sum + ms)).toBe(500)
})

it("I2: of several that rest, each does so for all", async () => {
  const { took, pass } = open()
  for (const credential of ["ann", "bob", "eve"]) took(credential, 16)
  took("tim", 2)
  expect(await pass(1)).toEqual([6, 6, 6, 0])
})

it("I3: calls are judged before requests are read, of which one begins at a time", async () => {
  const { took, call, request, isBusy, pass, done } = open()
  took("ann", 300)
  for (const name of ["r1", "r2"]) request("ann", name)
  void call("ann", "a1")
  request("bob", "b1")
  await pass(8)
  expect(done.toSorted()).toEqual(["a1", "b1", "r1"])
  expect(done.indexOf("a1")).toBeLessThan(done.indexOf("r1"))
  await pass(7)
  expect([done.includes("r2"), isBusy("ann")]).toEqual([false, true])
  await pass(1)
  expect(done.at(-1)).toBe("r2")
})

it("I3: a request that was let begin is judged before the next begins, however many wait", async () => {
  const { took, call, request, pass, done } = open()
  took("ann", 20)
  for (const name of ["r1", "r2"]) request("ann", name)
  await pass(8)
  await call("ann", "a1", 20)
  expect(done).toEqual(["r1", "a1"])
  await pass(8)
  expect(done).toEqual(["r1", "a1", "r2"])
})

it("I4: what nobody waits for any more is not judged, and does not begin", async () => {
  const { took, call, request, pass, done } = open()
  took("ann", 10)
  const left = call("ann", "a1", 0, () => false)
  const leaving = request("ann", "r1")
  request("ann", "r2")
  leaving.leave()
  await pass(8)
  expect([await left, done]).toEqual(["a1 left", ["r1 left", "r2"]])
})

it("a judgement that fails is its caller's affair alone", async () => {
  const { took, judge, call, pass } = open()
  took("ann", 10)
  const failing = judge("ann", {
    prepare: async () => {},
    judge: () => {
      throw new Error("no")
    },
  })
  const next = call("ann", "a1")
  await Promise.all([pass(8), expect(failing).rejects.toThrow("no")])
  expect(await next).toBe("a1")
})

it("I5: a credential whose calls take no time waits for nothing", async () => {
  const { call, isBusy } = open()
  for (let at = 0; at < 1_000; at++) await call("ann", "a")
  expect(isBusy("ann")).toBe(false)
})
