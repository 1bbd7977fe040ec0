import { StoreError } from "@byleave/core"
import { readJournal } from "@byleave/runs"
import { describe, expect, it } from "vitest"
import { memoryStore } from "../engine/open-engine.ts"
import { called, calls, givenModel, hangingAfter, said, says, streamOf } from "./given-model.ts"
import { answer, comesTo, countingTools, openRuns, settled, starter, startPaused, startRun } from "./open-runs.ts"

const write = (id: string, path = "a") => called(id, "files__write", JSON.stringify({ path }))
const read = (id: string, path = "a") => called(id, "files__read", JSON.stringify({ path }))

describe("a model that fails", () => {
  it("after tools ran: the run fails retryable, and goes on without running them or asking again what was answered", async () => {
    let isDown = true
    const model = givenModel(calls(read("r1"), read("r2", "b")), () => {
      if (isDown) throw new Error("500")
      return streamOf(says("Done."))
    })
    const world = await openRuns([], { model })
    const failed = await startRun(world, "x")
    expect(failed).toMatchObject({ status: "failed", retryable: true, detail: "500", steps: 1 })
    isDown = false
    expect(await world.runs.go(failed.id, {}, "ana")).toMatchObject({ ok: true })
    const finished = await settled(world, failed.id)
    expect(finished).toMatchObject({ status: "finished", steps: 2, usage: { input: 20, output: 10 } })
    expect(world.tools.dispatched).toHaveLength(2)
    expect(model.prompts).toHaveLength(3)
    expect(JSON.stringify(model.prompts.at(-1)).match(/read is done/g)).toHaveLength(2)
  })

  it("in a leg that went on from answers: those are kept, and what they let run is not run again", async () => {
    let isDown = true
    const model = givenModel(calls(write("w1"), write("w2", "b")), () => {
      if (isDown) throw new Error("500")
      return streamOf(says("Done."))
    })
    const world = await openRuns([], { model })
    const { id, requirements } = await startPaused(world)
    await answer(world, requirements[0]?.approval ?? null, "approve")
    await answer(world, requirements[1]?.approval ?? null, "deny", { reason: "Not b." })
    await comesTo(world, id, "failed")
    isDown = false
    const again = { messages: [{ role: "user" as const, content: "Try again." }] }
    expect(await world.runs.go(id, again, "ana")).toMatchObject({ ok: true })
    expect(await settled(world, id)).toMatchObject({ status: "finished" })
    expect(world.tools.dispatched).toEqual([{ tool: "write", args: { path: "a" } }])
    const roles = model.prompts.at(-1)?.map(({ role }) => role)
    expect(roles).toEqual(["user", "assistant", "tool", "user"])
    expect(JSON.stringify(model.prompts.at(-1))).toContain("Not b.")
    expect(world.troubles).toEqual([])
  })

  it("is gone, or its key was taken back: retryable, in words, and the run goes on when it is back", async () => {
    const model = givenModel(calls(write("w1")), says("Done."))
    let isThere = true
    const openModel = async () => {
      if (isThere) return model
      throw new Error("There is no model named main. Add it under `models:`.")
    }
    const failureOf = () => ({ retryable: false, detail: "There is no model named main." })
    const world = await openRuns([], { openModel, failureOf })
    const { id, requirements } = await startPaused(world)
    isThere = false
    await answer(world, requirements[0]?.approval ?? null, "approve")
    const failed = await comesTo(world, id, "failed")
    expect(failed).toMatchObject({ retryable: true, detail: expect.stringContaining("no model named main") })
    expect(world.tools.dispatched).toEqual([])
    isThere = true
    await world.runs.go(id, {}, "ana")
    expect(await settled(world, id)).toMatchObject({ status: "finished" })
    expect(world.tools.dispatched).toHaveLength(1)
  })

  it("breaks off: what it had said is not taken for an answer, and no call of it runs", async () => {
    for (const cut of [
      said("Half an ans"),
      [read("r1")],
      [read("r1"), { type: "error" as const, error: new Error("overloaded") }],
    ]) {
      const world = await openRuns([], { model: givenModel(cut, says("Done.")) })
      const failed = await startRun(world, "x")
      expect(failed).toMatchObject({ status: "failed", retryable: true })
      expect(world.tools.dispatched).toEqual([])
      expect((await readJournal(world.gate, failed.id)).answers).toEqual([])
      await world.runs.go(failed.id, {}, "ana")
      expect(await settled(world, failed.id)).toMatchObject({ status: "finished" })
    }
  })

  it.each([
    { name: "does not begin", hang: () => new Promise<never>(() => {}), timeouts: { answerMs: 30 } },
    { name: "has begun and says nothing", hang: () => hangingAfter(), timeouts: { firstChunkMs: 30 } },
    { name: "stops in the middle", hang: () => hangingAfter(...said("Half")), timeouts: { chunkMs: 30 } },
    { name: "goes on and on", hang: () => endless(), timeouts: { answerMs: 60 } },
  ])("an answer that $name is given up in time, and may be asked for again", async ({ hang, timeouts }) => {
    const model = givenModel(hang, says("Done."))
    const world = await openRuns([], { model, timeouts })
    const failed = await startRun(world, "x")
    expect(failed).toMatchObject({ status: "failed", retryable: true })
    await world.runs.go(failed.id, {}, "ana")
    expect(await settled(world, failed.id)).toMatchObject({ status: "finished" })
    expect(world.troubles).toEqual([])
  })

  it("a tool that takes longer than any model may is waited for", async () => {
    const tools = countingTools(undefined, async () => {
      // Longer than each of the model's times below: it is those timers that must not count for a tool.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return { kind: "succeeded", result: { content: [] } }
    })
    const timeouts = { answerMs: 1_000, firstChunkMs: 500, chunkMs: 500 }
    const world = await openRuns([], { model: givenModel(calls(read("r1")), says("Done.")), tools, timeouts })
    expect(await startRun(world, "x")).toMatchObject({ status: "finished" })
  })
})

describe("a store that fails", () => {
  /** A store that can be told when to be down. */
  function breakable() {
    const clock = { now: 1_800_000_000_000 }
    const store = memoryStore(clock)
    const state = { isDown: false }
    const commit: typeof store.commit = (change) =>
      state.isDown ? Promise.reject(new StoreError("unavailable", "the database is down.")) : store.commit(change)
    return { clock, state, store: { ...store, commit } }
  }

  it("between a model's answer and the dispatch: nothing is dispatched or lost, and the run goes on by itself after", async () => {
    const { clock, state, store } = breakable()
    const model = givenModel(calls(read("r1"), write("w1")), says("Done."))
    let tries = 0
    const world = await openRuns([], {
      model,
      store,
      clock,
      around: (gate) => ({
        ...gate,
        tryCall: (...tried) => {
          tries += 1
          state.isDown = tries <= 2
          return gate.tryCall(...tried).finally(() => {
            state.isDown = false
          })
        },
      }),
    })
    const started = await world.runs.start({ messages: [{ role: "user", content: "x" }], servers: ["files"] }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const { id } = started.run
    await expect.poll(() => world.troubles.length).toBe(1)
    expect(world.troubles[0]).toBeInstanceOf(StoreError)
    expect(world.tools.dispatched).toEqual([])
    expect((await world.runs.get(id))?.status).toBe("running")
    expect(await world.runs.takeUp()).toBe(0)
    clock.now += 31_000
    expect(await world.runs.takeUp()).toBe(1)
    const paused = await settled(world, id)
    expect(paused.status).toBe("paused")
    expect(world.tools.dispatched).toEqual([{ tool: "read", args: { path: "a" } }])
    expect(model.prompts).toHaveLength(1)
    const { messages } = await readJournal(world.gate, id)
    expect(JSON.stringify(messages)).not.toContain("could not be recorded")
  })

  it("after a call has run: its outcome is not known, the model is told so, and it is not run again", async () => {
    const { clock, state, store } = breakable()
    const model = givenModel(calls(read("r1")), says("Done."))
    const tools = countingTools(undefined, async () => {
      state.isDown = true
      return { kind: "succeeded", result: { content: [] } }
    })
    const world = await openRuns([], { model, store, clock, tools })
    const started = await world.runs.start({ messages: [{ role: "user", content: "x" }], servers: ["files"] }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    await expect.poll(() => world.troubles.length).toBeGreaterThan(0)
    state.isDown = false
    clock.now += 31_000
    await world.runs.takeUp()
    expect(await settled(world, started.run.id)).toMatchObject({ status: "finished" })
    expect(tools.dispatched).toHaveLength(1)
    expect(JSON.stringify(model.prompts.at(-1))).toContain("It is not known whether this call ran")
    expect(model.prompts).toHaveLength(2)
  })

  it("while an approved call is claimed: it stays approved, the model is told nothing of it, and it runs after", async () => {
    const clock = { now: 1_800_000_000_000 }
    const store = memoryStore(clock)
    let isDown = true
    const commit: typeof store.commit = (change) => {
      const isClaim = change.approvals?.some(({ next }) => next.status === "running") === true
      if (!isClaim || !isDown) return store.commit(change)
      isDown = false
      return Promise.reject(new StoreError("unavailable", "the database is down."))
    }
    const model = givenModel(calls(write("w1")), says("Done."))
    const world = await openRuns([], { model, store: { ...store, commit }, clock })
    const { id, requirements } = await startPaused(world)
    await answer(world, requirements[0]?.approval ?? null, "approve")
    await expect.poll(() => world.troubles.length).toBe(1)
    expect(await world.gate.approval(requirements[0]?.approval ?? "")).toMatchObject({ status: "approved" })
    expect(world.tools.dispatched).toEqual([])
    clock.now += 31_000
    await world.runs.takeUp()
    await comesTo(world, id, "finished")
    expect(world.tools.dispatched).toHaveLength(1)
    expect(JSON.stringify(model.prompts.at(-1))).toContain("write is done")
  })
})

describe("defects", () => {
  it("whoever watches and throws does not stop a run", async () => {
    const world = await openRuns([], { model: givenModel(says("Done.")) })
    const started = await world.runs.start({ messages: [{ role: "user", content: "x" }], servers: [] }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    world.runs.watch(started.run.id, () => {
      throw new Error("I only watch.")
    })
    expect(await settled(world, started.run.id)).toMatchObject({ status: "finished" })
    expect(world.troubles.length).toBeGreaterThan(0)
  })

  it("a journal that cannot be read ends the run instead of coming back for ever", async () => {
    const world = await openRuns([], { model: givenModel(calls(write("w1")), says("Done.")) })
    const { id, requirements } = await startPaused(world)
    await world.runs.close()
    await answer(world, requirements[0]?.approval ?? null, "approve")
    const other = await openRuns([], {
      model: givenModel(says("Done.")),
      store: world.store,
      clock: world.clock,
      around: (gate) => ({
        ...gate,
        journal: async (run, after) => (await gate.journal(run, after)).map((line) => ({ ...line, text: "{" })),
      }),
    })
    await other.runs.takeUp()
    expect(await comesTo(other, id, "failed")).toMatchObject({ retryable: false })
    expect(await other.runs.takeUp()).toBe(0)
  })
})

function endless() {
  let n = 0
  return new ReadableStream({
    pull: async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      controller.enqueue(n === 0 ? { type: "text-start", id: "t" } : { type: "text-delta", id: "t", delta: "on " })
      n += 1
    },
  })
}
