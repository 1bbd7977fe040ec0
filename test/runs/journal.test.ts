import { type Change, createRedactor } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { memoryStore, policyOf, rule } from "../engine/open-engine.ts"
import { called, calls, givenModel, says } from "./given-model.ts"
import { countingTools, openRuns, settled, starter, startPaused } from "./open-runs.ts"

const write = (id: string, path = "a") => called(id, "files__write", JSON.stringify({ path }))
const read = (id: string, path = "a") => called(id, "files__read", JSON.stringify({ path }))
const order = { messages: [{ role: "user" as const, content: "x" }], servers: ["files"] }

describe("what is written of a run", () => {
  it("I1, I2: the pause, the calls it waits for, their records and the messages are one commit; before it nothing tells of them", async () => {
    const clock = { now: 1_800_000_000_000 }
    const store = memoryStore(clock)
    const commits: Change[] = []
    const commit: typeof store.commit = (change) => {
      commits.push(change)
      return store.commit(change)
    }
    const model = givenModel(calls(read("r1"), write("w1"), write("w2", "b")), says("Done."))
    const world = await openRuns([], { model, clock, store: { ...store, commit } })
    const { requirements } = await startPaused(world)
    const asking = commits.filter(
      ({ approvals = [], records }) => approvals.length > 0 || records.some(({ type }) => type === "call.asked"),
    )
    expect(asking).toHaveLength(1)
    const [pause] = asking
    expect(pause?.approvals?.map(({ next }) => next.id)).toEqual(requirements.map(({ approval }) => approval))
    expect(pause?.runs).toMatchObject([{ next: { status: "paused", requirements } }])
    expect(pause?.journal?.lines.map(({ name }) => name)).toEqual(["leg 1"])
    expect(pause?.records.map(({ type }) => type)).toEqual(["call.asked", "call.asked", "agent-run.paused"])
  })

  it("no configured secret, though a model repeats it in pieces", async () => {
    const key = "modelkey-verysecret-123456"
    const delta = (text: string) => ({ type: "text-delta", id: "t", delta: text }) as const
    const text = [
      { type: "text-start", id: "t" },
      delta("It is modelkey-very"),
      delta("secret-123456."),
      { type: "text-end", id: "t" },
    ] as const
    const thought = [
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: `Hm, ${key}.` },
      { type: "reasoning-end", id: "r" },
    ] as const
    const model = givenModel(
      [...thought, ...text, ...calls(read("r1"))],
      [...thought, ...text, ...says("Done.").slice(-1)],
    )
    const { redactText } = createRedactor({ values: [key] })
    const world = await openRuns([], { model, redactText })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    expect(await settled(world, started.run.id)).toMatchObject({ status: "finished" })
    const written = JSON.stringify(await world.gate.journal(started.run.id, 0))
    expect(written).not.toContain(key)
    expect(written.match(/‹secret, 26 characters›/g)).toHaveLength(8)
  })

  it("I3: who has the run no more writes nothing, however free the place is", async () => {
    const clock = { now: 1_800_000_000_000 }
    const never = new Promise<never>(() => {})
    const world = await openRuns([], { model: givenModel(() => never), clock })
    const started = await world.runs.start(order, starter)
    if (!started.ok || started.run.status !== "running") throw new Error("It does not run.")
    const { id } = started.run
    const taken = await world.gate.changeRun(id, (_, { at, leaseUntil }) => ({
      ...{ type: "take-over" as const, from: started.run.status === "running" ? started.run.owner : "" },
      ...{ isGone: true, owner: "another process", leaseUntil, at },
    }))
    expect(taken).toMatchObject({ ok: true })
    const line = { run: id, seq: 99, name: "note 1.99", at: clock.now, text: "{}" }
    expect(await world.gate.journalLines(started.run, [line])).toBe(false)
    expect((await world.gate.journal(id, 0)).map(({ name }) => name)).toEqual(["input 1"])
    await world.runs.close()
  })

  it("I2: a call that was begun by a process which is gone is told as unknown, whatever policy says of it by now", async () => {
    const clock = { now: 1_800_000_000_000 }
    const tools = countingTools(undefined, () => new Promise(() => {}))
    const model = givenModel(calls(read("r1")), says("Done."))
    const world = await openRuns([], { model, clock, tools })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    await expect.poll(() => tools.dispatched.length).toBe(1)
    clock.now += 31_000
    for (const policy of [
      policyOf([], { version: "asks" }),
      policyOf([rule("deny", "files(*)")], { version: "denies" }),
    ]) {
      await world.gate.replacePolicy(policy, "ana")
    }
    const other = await openRuns([], { model, clock, store: world.store, policy: policyOf([], { version: "asks" }) })
    await other.runs.takeUp()
    expect(await settled(other, started.run.id)).toMatchObject({ status: "finished" })
    expect(JSON.stringify(model.prompts.at(-1))).toContain("It is not known whether this call ran")
    expect([...tools.dispatched, ...other.tools.dispatched]).toHaveLength(1)
  })

  it("I4: a function of the host that nobody is asked about is written down before it runs, and does not run again", async () => {
    const clock = { now: 1_800_000_000_000 }
    const model = givenModel(calls(called("c1", "clock", '{"zone":"UTC"}')), says("Done."))
    const ran: unknown[] = []
    const hanging = (args: unknown) => {
      ran.push(args)
      return new Promise<never>(() => {})
    }
    const ungated = { clock: { inputSchema: { type: "object" }, run: hanging } }
    const world = await openRuns([], { model, clock, ungated })
    const started = await world.runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    await expect.poll(() => ran.length).toBe(1)
    clock.now += 31_000
    const other = await openRuns([], { model, clock, ungated, store: world.store })
    await other.runs.takeUp()
    expect(await settled(other, started.run.id)).toMatchObject({ status: "finished" })
    expect(ran).toEqual([{ zone: "UTC" }])
    expect(JSON.stringify(model.prompts.at(-1))).toContain("It is not known whether this call ran")
  })

  it("I3: who starts a run can have more asked about, and never makes a no into a question", async () => {
    const made = calls(read("r1"), called("d1", "files__delete", "{}"))
    const world = await openRuns([], { model: givenModel(made, says("Done.")), askFirst: () => true })
    const { requirements } = await startPaused(world)
    expect(requirements.map(({ tool }) => tool.tool)).toEqual(["read"])
    expect(world.tools.dispatched).toEqual([])
  })
})
