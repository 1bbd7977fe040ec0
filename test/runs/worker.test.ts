import type { Gate } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { called, calls, givenModel, hangingAfter, said, says, streamOf } from "./given-model.ts"
import {
  answer,
  comesTo,
  countingTools,
  mustBePaused,
  openRuns,
  openStore,
  settled,
  starter,
  startPaused,
  startRun,
  storeKinds,
  whyNot,
} from "./open-runs.ts"

const write = (id: string, path = "a") => called(id, "files__write", JSON.stringify({ path }))
const read = (id: string, path = "a") => called(id, "files__read", JSON.stringify({ path }))
const order = { messages: [{ role: "user" as const, content: "x" }], servers: ["files"] }
const ana = { id: "ana", groups: [] }

/** Says yes to everything the moment it is asked. */
function sayYes(gate: Gate): () => void {
  return gate.events(({ type, subject }) => {
    if (type !== "approval.pending") return
    void gate.approval(subject).then((held) => {
      if (held === undefined) return
      return gate.answer({ approval: held.id, kind: "approve", digest: held.runDigest, reviewer: ana })
    })
  })
}

describe.each(storeKinds)("several replicas on one %s store", (kind) => {
  const why = whyNot(kind)

  it("each run is taken up by one of them, and each call runs once", { timeout: 60_000 }, async ({ skip }) => {
    skip(why !== null, why ?? "")
    const clock = { now: Date.now() }
    const { open, dispose } = await openStore(kind, clock)
    const replicas = []
    for (let n = 0; n < 3; n++) {
      const model = givenModel(() => streamOf(says("Done.")))
      replicas.push(await openRuns([], { model, store: await open(), clock }))
    }
    const starts = await openRuns([], {
      model: givenModel(calls(write("w1", "f"), write("w2", "g"))),
      store: await open(),
      clock,
    })
    const ids: string[] = []
    for (let n = 0; n < 8; n++) ids.push((await startPaused(starts)).id)
    await starts.runs.close()
    for (const id of ids) {
      const { requirements } = mustBePaused(await starts.runs.get(id))
      await Promise.all(requirements.map(({ approval }) => answer(starts, approval, "approve")))
    }
    const [first] = replicas
    if (first === undefined) throw new Error("There is none.")
    for (const id of ids) expect(await comesTo(first, id, "finished")).toMatchObject({ legs: 2 })
    expect(replicas.flatMap(({ tools }) => tools.dispatched)).toHaveLength(16)
    expect(replicas.flatMap(({ troubles }) => troubles)).toEqual([])
    for (const { runs } of replicas) await runs.close()
    for (const { gate, store } of [...replicas, starts]) {
      await gate.close()
      await store.close()
    }
    dispose()
  })

  it("resumed by all at once, with a message each, one wins and the others are told so", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const clock = { now: Date.now() }
    const { open, dispose } = await openStore(kind, clock)
    const asked: unknown[] = []
    const model = () =>
      givenModel(() => {
        asked.push(1)
        return streamOf(says("Done."))
      })
    const replicas = []
    for (let n = 0; n < 3; n++) replicas.push(await openRuns([], { model: model(), store: await open(), clock }))
    const [first] = replicas
    if (first === undefined) throw new Error("There is none.")
    const run = await startRun(first, "x")
    const went = await Promise.all(
      replicas.map(({ runs }, n) => runs.go(run.id, { messages: [{ role: "user", content: `Message ${n}` }] }, "ana")),
    )
    const won = went.filter(({ ok }) => ok)
    expect(won.length).toBeGreaterThanOrEqual(1)
    for (const lost of went) if (!lost.ok) expect(["run-under-way", "run-moved-on"]).toContain(lost.refusal.code)
    await settled(first, run.id)
    expect(asked).toHaveLength(1 + won.length)
    for (const { runs, gate, store } of replicas) {
      await runs.close()
      await gate.close()
      await store.close()
    }
    dispose()
  })

  it("an answer that comes while the run pauses is not missed", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const clock = { now: Date.now() }
    const { open, dispose } = await openStore(kind, clock)
    const store = await open()
    const model = givenModel(calls(write("w1")), calls(write("w2", "b")), calls(write("w3", "c")), says("Done."))
    const world = await openRuns([], {
      model,
      store,
      clock,
      // The pause is known to everybody before this process hears that it was written.
      around: (gate) => ({
        ...gate,
        pauseRun: async (pause) => {
          const paused = await gate.pauseRun(pause)
          await new Promise((resolve) => setTimeout(resolve, 20))
          return paused
        },
      }),
    })
    const stop = sayYes(world.gate)
    const run = await startRun(world, "x")
    await comesTo(world, run.id, "finished")
    expect(world.tools.dispatched.map(({ args }) => args.path)).toEqual(["a", "b", "c"])
    expect(model.prompts).toHaveLength(4)
    stop()
    await world.runs.close()
    await world.gate.close()
    await store.close()
    dispose()
  })
})

describe("whose a run is", () => {
  it("I4: a leg that was thought of for an earlier pause does not begin from a later one", async () => {
    const model = givenModel(calls(write("w1")), calls(write("w2", "b")), says("Done."))
    const world = await openRuns([], { model })
    const { id, requirements } = await startPaused(world)
    await world.runs.close()
    const reached = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    let isFirst = true
    const slow = await openRuns([], {
      model,
      store: world.store,
      clock: world.clock,
      around: (gate) => ({
        ...gate,
        events: () => () => {},
        changeRun: async (...change) => {
          if (isFirst) {
            isFirst = false
            reached.resolve()
            await goesOn.promise
          }
          return gate.changeRun(...change)
        },
      }),
    })
    await answer(world, requirements[0]?.approval ?? null, "approve")
    const late = slow.runs.go(id, {}, null)
    await reached.promise
    const fast = await openRuns([], { model, store: world.store, clock: world.clock })
    await fast.runs.takeUp()
    const second = mustBePaused(await settled(fast, id))
    goesOn.resolve()
    expect(await late).toEqual({ ok: false, refusal: { code: "run-waits", missing: second.requirements } })
    expect((await fast.runs.get(id))?.status).toBe("paused")
    expect(fast.tools.dispatched).toHaveLength(1)
  })

  it("a lease that is renewed during a long call keeps the run; one that is not loses it, and the call is told as unknown", async () => {
    const over = Promise.withResolvers<void>()
    const tools = countingTools(undefined, async () => {
      await over.promise
      return { kind: "succeeded", result: { content: [{ type: "text", text: "late" }] } }
    })
    const model = givenModel(calls(read("r1")), says("Done."))
    const world = await openRuns([], { model, tools })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    await expect.poll(() => tools.dispatched.length).toBe(1)
    const otherTools = countingTools()
    const other = await openRuns([], { model, tools: otherTools, store: world.store, clock: world.clock })
    for (let n = 0; n < 5; n++) {
      world.clock.now += 20_000
      await world.gate.renewLeases()
      await world.runs.renewLeases()
      expect(await other.runs.takeUp()).toBe(0)
    }
    world.clock.now += 31_000
    expect(await other.runs.takeUp()).toBe(1)
    expect(await settled(other, started.run.id)).toMatchObject({ status: "finished", steps: 2 })
    over.resolve()
    await world.runs.close()
    expect(tools.dispatched).toHaveLength(1)
    expect(otherTools.dispatched).toHaveLength(0)
    expect(JSON.stringify(model.prompts.at(-1))).toContain("It is not known whether this call ran")
    expect(model.prompts).toHaveLength(2)
    expect(world.troubles).toEqual([])
  })

  it("a lease that was renewed after somebody saw it lapse is not taken over", async () => {
    const model = givenModel(() => hangingAfter(...said("Well, ")))
    const world = await openRuns([], { model })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    world.clock.now += 31_000
    const other = await openRuns([], {
      model,
      store: world.store,
      clock: world.clock,
      around: (gate) => ({
        ...gate,
        runsToTakeUp: async (limit) => {
          const found = await gate.runsToTakeUp(limit)
          await world.runs.renewLeases()
          return found
        },
      }),
    })
    expect(await other.runs.takeUp()).toBe(0)
    await world.runs.cancel(started.run.id, "ana")
  })

  it("a leg whose run went on elsewhere is stopped, and cannot end what came after it", async () => {
    const failNow = Promise.withResolvers<void>()
    let isFirst = true
    const model = givenModel(async () => {
      if (!isFirst) return streamOf(calls(write("w1")))
      isFirst = false
      await failNow.promise
      throw new Error("500")
    })
    const world = await openRuns([], { model })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const { id } = started.run
    await expect.poll(() => model.prompts.length).toBe(1)
    world.clock.now += 31_000
    const other = await openRuns([], { model, store: world.store, clock: world.clock })
    expect(await other.runs.takeUp()).toBe(1)
    expect((await settled(other, id)).status).toBe("paused")
    failNow.resolve()
    await world.runs.close()
    expect((await other.runs.get(id))?.status).toBe("paused")
    expect(world.troubles).toEqual([])
  })

  it("more that became answerable than a process does at once is taken up as places become free", async () => {
    const model = givenModel(() => streamOf(says("Done.")))
    const world = await openRuns([], { model: givenModel(() => streamOf(calls(write("w1")))) })
    const ids: string[] = []
    for (let n = 0; n < 9; n++) ids.push((await startPaused(world)).id)
    await world.runs.close()
    for (const id of ids) {
      const { requirements } = mustBePaused(await world.runs.get(id))
      await answer(world, requirements[0]?.approval ?? null, "approve")
    }
    const other = await openRuns([], { model, store: world.store, clock: world.clock, limits: { legs: 2 } })
    expect(await other.runs.takeUp()).toBe(2)
    for (const id of ids) await comesTo(other, id, "finished")
    expect(other.tools.dispatched).toHaveLength(9)
  })
})

describe("a service that stops", () => {
  it("lets a call that was sent end, and keeps its outcome; another process goes on from there", async () => {
    const over = Promise.withResolvers<void>()
    const tools = countingTools(undefined, async () => {
      await over.promise
      return { kind: "succeeded", result: { content: [{ type: "text", text: "in time" }] } }
    })
    const model = givenModel(calls(read("r1")), says("Done."))
    const world = await openRuns([], { model, tools })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    await expect.poll(() => tools.dispatched.length).toBe(1)
    const closed = world.runs.close()
    over.resolve()
    await closed
    world.clock.now += 31_000
    const other = await openRuns([], { model, store: world.store, clock: world.clock })
    expect(await other.runs.takeUp()).toBe(1)
    expect(await settled(other, started.run.id)).toMatchObject({ status: "finished" })
    expect(JSON.stringify(model.prompts.at(-1))).toContain("in time")
    expect([...tools.dispatched, ...other.tools.dispatched]).toHaveLength(1)
  })

  it("begins nothing any more, and leaves what was being resumed to others", async () => {
    const model = givenModel(calls(write("w1")), says("Done."))
    const world = await openRuns([], { model })
    const { id, requirements } = await startPaused(world)
    const reached = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    await world.runs.close()
    const stopping = await openRuns([], {
      model,
      store: world.store,
      clock: world.clock,
      around: (gate) => ({
        ...gate,
        changeRun: async (...change) => {
          reached.resolve()
          await goesOn.promise
          return gate.changeRun(...change)
        },
      }),
    })
    await answer(stopping, requirements[0]?.approval ?? null, "approve")
    await reached.promise
    const closed = stopping.runs.close()
    goesOn.resolve()
    await closed
    await expect.poll(async () => (await world.runs.get(id))?.status).toBe("running")
    expect(stopping.tools.dispatched).toEqual([])
    await expect(stopping.runs.start(order, starter)).rejects.toThrow("shutting down")
    world.clock.now += 31_000
    const other = await openRuns([], { model, store: world.store, clock: world.clock })
    await other.runs.takeUp()
    await comesTo(other, id, "finished")
    expect(other.tools.dispatched).toHaveLength(1)
  })

  it("paused runs are no timers", async () => {
    const world = await openRuns([], { model: givenModel(() => streamOf(calls(write("w1")))) })
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    const before = timers()
    for (let n = 0; n < 50; n++) await startPaused(world)
    expect(timers()).toBeLessThanOrEqual(before)
  })
})
