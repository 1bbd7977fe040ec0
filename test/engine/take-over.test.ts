import type { RunOutcome } from "@byleave/core"
import { type MemoryDatabase, newMemoryDatabase } from "@byleave/store"
import { beforeEach, describe, expect, it } from "vitest"
import { followRun } from "../../packages/server/src/follow-submission.ts"
import { openDoors } from "../../packages/server/src/gate-doors.ts"
import { callOf, type Engine, holdCall, memoryStore, newId, openEngine, policyOf, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "/ws/a" })
const afterLeases = 31_000
const done: RunOutcome = { kind: "succeeded", result: "written" }

describe("what a process that is gone leaves behind", () => {
  let database: MemoryDatabase
  const clock = { now: 0 }

  beforeEach(() => {
    database = newMemoryDatabase()
    clock.now = 1_800_000_000_000
  })

  const open = (): Promise<Engine> =>
    openEngine(policyOf([]), { clock, store: memoryStore(clock, database), times: { returnMs: 15_000 } })
  /** One that hears of nothing any more. */
  const openDeaf = (): Promise<Engine> =>
    openEngine(policyOf([]), { clock, store: { ...memoryStore(clock, database), subscribe: () => () => {} } })

  /** A run that has begun, and what ends it. */
  async function begun(engine: Engine, until?: Promise<unknown>, call = write) {
    const ended = Promise.withResolvers<RunOutcome>()
    const started = Promise.withResolvers<void>()
    const run = () => {
      started.resolve()
      return ended.promise
    }
    const { approval, outcome } = await holdCall({ gate: engine.gate, run }, call, until)
    await engine.gate.answer(yes(approval))
    await started.promise
    return { id: approval.id, outcome, end: ended.resolve }
  }

  const statusOf = async ({ gate }: Engine, id: string) => (await gate.approval(id))?.status

  it("R94: a run is taken over by its session, settled once, and its caller has had the outcome", async () => {
    const { id } = await begun(await open())
    clock.now += afterLeases
    const next = await open()
    expect(await next.gate.takeOver(id, write.session, async () => done)).toMatchObject({ result: "written" })
    await expect.poll(() => next.gate.approval(id)).toMatchObject({ status: "succeeded", delivered: true })
    expect(await next.gate.takeOver(id, write.session, next.run)).toMatchObject({ kind: "result" })
    expect((await holdCall(next, write)).approval.id).not.toBe(id)
    expect(next.runs).toEqual([])
  })

  it("nobody takes over what a living process runs, nor what another session called", async () => {
    const first = await open()
    const { id, outcome, end } = await begun(first)
    const next = await open()
    expect(await next.gate.takeOver(id, write.session, next.run)).toBeNull()
    for (const other of [{ id: "s2" }, { principal: "other" }]) {
      clock.now += afterLeases
      const later = await open()
      expect(await later.gate.takeOver(id, { ...write.session, ...other }, later.run)).toBeNull()
      expect(later.runs).toEqual([])
    }
    end(done)
    expect(await outcome).toMatchObject({ kind: "result" })
    expect(await statusOf(next, id)).toBe("succeeded")
  })

  it("a caller that had left before is given the outcome when it comes back", async () => {
    const left = Promise.withResolvers<void>()
    const { id, outcome } = await begun(await open(), left.promise)
    left.resolve()
    expect(await outcome).toMatchObject({ kind: "ticket" })
    clock.now += afterLeases
    const next = await open()
    await next.gate.takeOver(id, write.session, async () => done)
    expect(await next.submit(write)).toMatchObject({ result: "written", approval: id, notes: ["delivered-late"] })
    expect(next.runs).toEqual([])
  })

  it("who withdrew before is heard by the process that took over", async () => {
    const first = await open()
    const { id } = await begun(first)
    await first.gate.cancel(id, "agent")
    clock.now += afterLeases
    const stopped: RunOutcome = { kind: "failed", error: "stopped" }
    const outcome = await (await open()).gate.takeOver(id, write.session, (_, { cancelled }) =>
      cancelled.then(() => stopped),
    )
    expect(outcome).toMatchObject({ error: "stopped" })
  })

  it("I6 of follow-submission: is unknown where whoever came with it is gone by then: it ran, and may not be said not to have", async () => {
    const session = { ...write.session, principal: "wrap:agent" }
    const { id } = await begun(await open(), undefined, { ...write, principal: { id: "wrap:agent" }, session })
    clock.now += afterLeases
    const next = await open()
    const identify = async () => null
    const options = { newId, instance: "next", keepAliveMs: 1_000, maxBodyBytes: 1_000 }
    const doors = openDoors({ gate: next.gate, identify, ...options })
    const answer = followRun(doors, { token: "wrap" }, { from: { agent: "agent", session }, approval: id })
    if (!("follow" in answer)) throw new Error("not followed")
    await answer.follow({ say: () => {}, isGone: () => true, whenGone: () => () => {} })
    expect(await statusOf(next, id)).toBe("unknown")
  })

  it("a run that nobody comes back with is unknown, not before there was time for it, and stays so", async () => {
    const { id } = await begun(await open())
    clock.now += afterLeases
    const next = await open()
    clock.now += 14_000
    await next.gate.expireDue()
    expect(await statusOf(next, id)).toBe("running")
    clock.now += 1_001
    await next.gate.expireDue()
    expect(await statusOf(next, id)).toBe("unknown")
    expect(await next.gate.takeOver(id, write.session, next.run)).toMatchObject({ kind: "unknown" })
    expect(next.runs).toEqual([])
  })

  it("nobody waits any more on what its callers waited for", async () => {
    const { approval } = await holdCall(await openDeaf(), write)
    const beside = await open()
    clock.now += afterLeases
    await beside.gate.renewLeases()
    await expect.poll(async () => (await beside.gate.approval(approval.id))?.caller).toBeNull()
    await beside.gate.answer(yes(approval))
    expect(await statusOf(beside, approval.id)).toBe("approved")
    expect(await beside.submit(write)).toMatchObject({ kind: "result", approval: approval.id })
  })
})
