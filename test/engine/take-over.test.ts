import type { Run, RunOutcome, Store } from "@byleave/core"
import { type MemoryDatabase, newMemoryDatabase } from "@byleave/store"
import { beforeEach, describe, expect, it } from "vitest"
import { followRun } from "../../packages/server/src/gate/follow-submission.ts"
import { openGateRoutes } from "../../packages/server/src/gate/gate-context.ts"
import { keepNothing } from "../../packages/server/src/gate/kept-body.ts"
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

  it("R94, I6: a run is taken over by its session, settled once, and its caller has had the outcome", async () => {
    const { id } = await begun(await open())
    clock.now += afterLeases
    const next = await open()
    expect(await next.gate.takeOver(id, write.session, async () => done)).toMatchObject({ result: "written" })
    await expect.poll(() => next.gate.approval(id)).toMatchObject({ status: "succeeded", delivered: true })
    expect(await next.gate.takeOver(id, write.session, next.run)).toMatchObject({ kind: "result" })
    expect((await holdCall(next, write)).approval.id).not.toBe(id)
    expect(next.runs).toEqual([])
  })

  it("I1: what a living process runs is not taken over, nor what one runs itself, however long it slept", async () => {
    const first = await open()
    const { id, outcome, end } = await begun(first)
    const next = await open()
    expect(await next.gate.takeOver(id, write.session, next.run)).toBeNull()
    clock.now += afterLeases
    expect(await first.gate.takeOver(id, write.session, first.run)).toBeNull()
    end(done)
    expect(await outcome).toMatchObject({ result: "written" })
    expect([first.runs, next.runs]).toEqual([[], []])
  })

  it.each([
    { whose: "session", other: { id: "s2" } },
    { whose: "principal", other: { principal: "other" } },
  ])("I2: a run of another $whose does not exist, while it runs and when it is over", async ({ other }) => {
    const { id } = await begun(await open())
    clock.now += afterLeases
    const next = await open()
    const theirs = { ...write.session, ...other }
    expect(await next.gate.takeOver(id, theirs, next.run)).toBeNull()
    await next.gate.takeOver(id, write.session, async () => done)
    expect(await next.gate.takeOver(id, theirs, next.run)).toBeNull()
    expect(next.runs).toEqual([])
  })

  it("I3: what waits, or is approved, is not run by it", async () => {
    const { approval } = await holdCall(await openDeaf(), write)
    clock.now += afterLeases
    const next = await open()
    for (const status of ["pending", "approved"]) {
      expect(await statusOf(next, approval.id)).toBe(status)
      expect(await next.gate.takeOver(approval.id, write.session, next.run)).toBeNull()
      await next.gate.answer(yes(approval))
    }
    expect([await statusOf(next, approval.id), next.runs]).toEqual(["approved", []])
  })

  it("I4: of two that come for it at once, one takes it over", async () => {
    const { id } = await begun(await open())
    clock.now += afterLeases
    const ended = Promise.withResolvers<RunOutcome>()
    let asked = 0
    const run = () => {
      asked += 1
      return ended.promise
    }
    const taking = [await open(), await open()].map(({ gate }) => gate.takeOver(id, write.session, run))
    expect(await Promise.race(taking)).toBeNull()
    ended.resolve(done)
    expect(await Promise.all(taking)).toContainEqual(expect.objectContaining({ result: "written" }))
    expect(asked).toBe(1)
  })

  it("I6: a caller that had left before is given the outcome when it comes back", async () => {
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

  const untilStopped: Run = (_, { cancelled }) => cancelled.then(() => ({ kind: "failed", error: "stopped" }))

  it("I7: who withdrew before is heard by the process that took over", async () => {
    const first = await open()
    const { id } = await begun(first)
    await first.gate.cancel(id, "agent")
    clock.now += afterLeases
    const outcome = await (await open()).gate.takeOver(id, write.session, untilStopped)
    expect(outcome).toMatchObject({ error: "stopped" })
  })

  it("I7: and who withdraws while it is being taken over", async () => {
    const { id } = await begun(await open())
    clock.now += afterLeases
    const beside = await open()
    const plain = memoryStore(clock, database)
    const commit: Store["commit"] = async (change) => {
      const committed = await plain.commit(change)
      const isReleased = change.approvals?.some(({ next }) => next.status === "running" && next.caller === null)
      if (isReleased) await beside.gate.cancel(id, "agent")
      return committed
    }
    const next = await openEngine(policyOf([]), { clock, store: { ...plain, commit } })
    expect(await next.gate.takeOver(id, write.session, untilStopped)).toMatchObject({ error: "stopped" })
  })

  it("I6 of follow-submission: is unknown where whoever came with it is gone by then: it ran, and may not be said not to have", async () => {
    const session = { ...write.session, principal: "wrap:agent" }
    const { id } = await begun(await open(), undefined, { ...write, principal: { id: "wrap:agent" }, session })
    clock.now += afterLeases
    const next = await open()
    const identify = async () => null
    const options = { newId, time: Date.now, instance: "next", keepAliveMs: 1_000, maxBodyBytes: 1_000 }
    const doors = openGateRoutes({ gate: next.gate, identify, ...options })
    const answer = followRun(doors, { token: "wrap", program: "" }, { from: { agent: "agent", session }, approval: id })
    if (!("follow" in answer)) throw new Error("not followed")
    await answer.follow({ ...keepNothing, say: () => {}, isGone: () => true, whenGone: () => () => {} })
    expect(await statusOf(next, id)).toBe("unknown")
  })

  it("I5, I2 of keep-time: a run that nobody comes back with is unknown, not before there was time for it, and stays so", async () => {
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

  it("I2 of keep-time: a process that was there all along waits as long, from the end of the lease", async () => {
    const { id } = await begun(await open())
    const beside = await open()
    clock.now += 30_000 + 14_999
    await beside.gate.expireDue()
    expect(await statusOf(beside, id)).toBe("running")
    clock.now += 1
    await beside.gate.expireDue()
    expect(await statusOf(beside, id)).toBe("unknown")
  })

  it("I1 of keep-time: what a process runs is its own, however late it renews the lease", async () => {
    const engine = await open()
    const { id, outcome, end } = await begun(engine)
    clock.now += 10 * afterLeases
    await engine.gate.expireDue()
    expect(await statusOf(engine, id)).toBe("running")
    end(done)
    expect(await outcome).toMatchObject({ result: "written" })
  })
})
