import type { Call, SubmitOptions } from "@byleave/core"
import { type MemoryDatabase, newMemoryDatabase } from "@byleave/store"
import { beforeEach, describe, expect, it } from "vitest"
import { callOf, type Engine, holdCall, memoryStore, openEngine, policyOf, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "/ws/a", content: "x" })
const never = new Promise<boolean>(() => {})
const afterLeases = 31_000

/** What a caller gets, and when it is known to have got it. */
describe("the outcome of a held call on its way to the caller", () => {
  let database: MemoryDatabase
  const clock = { now: 0 }
  const runs: string[] = []

  beforeEach(() => {
    database = newMemoryDatabase()
    clock.now = 1_800_000_000_000
    runs.length = 0
  })

  const open = (): Promise<Engine> => openEngine(policyOf([]), { clock, store: memoryStore(clock, database) })
  const run = async () => {
    runs.push("run")
    return { kind: "succeeded", result: { ran: runs.length } } as const
  }
  const submit = ({ gate }: Engine, call: Call, options: SubmitOptions = {}) => gate.submit(call, run, options)

  /** Asked, approved and run; what its caller received is as `received` says. */
  async function approved(engine: Engine, received?: () => Promise<boolean>): Promise<string> {
    const held = Promise.withResolvers<string>()
    const options = { onHeld: ({ id }: { readonly id: string }) => held.resolve(id) }
    const outcome = submit(engine, write, received === undefined ? options : { ...options, received })
    const approval = await engine.gate.approval(await held.promise)
    if (approval === undefined) throw new Error("held, but not in the store")
    await engine.gate.answer(yes(approval))
    expect(await outcome).toMatchObject({ kind: "result", result: { ran: 1 }, notes: [] })
    return approval.id
  }

  const isAskedAnew = async (engine: Engine, before: string) =>
    expect((await holdCall(engine, write)).approval.id).not.toBe(before)

  const late = (approval: string) => ({ kind: "result", result: { ran: 1 }, approval, notes: ["delivered-late"] })

  it("is given to an identical call, once, when the process died before it was received", async () => {
    const approval = await approved(await open(), () => never)
    clock.now += afterLeases
    const next = await open()
    expect(await submit(next, write)).toEqual(late(approval))
    await isAskedAnew(next, approval)
    expect(runs).toHaveLength(1)
  })

  it("is given again when the process died once more on the way", async () => {
    const approval = await approved(await open(), () => never)
    clock.now += afterLeases
    expect(await submit(await open(), write, { received: () => never })).toEqual(late(approval))
    clock.now += afterLeases
    expect(await submit(await open(), write)).toEqual(late(approval))
    expect(runs).toHaveLength(1)
  })

  it("is kept ten minutes, and then the call is asked anew", async () => {
    const approval = await approved(await open(), () => never)
    clock.now += 10 * 60_000 + 1
    await isAskedAnew(await open(), approval)
  })

  it.each([
    ["did not receive it", () => Promise.resolve(false)],
    ["left in a way nobody understands", () => Promise.reject(new Error("odd"))],
  ])("is given to an identical call at any process once its caller %s", async (_, received) => {
    const [here, there] = [await open(), await open()]
    const approval = await approved(here, received)
    await expect.poll(async () => (await here.gate.approval(approval))?.caller).toBeNull()
    expect(await submit(there, write)).toEqual(late(approval))
    await isAskedAnew(here, approval)
    expect(runs).toHaveLength(1)
  })

  it("is nobody else's while its caller is being given it: the same call is one of its own, at every process", async () => {
    const [here, there] = [await open(), await open()]
    const approval = await approved(here, () => never)
    await isAskedAnew(here, approval)
    await isAskedAnew(there, approval)
    expect(runs).toHaveLength(1)
  })

  it.each(["here", "there"] as const)("is not given to who has received it and calls again %s", async (where) => {
    const engines = { here: await open(), there: await open() }
    const approval = await approved(engines.here)
    await isAskedAnew(engines[where], approval)
  })

  it("is not given again after a clean restart, to whom it was given right before", async () => {
    const received = Promise.withResolvers<boolean>()
    const before = await open()
    const approval = await approved(before, () => received.promise)
    received.resolve(true)
    await before.gate.close()
    await before.store.close()
    await isAskedAnew(await open(), approval)
  })

  it("is not given again at the process whose mark of it failed, and closing does not wait for a caller who never reads", async () => {
    const store = memoryStore(clock, database)
    const troubles: unknown[] = []
    const broken: typeof store = {
      ...store,
      commit: (change) =>
        change.approvals?.some(({ next }) => "delivered" in next && next.delivered) === true
          ? Promise.reject(new Error("no more room"))
          : store.commit(change),
    }
    const engine = await openEngine(policyOf([]), {
      clock,
      store: broken,
      onTrouble: (trouble) => troubles.push(trouble),
    })
    const approval = await approved(engine)
    await isAskedAnew(engine, approval)
    expect(troubles).toHaveLength(1)
    const other = callOf("files(write_file)", { path: "/ws/b", content: "x" })
    const { approval: unread, outcome } = await holdCall(
      {
        ...engine,
        gate: {
          ...engine.gate,
          submit: (call, go, more) => engine.gate.submit(call, go, { ...more, received: () => never }),
        },
      },
      other,
    )
    await engine.gate.answer(yes(unread))
    expect((await outcome).kind).toBe("result")
    await engine.gate.close()
  })
})
