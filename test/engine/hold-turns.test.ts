/** The work before a call can be held is bounded, however many calls come at once. */
import { setImmediate as nextTurn } from "node:timers/promises"
import { createBodyBudget, createBodyTurns } from "@byleave/core"
import { expect, it } from "vitest"
import { callOf, openEngine, policyOf } from "./open-engine.ts"

it("of calls that cannot be held, since as many wait as may, no warnings are worked out", async () => {
  let looked = 0
  const limits = { ...policyOf([]).limits, waitingPerSession: 2 }
  const engine = await openEngine(
    { ...policyOf([]), limits },
    {
      riskContext: () => {
        looked += 1
        return {}
      },
    },
  )
  const calls = Array.from({ length: 10 }, (_, n) => callOf("files(write)", { n }))
  for (const call of calls.slice(0, 2)) {
    void engine.gate.submit(call, engine.run)
    await expect.poll(() => engine.store.countApprovals({ statuses: ["pending"] })).toBe(calls.indexOf(call) + 1)
  }
  const before = looked
  const refused = await Promise.all(calls.slice(2).map((call) => engine.gate.submit(call, engine.run)))
  expect(refused.map(({ kind }) => kind)).toEqual(refused.map(() => "refusal"))
  expect(looked).toBe(before)
  expect(before).toBeGreaterThan(0)
  await engine.gate.close()
})

it("calls that are held at once are looked at one after the other, with others' turns in between", async () => {
  let others = 0
  let isOver = false
  const seen: number[] = []
  const engine = await openEngine(policyOf([]), {
    turns: createBodyTurns(async () => void (await nextTurn())),
    riskContext: () => {
      if (seen.at(-1) !== others) seen.push(others)
      return {}
    },
  })
  const other = (): void => {
    others += 1
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  for (let n = 0; n < 3; n += 1) void engine.gate.submit(callOf("files(write)", { n }), engine.run)
  await expect.poll(() => engine.store.countApprovals({ statuses: ["pending"] })).toBe(3)
  isOver = true
  expect(seen).toHaveLength(3)
  await engine.gate.close()
})

it("bodies of one sender that are large together take turns, and so does each of a crowd", async () => {
  const bodies = createBodyBudget(
    undefined,
    createBodyTurns(async () => void (await nextTurn())),
  )
  const shares = Array.from({ length: 4 }, () => bodies.share("agent"))
  const waits = shares.map((share) => {
    share.grow(129_000)
    return share.turn() !== null
  })
  expect(waits).toEqual([false, false, true, true])
  const small = bodies.share("another")
  small.grow(100)
  expect(small.turn()).toBeNull()
  expect(small.turn(true)).not.toBeNull()
  for (const share of [...shares, small]) share.release()
  expect(bodies.used()).toBe(0)
})
