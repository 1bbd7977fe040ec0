/** Where an agent tells its server which folders to work in, the same relative path may be another file. */
import { emptyPolicy } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { callOf, type Engine, holdCall, openEngine, rule, yes } from "./open-engine.ts"

const atRoots = { connection: { isOwn: true, hasRoots: true } }
const write = (path: string, more: object = {}) => callOf("files(write)", { path }, more)
const atOnce = { until: () => Promise.resolve() }
const under = [{ key: "path", op: "under", folder: "/ws" }] as const
const policy = {
  ...emptyPolicy,
  servers: [{ id: "files", trust: "none", pin: "off", cwd: "/ws", folders: ["/ws/data"] } as const],
}

const engines: Engine[] = []
async function open(rules = policy.rules): Promise<Engine> {
  const engine = await openEngine({ ...policy, rules })
  engines.push(engine)
  await engine.gate.seeTools("files", [{ name: "write", inputSchema: { type: "object" } }])
  return engine
}
afterEach(async () => {
  for (const { gate } of engines.splice(0)) await gate.close()
})

describe("a call whose agent names the server's folders", () => {
  it("is asked about where its path is relative, and judged as ever where it is not", async () => {
    const { gate, run } = await open([rule("allow", "files(write)", { when: under })])
    expect(await gate.submit(write("a"), run)).toMatchObject({ kind: "result" })
    expect(await gate.submit(write("a", atRoots), run, atOnce)).toMatchObject({ kind: "ticket" })
    expect(await gate.submit(write("/ws/a", atRoots), run)).toMatchObject({ kind: "result" })
  })

  it("is kept with what is known of its connection, and warned of", async () => {
    const engine = await open()
    const { approval } = await holdCall(engine, write("a", atRoots))
    expect(await engine.store.approval(approval.id)).toMatchObject(atRoots)
    const risks = approval.checked?.risks.map(({ sentence }) => sentence) ?? []
    expect(risks.join()).toContain("the agent tells the server which folders it may start from")
    const { approval: plain } = await holdCall(engine, write("a"))
    expect(plain.connection).toBeUndefined()
    expect(plain.checked?.risks.filter(({ kind }) => kind === "outside-workspace")).toEqual([])
  })

  it("does not take up what was approved before the agent named them, nor the other way round", async () => {
    const { gate, run, runs, store } = await open()
    for (const [first, then] of [
      [write("a"), write("a", atRoots)],
      [write("b", atRoots), write("b")],
    ] as const) {
      const ticket = await gate.submit(first, run, atOnce)
      if (ticket.kind !== "ticket") throw new Error(ticket.kind)
      const held = await store.approval(ticket.approval)
      if (held === undefined) throw new Error("It is not in the store.")
      expect(await gate.answer(yes(held))).toMatchObject({ ok: true })
      expect(await gate.submit(then, run, atOnce)).toMatchObject({ kind: "ticket" })
      expect(await gate.attach(held.id, then, run, atOnce)).toBeNull()
    }
    expect(runs).toEqual([])
  })

  it.each([
    { op: "equals", value: "a" },
    { op: "under", folder: "/ws" },
  ] as const)("cannot be remembered by its path: $op", async (how) => {
    const engine = await open()
    const { approval } = await holdCall(engine, write("a", atRoots))
    const breadth = { kind: "tool", server: "files", tool: "write", when: [{ key: "path", ...how }] } as const
    const answer = await engine.gate.answer({ ...yes(approval), remember: { scope: "always", breadth } })
    expect(answer).toMatchObject({ ok: false, refusal: { code: "breadth-mismatch" } })
  })

  it("is rerun as one of its own connection", async () => {
    const engine = await open()
    const { approval, outcome } = await holdCall(
      { ...engine, run: async () => ({ kind: "failed", error: "no" }) },
      write("a", atRoots),
    )
    await engine.gate.answer(yes(approval))
    await outcome
    const again = await engine.gate.rerun(approval.id, approval.runDigest, { id: "ben", groups: [] })
    expect(again).toMatchObject({ ok: true, approval: atRoots })
  })
})
