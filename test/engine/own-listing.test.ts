/** Connections of one server may list other definitions, and programs of one name be others: each call is judged by its own. */
import { type Call, type ListedTool, programPin, type ToolDefinition } from "@byleave/core"
import { newMemoryDatabase } from "@byleave/store"
import { afterEach, describe, expect, it } from "vitest"
import { ana, callOf, type Engine, holdCall, memoryStore, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const tool = (description: string): ToolDefinition => ({ name: "write", description, inputSchema: { type: "object" } })
const program = (path: string): ToolDefinition => ({ name: programPin, description: path, program: path })
const good = tool("Writes a note.")
const changed = tool("Writes a note, and sends it elsewhere.")
const one = program("/one/server.js")
const other = program("/other/server.js")
const allowed = policyOf([rule("allow", "files(write)"), rule("allow", "files(resource:*)")])

const engines: Engine[] = []
async function open(more: Parameters<typeof openEngine>[1] = {}): Promise<Engine> {
  const engine = await openEngine(allowed, more)
  engines.push(engine)
  return engine
}
afterEach(async () => {
  for (const { gate } of engines.splice(0)) await gate.close()
})

function listing(listed: ListedTool, more: Partial<Call> = {}): Call {
  return callOf("files(write)", { path: "a" }, { listed, ...more })
}

/** Does not wait for a person. */
const atOnce = { until: () => Promise.resolve() }

/** Held, approved, and not yet taken up again. */
async function approve(asked: Call, { gate, run, store }: Pick<Engine, "gate" | "run" | "store">): Promise<string> {
  const ticket = await gate.submit(asked, run, atOnce)
  if (ticket.kind !== "ticket") throw new Error(`It came to ${ticket.kind}.`)
  const held = await store.approval(ticket.approval)
  if (held === undefined) throw new Error("It is not in the store.")
  expect(await gate.answer(yes(held))).toMatchObject({ ok: true })
  return held.id
}

describe("a call of a connection that lists something else than what was accepted", () => {
  it("is asked about, though another connection was heard last and lists what was accepted", async () => {
    const { gate, run, runs } = await open()
    await gate.seeTools("files", [good])
    await gate.seeTools("files", [changed])
    await gate.seeTools("files", [good])
    expect(await gate.submit(listing({ definition: changed }), run, atOnce)).toMatchObject({ kind: "ticket" })
    expect(runs).toHaveLength(0)
    expect(await gate.submit(listing({ definition: good }), run, atOnce)).toMatchObject({ kind: "result" })
    expect(runs).toHaveLength(1)
  })

  it("leaves what waits of the accepted one alone, as long as a connection lists that", async () => {
    const { gate, run, runs, store } = await open()
    await gate.replacePolicy(policyOf([]), ana.id)
    await gate.seeTools("files", [good])
    const { approval, outcome } = await holdCall({ gate, run }, listing({ definition: good }))
    await gate.seeTools("files", [changed], [good])
    expect(await gate.answer(yes(approval))).toMatchObject({ ok: true })
    expect(await outcome).toMatchObject({ kind: "result" })
    expect(runs).toHaveLength(1)
    const last = await holdCall({ gate, run }, listing({ definition: good }, { args: { path: "b" } }))
    await gate.seeTools("files", [tool("Another again.")])
    expect(await last.outcome).toMatchObject({ kind: "refusal", refusal: { code: "superseded" } })
    expect((await store.approval(last.approval.id))?.status).toBe("superseded")
  })

  it("does not take up what was approved of the accepted one", async () => {
    const { gate, run, runs, store } = await open()
    await gate.replacePolicy(policyOf([]), ana.id)
    await gate.seeTools("files", [good])
    const approved = await approve(listing({ definition: good }), { gate, run, store })
    expect(await gate.submit(listing({ definition: changed }), run, atOnce)).toMatchObject({ kind: "ticket" })
    const attached = await gate.attach(approved, listing({ definition: changed }), run, atOnce)
    expect(attached).not.toMatchObject({ kind: "result" })
    expect(runs).toHaveLength(0)
  })
})

describe("an edit of a call whose connection lists another definition", () => {
  const upTo = (maxLength: number): ToolDefinition => ({
    name: "write",
    inputSchema: { type: "object", properties: { path: { type: "string", maxLength } } },
  })
  const edited = { args: { path: "abcdef" } }

  it("is judged by that definition, where it is known", async () => {
    const { gate, run, runs } = await open()
    await gate.replacePolicy(policyOf([]), ana.id)
    await gate.seeTools("files", [upTo(9)])
    const known = await holdCall({ gate, run }, listing({ definition: upTo(9) }))
    await gate.seeTools("files", [upTo(3)], [upTo(9)])
    expect(await gate.answer({ ...yes(known.approval), ...edited })).toMatchObject({ ok: true })
    expect(await known.outcome).toMatchObject({ kind: "result" })
    expect(runs).toEqual([edited.args])
  })

  it.each([3, 9])("is refused where it is not, whatever others list: up to %i characters", async (length) => {
    const { gate, run, runs } = await open()
    await gate.replacePolicy(policyOf([]), ana.id)
    await gate.seeTools("files", [upTo(12 - length)])
    const { approval } = await holdCall({ gate, run }, listing({ definition: upTo(length) }))
    expect(await gate.answer({ ...yes(approval), ...edited })).toMatchObject({
      ok: false,
      refusal: { code: "invalid-arguments", problems: [expect.stringMatching(/cannot be edited/)] },
    })
    expect(await gate.answer(yes(approval))).toMatchObject({ ok: true })
    expect(runs).not.toContainEqual(edited.args)
  })
})

describe("a program of the same name", () => {
  it("runs nothing on a yes to the accepted one, whichever gate it calls and whoever was heard last", async () => {
    const clock = { now: 1_800_000_000_000 }
    const database = newMemoryDatabase()
    const here = await open({ clock, store: memoryStore(clock, database) })
    const there = await open({ clock, store: memoryStore(clock, database) })
    await here.gate.seeTools("files", [one, good])
    await there.gate.seeTools("files", [other, good])
    await here.gate.seeTools("files", [one, good])
    for (const { gate, run } of [here, there]) {
      const asked = await gate.submit(listing({ definition: good, program: other }), run, atOnce)
      expect(asked).toMatchObject({ kind: "ticket" })
    }
    expect([...here.runs, ...there.runs]).toHaveLength(0)
    const ran = await there.gate.submit(listing({ definition: good, program: one }), there.run, atOnce)
    expect(ran).toMatchObject({ kind: "result" })
  })

  it.each(["resource", "prompt"] as const)(
    "gives no %s before it is accepted, and the no is recorded",
    async (kind) => {
      const { gate, run, runs, store } = await open()
      await gate.seeTools("files", [one, good])
      const asked = listing({ program: other }, { kind, tool: { server: "files", tool: "a" } })
      const target = { server: "files", kind, name: "a" }
      expect(await gate.judge(target, {}, asked)).toMatchObject({ effect: "deny", because: { pin: "other-program" } })
      expect(await gate.submit(asked, run)).toMatchObject({ kind: "refusal", refusal: { code: "other-program" } })
      expect(runs).toHaveLength(0)
      expect(JSON.stringify(await store.records({ limit: 100 }))).toContain("other-program")
      await gate.seeTools("files", [other, good])
      const fingerprint = (await store.decisionState()).pins.find((pin) => pin.tool === programPin)?.proposed
        ?.fingerprint
      await gate.acceptDefinition({ server: "files", tool: programPin }, fingerprint ?? "", ana)
      expect(await gate.judge(target, {}, asked)).not.toMatchObject({ because: { pin: "other-program" } })
    },
  )

  const resource = (from: ToolDefinition) =>
    listing({ program: from }, { kind: "resource", tool: { server: "files", tool: "a" } })
  const target = { server: "files", kind: "resource", name: "a" } as const

  it("is another one also where neither lists a tool, and the first goes on while it waits", async () => {
    const { gate, run, store } = await open()
    await gate.seeProgram("files", one)
    await gate.seeProgram("files", other)
    expect(await gate.submit(resource(other), run)).toMatchObject({ refusal: { code: "other-program" } })
    expect(await gate.submit(resource(one), run)).toMatchObject({ kind: "result" })
    await gate.seeProgram("files", one)
    const [pin] = (await store.decisionState()).pins
    expect(pin).toMatchObject({ accepted: { definition: one }, proposed: { definition: other } })
    await gate.acceptDefinition({ server: "files", tool: programPin }, pin?.proposed?.fingerprint ?? "", ana)
    expect(await gate.judge(target, {}, resource(other))).toMatchObject({ effect: "allow" })
    expect(await gate.judge(target, {}, resource(one))).toMatchObject({ effect: "allow" })
    await gate.rejectDefinition({ server: "files", tool: programPin }, pin?.accepted?.fingerprint ?? "", ana)
    expect(await gate.judge(target, {}, resource(one))).toMatchObject({ because: { pin: "other-program" } })
    expect(await gate.judge(target, {}, resource(other))).toMatchObject({ effect: "allow" })
  })

  it("is asked about each tool, where the first is allowed what it never lists", async () => {
    const { gate, run } = await open()
    await gate.seeProgram("files", one)
    expect(await gate.submit(listing({ program: one }), run, atOnce)).toMatchObject({ kind: "result" })
    await gate.seeProgram("files", other)
    expect(await gate.submit(listing({ program: other }), run, atOnce)).toMatchObject({ kind: "ticket" })
    expect(await gate.submit(listing({ program: one }), run, atOnce)).toMatchObject({ kind: "result" })
  })

  it("that comes at the same time, at whichever gate, is not the first as well", async () => {
    const clock = { now: 1_800_000_000_000 }
    const database = newMemoryDatabase()
    const here = await open({ clock, store: memoryStore(clock, database) })
    const there = await open({ clock, store: memoryStore(clock, database) })
    const reads = [
      { gate: here.gate, program: one },
      { gate: there.gate, program: other },
      { gate: here.gate, program: program("/third/server.js") },
    ].map(async ({ gate, program }) => {
      await gate.seeProgram("files", program)
      return (await gate.judge(target, {}, resource(program))).effect
    })
    expect((await Promise.all(reads)).toSorted()).toEqual(["allow", "deny", "deny"])
  })

  it("that a reviewer rejects runs nothing that was approved before", async () => {
    const { gate, run, runs, store } = await open()
    await gate.seeTools("files", [one, good])
    await gate.seeTools("files", [other, good])
    const asked = listing({ definition: good, program: other })
    await approve(asked, { gate, run, store })
    const proposed = (await store.decisionState()).pins.find((pin) => pin.tool === programPin)?.proposed
    await gate.rejectDefinition({ server: "files", tool: programPin }, proposed?.fingerprint ?? "", ana)
    // The accepted one is heard again, so nothing stands proposed any more.
    await gate.seeTools("files", [one, good])
    expect(await gate.submit(asked, run, atOnce)).not.toMatchObject({ kind: "result" })
    expect(runs).toHaveLength(0)
  })
})

describe("a definition that a reviewer rejects", () => {
  it("stays rejected for the connection that lists it, also after another one was heard that lists the accepted one", async () => {
    const { gate, run, runs, store } = await open()
    await gate.seeTools("files", [good])
    await gate.seeTools("files", [changed])
    const asked = listing({ definition: changed })
    const { approval, outcome } = await holdCall({ gate, run: (_, { cancelled }) => cancelled.then(() => done) }, asked)
    await gate.answer(yes(approval))
    await expect.poll(async () => (await store.approval(approval.id))?.status).toBe("running")
    expect(await gate.mayStillRun(asked, {}, approval.id)).toBe(true)
    const pinned = async () => (await store.decisionState()).pins.find((pin) => pin.tool === "write")
    const print = (await pinned())?.proposed?.fingerprint ?? ""
    await gate.rejectDefinition({ server: "files", tool: "write" }, print, ana)
    await gate.seeTools("files", [good], [changed])
    expect((await pinned())?.proposed).toBeNull()
    expect(await gate.mayStillRun(asked, {}, approval.id)).toBe(false)
    expect(await gate.submit(asked, run, atOnce)).toMatchObject({ kind: "refusal" })
    expect(await gate.submit(listing({ definition: good }), run, atOnce)).toMatchObject({ kind: "result" })
    expect(runs).toHaveLength(1)
    // Heard once more, it can still be accepted.
    await gate.seeTools("files", [changed], [good])
    expect((await pinned())?.proposed).toMatchObject({ fingerprint: print, rejected: { by: ana.id } })
    expect(await gate.acceptDefinition({ server: "files", tool: "write" }, print, ana)).toBe(true)
    expect(await gate.submit(asked, run, atOnce)).toMatchObject({ kind: "result" })
    await gate.cancel(approval.id, asked.principal.id)
    await outcome
  })
})

const done = { kind: "succeeded", result: {} } as const
