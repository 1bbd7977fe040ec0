import { type Gate, type Run, verifyAudit } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { describe, expect, it } from "vitest"
import { ben, callOf, type Engine, holdCall, openEngine, policyOf, rule, signer, yes } from "./open-engine.ts"
import { order, permitFor, raceForPermits, write } from "./race-for-permits.ts"

const other = callOf("files(write_file)", { path: "/ws/b", content: "x" })
const minute = 60_000

async function ranNow(engine: Pick<Engine, "gate" | "run">, permit: Parameters<typeof order>[0]): Promise<void> {
  const answer = await engine.gate.runNow(order(permit), engine.run)
  if (!answer.ok) throw new Error(answer.refusal.code)
  await answer.ended
}

describe("an approved call that a reviewer has run while its agent is away", () => {
  it("runs once, is recorded with who had it run, and its trail verifies", async () => {
    const engine = await openEngine()
    const permit = await permitFor(engine)
    const answer = await engine.gate.runNow(order(permit), engine.run)
    expect(answer).toMatchObject({ ok: true, approval: { status: "running", caller: null, runNow: { by: "ben" } } })
    if (answer.ok) await answer.ended
    expect(await engine.gate.approval(permit.id)).toMatchObject({
      status: "succeeded",
      approvedBy: "ana",
      delivered: false,
    })
    expect(engine.runs).toEqual([write.args])
    const records = await engine.store.records({ subject: permit.id, limit: 10 })
    expect(records.map(({ type }) => type)).toEqual(["run.succeeded", "run.started", "approval.approved", "call.asked"])
    expect(JSON.parse(records[1]?.text ?? "")).toMatchObject({ body: { approvedBy: "ana", by: "ben" } })
    expect((await verifyAudit(engine.store, { hasher: nodeHasher, signer })).problems).toEqual([])
    expect(await engine.gate.runNow(order(permit), engine.run)).toMatchObject({ refusal: { code: "not-approved" } })
  })

  it("gives its result once to the identical call of the same session, marked as run earlier, and then asks anew", async () => {
    const engine = await openEngine()
    const permit = await permitFor(engine)
    await ranNow(engine, permit)
    const elsewhere = { ...write, session: { ...write.session, id: "s2" } }
    expect((await holdCall(engine, elsewhere)).approval.id).not.toBe(permit.id)
    expect((await holdCall(engine, other)).approval.id).not.toBe(permit.id)
    const back = await engine.submit(write)
    expect(back).toEqual({
      kind: "result",
      result: { ran: 1 },
      approval: permit.id,
      notes: ["delivered-late", "run-by-reviewer"],
    })
    expect((await holdCall(engine, write)).approval.id).not.toBe(permit.id)
    expect(engine.runs).toHaveLength(1)
  })

  it.each([
    { name: "hours later", after: 7 * 60 * minute, isKept: true },
    { name: "once the permit would have expired", after: 8 * 60 * minute, isKept: false },
  ])("keeps its result as long as the permit would have lived: $name", async ({ after, isKept }) => {
    const engine = await openEngine()
    const permit = await permitFor(engine)
    await ranNow(engine, permit)
    engine.clock.now += after
    if (isKept) expect(await engine.submit(write)).toMatchObject({ kind: "result", approval: permit.id })
    else expect((await holdCall(engine, write)).approval.id).not.toBe(permit.id)
  })

  it("keeps an outcome that its caller missed ten minutes and no longer, where no reviewer had it run", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await (async () => {
      const held = Promise.withResolvers<string>()
      const given = engine.gate.submit(write, engine.run, {
        onHeld: ({ id }) => held.resolve(id),
        received: () => Promise.resolve(false),
      })
      return { approval: await engine.gate.approval(await held.promise), outcome: given }
    })()
    if (approval === undefined) throw new Error("not held")
    await engine.gate.answer(yes(approval))
    await outcome
    await expect.poll(async () => (await engine.gate.approval(approval.id))?.caller).toBeNull()
    engine.clock.now += 11 * minute
    expect((await holdCall(engine, write)).approval.id).not.toBe(approval.id)
  })

  it("lets an agent that comes back while it runs wait for it, and runs nothing a second time", async () => {
    const engine = await openEngine()
    const permit = await permitFor(engine)
    const end = Promise.withResolvers<void>()
    const slow: Run = async (args) => {
      engine.runs.push(args)
      await end.promise
      return { kind: "succeeded", result: "slowly" }
    }
    const answer = await engine.gate.runNow(order(permit), slow)
    const back = engine.submit(write)
    await expect.poll(async () => (await engine.gate.approval(permit.id))?.caller).not.toBeNull()
    end.resolve()
    expect(await back).toMatchObject({ kind: "result", result: "slowly", notes: ["run-by-reviewer"] })
    if (answer.ok) await answer.ended
    expect(engine.runs).toHaveLength(1)
  })

  it.each<[string, (gate: Gate) => Promise<unknown>]>([
    ["a rule denies its tool", (gate) => gate.replacePolicy(policyOf([rule("deny", "files(write_file)")]), null)],
    ["a rule hides its tool", (gate) => gate.replacePolicy(policyOf([rule("hide", "files(write_file)")]), null)],
    ["its tool is in quarantine", (gate) => gate.quarantine({ server: "files", tool: "write_file" }, ben)],
    ["its server is in quarantine", (gate) => gate.quarantine({ server: "files" }, ben)],
  ])("keeps its result from whoever comes back by its id while %s", async (_, close) => {
    const engine = await openEngine()
    await engine.gate.seeTools("files", [{ name: "write_file", inputSchema: { type: "object" } }])
    const permit = await permitFor(engine)
    await ranNow(engine, permit)
    await close(engine.gate)
    const refused = await engine.gate.attach(permit.id, write, engine.run)
    expect(refused).toMatchObject({ kind: "refusal", refusal: { by: "policy" }, approval: permit.id })
    expect(await engine.submit(write)).toMatchObject({ kind: "refusal" })
    expect(await engine.gate.approval(permit.id)).toMatchObject({ status: "succeeded", delivered: false })
    await engine.gate.liftQuarantine({ server: "files", tool: "write_file" }, ben)
    await engine.gate.liftQuarantine({ server: "files" }, ben)
    await engine.gate.replacePolicy(policyOf([]), null)
    expect(await engine.gate.attach(permit.id, write, engine.run)).toMatchObject({ kind: "result", result: { ran: 1 } })
  })

  it("I1: is refused while a caller waits, for what is not approved, for something else than was shown, and when unknown", async () => {
    const engine = await openEngine()
    const { approval } = await holdCall(engine, other)
    const refused = async (given: Parameters<Gate["runNow"]>[0]) => {
      const answer = await engine.gate.runNow(given, engine.run)
      return answer.ok ? "ran" : answer.refusal.code
    }
    expect(await refused(order(approval))).toBe("not-approved")
    const permit = await permitFor(engine)
    expect(await refused({ ...order(permit), digest: "another" })).toBe("digest-mismatch")
    expect(await refused({ ...order(permit), approval: "none" })).toBe("not-found")
    const slow: Run = () => new Promise(() => {})
    void engine.gate.attach(permit.id, write, slow, {})
    await expect.poll(async () => (await engine.gate.approval(permit.id))?.status).toBe("running")
    expect(await refused(order(permit))).toBe("not-approved")
    expect(engine.runs).toEqual([])
  })

  it("is checked again right before: where a deny rule is in force it is refused and settled", async () => {
    const engine = await openEngine()
    const permit = await permitFor(engine)
    const rules = policyOf([rule("deny", "files(write_file)", { reason: "Not today." })])
    const { gate } = await openEngine(rules, { clock: engine.clock, store: engine.store })
    const answer = await gate.runNow(order(permit), engine.run)
    expect(answer).toMatchObject({
      refusal: { code: "forbidden-by-policy", reason: expect.stringContaining("Not today") },
    })
    expect(await engine.gate.approval(permit.id)).toMatchObject({ status: "denied" })
    expect(engine.runs).toEqual([])
  })

  it("does not run once its permit has expired", async () => {
    const engine = await openEngine()
    const permit = await permitFor(engine)
    engine.clock.now += 8 * 60 * minute
    expect(await engine.gate.runNow(order(permit), engine.run)).toMatchObject({ ok: false })
    expect(await engine.gate.approval(permit.id)).toMatchObject({ status: "expired" })
    expect(engine.runs).toEqual([])
  })

  it("does not run by a definition that has changed since", async () => {
    const engine = await openEngine()
    const definition = (description: string) => ({ name: "write_file", description, inputSchema: { type: "object" } })
    await engine.gate.seeTools("files", [definition("Writes.")])
    const permit = await permitFor(engine)
    const listed = { definition: definition("Writes, and more.") }
    const answer = await engine.gate.runNow({ ...order(permit), listed }, engine.run)
    expect(answer).toMatchObject({ ok: false, refusal: { code: "forbidden-by-policy" } })
    expect(await engine.gate.approval(permit.id)).toMatchObject({ status: "superseded" })
    expect(engine.runs).toEqual([])
  })
})

it("transition I3, I16: a reviewer's run and the agent's return race at two processes: each call runs once, and the agent has its result", async () => {
  const { ran, byReviewer, problems } = await raceForPermits(40)
  expect(ran).toEqual(Array.from({ length: 40 }, () => 1))
  expect(byReviewer).toBeGreaterThan(0)
  expect(byReviewer).toBeLessThan(40)
  expect(problems).toEqual([])
})
