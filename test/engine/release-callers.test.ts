import { type Store, StoreError } from "@byleave/core"
import { type MemoryDatabase, newMemoryDatabase } from "@byleave/store"
import { beforeEach, describe, expect, it } from "vitest"
import { callOf, type Engine, holdCall, memoryStore, openEngine, policyOf, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "/ws/a" })
const afterLeases = 31_000

describe("who waited at a process that is gone", () => {
  let database: MemoryDatabase
  const clock = { now: 0 }

  beforeEach(() => {
    database = newMemoryDatabase()
    clock.now = 1_800_000_000_000
  })

  const open = (over: Partial<Store> = {}): Promise<Engine> =>
    openEngine(policyOf([]), { clock, store: { ...memoryStore(clock, database), ...over } })
  /** One that hears of nothing any more. */
  const openDeaf = (): Promise<Engine> => open({ subscribe: () => () => {} })
  const callerOf = async ({ gate }: Engine, { id }: { readonly id: string }) => (await gate.approval(id))?.caller

  it("I1: waits no more: a yes then is for the next identical call", async () => {
    const { approval } = await holdCall(await openDeaf(), write)
    const beside = await open()
    clock.now += afterLeases
    await beside.gate.renewLeases()
    await expect.poll(() => callerOf(beside, approval)).toBeNull()
    await beside.gate.answer(yes(approval))
    expect((await beside.gate.approval(approval.id))?.status).toBe("approved")
    expect(await beside.submit(write)).toMatchObject({ kind: "result", approval: approval.id })
  })

  it("I2: is told from who waits at one that lives, or here", async () => {
    const living = await open()
    const here = await open()
    const kept = [await holdCall(living, callOf("files(a)")), await holdCall(here, callOf("files(b)"))]
    const { approval } = await holdCall(await openDeaf(), write)
    await here.gate.renewLeases()
    clock.now += afterLeases
    await living.gate.renewLeases()
    await here.gate.renewLeases()
    await expect.poll(() => callerOf(here, approval)).toBeNull()
    for (const { approval } of kept) expect(await callerOf(here, approval)).toBe(approval.caller)
  })

  it("I3: is released as soon as a gate opens", async () => {
    const { approval } = await holdCall(await openDeaf(), write)
    clock.now += afterLeases
    const next = await open()
    await expect.poll(() => callerOf(next, approval)).toBeNull()
  })

  it("I3: is released at the next look where the store failed at this one", async () => {
    const { approval } = await holdCall(await openDeaf(), write)
    const plain = memoryStore(clock, database)
    const failing = Promise.withResolvers<void>()
    let isBusy = false
    const approvals: Store["approvals"] = async (query) => {
      if (!isBusy) return plain.approvals(query)
      failing.resolve()
      throw new StoreError("busy", "another process writes.")
    }
    const beside = await openEngine(policyOf([]), { clock, store: { ...plain, approvals }, onTrouble: () => {} })
    clock.now += afterLeases
    isBusy = true
    await beside.gate.renewLeases()
    await failing.promise
    isBusy = false
    await expect
      .poll(async () => {
        await beside.gate.renewLeases()
        return callerOf(beside, approval)
      })
      .toBeNull()
  })

  it("I4: leaves a permit where a yes was given, which lives ten minutes from its session's next sign of life", async () => {
    const { approval } = await holdCall(await openDeaf(), write)
    const beside = await open()
    await beside.gate.answer(yes(approval))
    clock.now += afterLeases
    await beside.gate.renewLeases()
    await expect.poll(() => callerOf(beside, approval)).toBeNull()
    await holdCall(beside, callOf("files(other)"))
    await expect
      .poll(() => beside.gate.approval(approval.id))
      .toMatchObject({ status: "approved", expiresAt: clock.now + 10 * 60_000 })
  })
})
