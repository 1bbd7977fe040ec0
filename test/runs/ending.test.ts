import type { StoreEvent } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { called, calls, givenModel, hangingAfter, said, says } from "./given-model.ts"
import {
  answer,
  comesTo,
  countingTools,
  openRuns,
  openStore,
  settled,
  starter,
  startPaused,
  storeKinds,
  whyNot,
} from "./open-runs.ts"

const write = (id: string, path = "a") => called(id, "files__write", JSON.stringify({ path }))
const read = (id: string, path = "a") => called(id, "files__read", JSON.stringify({ path }))
const order = { messages: [{ role: "user" as const, content: "x" }], servers: ["files"] }
const message = { messages: [{ role: "user" as const, content: "Go on." }] }

describe.each(storeKinds)("ending a run on %s", (kind) => {
  const why = whyNot(kind)

  it("that is paused withdraws what waits for it in the same commit", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const clock = { now: Date.now() }
    const { open, dispose } = await openStore(kind, clock)
    const store = await open()
    const world = await openRuns([], {
      model: givenModel(calls(write("w1"), write("w2")), says("Done.")),
      store,
      clock,
    })
    const { id, requirements } = await startPaused(world)
    const commits: string[][] = []
    const other = await openRuns([], {
      clock,
      store: {
        ...store,
        commit: (change) => {
          if (change.runs !== undefined) {
            commits.push((change.approvals ?? []).map(({ next }) => `${next.id} ${next.status}`))
          }
          return store.commit(change)
        },
      },
    })
    expect(await other.runs.cancel(id, "ana")).toMatchObject({ ok: true, run: { status: "cancelled", by: "ana" } })
    expect(commits).toEqual([requirements.map(({ approval }) => `${approval} cancelled`)])
    for (const { approval } of requirements) {
      const held = await world.gate.approval(approval ?? "")
      const late = { approval: approval ?? "", kind: "approve" as const, digest: held?.runDigest ?? "" }
      expect(await world.gate.answer({ ...late, reviewer: { id: "ana", groups: [] } })).toMatchObject({ ok: false })
    }
    expect(await other.runs.go(id, message, "ana")).toMatchObject({ ok: false, refusal: { code: "run-ended" } })
    expect(world.tools.dispatched).toEqual([])
    await store.close()
    dispose()
  })

  it("that is about to run what was approved: nothing of it runs after the cancel", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const clock = { now: Date.now() }
    const { open, dispose } = await openStore(kind, clock)
    const store = await open()
    const reached = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<void>()
    // What decides is the one commit of the cancel: whatever it does after that comes late here.
    const commit: typeof store.commit = async (change) => {
      const committed = await store.commit(change)
      const [run] = change.runs ?? []
      if (run === undefined || !("next" in run) || run.next.status !== "cancelled") return committed
      cancelled.resolve()
      await new Promise((resolve) => setTimeout(resolve, 50))
      return committed
    }
    const world = await openRuns([], {
      model: givenModel(calls(write("w1")), says("Done.")),
      store: { ...store, commit },
      clock,
      around: (gate) => ({
        ...gate,
        takeUpCall: async (...taken) => {
          reached.resolve()
          await cancelled.promise
          return gate.takeUpCall(...taken)
        },
      }),
    })
    const { id, requirements } = await startPaused(world)
    await answer(world, requirements[0]?.approval ?? null, "approve")
    await reached.promise
    await world.runs.cancel(id, "ana")
    expect(await world.gate.approval(requirements[0]?.approval ?? "")).toMatchObject({ status: "cancelled" })
    await world.runs.close()
    await world.gate.close()
    expect(world.tools.dispatched).toEqual([])
    await store.close()
    dispose()
  })

  it("at another replica stops the leg here, its model and its call", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const clock = { now: Date.now() }
    const { open, dispose } = await openStore(kind, clock)
    const told = Promise.withResolvers<string>()
    const tools = countingTools()
    const call: typeof tools.call = async (made, args, { cancelled }) => {
      void tools.call(made, args, { approval: null, extraParams: undefined, cancelled })
      await cancelled
      told.resolve("The server was told.")
      return { kind: "unknown", detail: "It was cancelled." }
    }
    const [here, there] = [await open(), await open()]
    const world = await openRuns([], {
      model: givenModel(calls(read("r1")), says("Done.")),
      store: here,
      clock,
      tools: { ...tools, call },
    })
    const other = await openRuns([], { store: there, clock })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const ended = new Promise<void>((resolve) => {
      world.runs.watch(started.run.id, ({ type }) => type === "leg-ended" && resolve())
    })
    await expect.poll(() => tools.dispatched.length).toBe(1)
    expect(await other.runs.cancel(started.run.id, "ben")).toMatchObject({ ok: true })
    await ended
    expect(await told.promise).toBe("The server was told.")
    expect((await world.runs.get(started.run.id))?.status).toBe("cancelled")
    await here.close()
    await there.close()
    dispose()
  })
})

describe("while a run waits or works", () => {
  it("a message is refused, and says which calls are not answered", async () => {
    const world = await openRuns([], { model: givenModel(calls(write("w1"), write("w2")), says("Done.")) })
    const { id, requirements } = await startPaused(world)
    await answer(world, requirements[0]?.approval ?? null, "approve")
    const refused = await world.runs.go(id, message, "ana")
    expect(refused).toEqual({ ok: false, refusal: { code: "run-waits", missing: [requirements[1]] } })
    expect((await world.runs.get(id))?.status).toBe("paused")
    await answer(world, requirements[1]?.approval ?? null, "deny")
    await comesTo(world, id, "finished")
  })

  it("a message is refused while a leg is under way, and a cancel stops the model", async () => {
    const stopped = Promise.withResolvers<void>()
    const model = givenModel(({ abortSignal }) => {
      abortSignal?.addEventListener("abort", () => stopped.resolve())
      return hangingAfter(...said("Well, "))
    })
    const world = await openRuns([], { model })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const { id } = started.run
    expect(await world.runs.go(id, message, "ana")).toMatchObject({ ok: false, refusal: { code: "run-under-way" } })
    await expect.poll(() => model.prompts.length).toBe(1)
    await world.runs.cancel(id, "ana")
    await stopped.promise
    expect(await settled(world, id)).toMatchObject({ status: "cancelled" })
    expect(await world.runs.cancel(id, "ana")).toMatchObject({ ok: false, refusal: { code: "run-ended" } })
  })

  it("a run that is removed is gone with its journal, and its calls with it", async () => {
    const world = await openRuns([], { model: givenModel(calls(write("w1")), says("Done.")) })
    const { id, requirements } = await startPaused(world)
    expect(await world.runs.remove(id, "ana")).toBe(true)
    expect(await world.runs.get(id)).toBeUndefined()
    expect(await world.gate.journal(id, 0)).toEqual([])
    expect(await world.gate.approval(requirements[0]?.approval ?? "")).toMatchObject({ status: "cancelled" })
  })

  it("an approval that is withdrawn tells whoever runs the call", async () => {
    const world = await openRuns([], { model: givenModel(calls(write("w1")), says("Done.")) })
    const { id } = await startPaused(world)
    const events: StoreEvent["type"][] = []
    world.gate.events(({ type }) => events.push(type))
    await world.runs.cancel(id, "ana")
    await expect.poll(() => events).toContain("approval.cancelled")
  })
})
