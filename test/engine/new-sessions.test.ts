import type { Call, Limits } from "@byleave/core"
import { newMemoryDatabase } from "@byleave/store"
import { describe, expect, it } from "vitest"
import { ana, callOf, type Engine, holdCall, memoryStore, nay, openEngine, policyOf, rule } from "./open-engine.ts"

const minute = 60_000
const everything = [rule("allow", "files")]

function openLimited(limits: Partial<Limits>): Promise<Engine> {
  const policy = policyOf(everything)
  return openEngine({ ...policy, limits: { ...policy.limits, ...limits } })
}

/** The same agent in a session of its own making, as one gets by initialising anew. */
const inSession = (id: string, principal = "agent", tool = "files(write_file)") =>
  callOf(tool, { path: `/ws/${id}` }, { principal: { id: principal }, session: { principal, id, named: true } })

/** Submits a call for which nobody waits: what is held after all ends with a ticket, not with the test's time. */
const tried = (engine: Engine, call: Call) => engine.gate.submit(call, engine.run, { until: () => Promise.resolve() })

describe("an agent behind two gates on one store", () => {
  it.each<{ readonly name: string; readonly limits: Partial<Limits> }>([
    { name: "R158: calls per session", limits: { autoAllowedPerSession: 5 } },
    { name: "R158: calls within a minute", limits: { autoAllowedPerMinute: 5 } },
    { name: "R160: writes in bulk", limits: { bulk: { writes: 5, withinMs: minute } } },
  ])("has one limit at both, and the same one after a restart: $name", async ({ limits }) => {
    const database = newMemoryDatabase()
    const clock = { now: 1_800_000_000_000 }
    const policy = { ...policyOf(everything), limits: { ...policyOf(everything).limits, ...limits } }
    const open = (): Promise<Engine> => openEngine(policy, { clock, store: memoryStore(clock, database) })
    const gates = [await open(), await open()]
    const burst = gates.flatMap((engine) =>
      Array.from({ length: 8 }, (_, n) =>
        engine.gate.submit(inSession(`s${n}`), engine.run, { until: () => Promise.resolve() }),
      ),
    )
    await Promise.all(burst)
    expect(gates.flatMap((engine) => engine.runs)).toHaveLength(5)
    const again = await open()
    await holdCall(again, inSession("s9"))
    expect(again.runs).toEqual([])
  })

  it("R159: has one cool-down at both, from the moment its call is allowed", async () => {
    const database = newMemoryDatabase()
    const clock = { now: 1_800_000_000_000 }
    const after = [rule("ask", "files(delete_*)").target]
    const base = policyOf(everything)
    const policy = { ...base, limits: { ...base.limits, coolDown: { after, forMs: 5 * minute } } }
    const open = (): Promise<Engine> => openEngine(policy, { clock, store: memoryStore(clock, database) })
    const [first, second] = [await open(), await open()]
    const deleting = first.submit(inSession("s1", "agent", "files(delete_file)"))
    await holdCall(second, inSession("s2"))
    expect((await deleting).kind).toBe("result")
    await holdCall(await open(), inSession("s3"))
  })
})

describe("an agent that opens new sessions", () => {
  it.each<{ readonly name: string; readonly limits: Partial<Limits>; readonly why: string }>([
    {
      name: "R158: runs no more unasked within a minute",
      limits: { autoAllowedPerMinute: 3 },
      why: "this agent reached the policy's limit of calls without approval per minute, across all its sessions",
    },
    {
      name: "R160: writes no more in bulk",
      limits: { bulk: { writes: 3, withinMs: minute } },
      why: "this agent made many writes in a short time, across all its sessions",
    },
  ])("$name", async ({ limits, why }) => {
    const engine = await openLimited(limits)
    for (const id of ["s1", "s2", "s3"]) expect((await engine.submit(inSession(id))).kind).toBe("result")
    const { approval } = await holdCall(engine, inSession("s4"))
    expect(approval.why).toContain(why)
    expect((await engine.submit(inSession("s1", "another"))).kind).toBe("result")
    engine.clock.now += 2 * minute
    expect((await engine.submit(inSession("s5"))).kind).toBe("result")
  })

  it("R158: passes no limit by a burst over many of them", async () => {
    const engine = await openLimited({ autoAllowedPerMinute: 3 })
    const burst = Array.from({ length: 10 }, (_, n) =>
      engine.gate.submit(inSession(`s${n}`), engine.run, { until: () => Promise.resolve() }),
    )
    const kinds = (await Promise.all(burst)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === "result")).toHaveLength(3)
    expect(engine.runs).toHaveLength(3)
  })

  it("does not leave denials behind: a tool denied in several sessions is refused in all, until a person lifts it", async () => {
    const engine = await openEngine(policyOf([]))
    for (const id of ["s1", "s2", "s3"]) {
      const { approval, outcome } = await holdCall(engine, inSession(id))
      await engine.gate.answer(nay(approval))
      await outcome
    }
    const refused = {
      refusal: { code: "denied-too-often", reason: expect.stringContaining("also in new sessions") },
    }
    expect(await tried(engine, inSession("s4"))).toMatchObject(refused)
    await engine.gate.endSession(inSession("s3").session)
    expect(await tried(engine, inSession("s5"))).toMatchObject(refused)
    expect((await holdCall(engine, inSession("s1", "another"))).approval.status).toBe("pending")
    await engine.gate.liftRefusals(inSession("s3").session, inSession("s3").tool, ana)
    expect((await holdCall(engine, inSession("s6"))).approval.status).toBe("pending")
  })

  it("R159: does not leave a cool-down behind", async () => {
    const after = [rule("ask", "files(delete_*)").target]
    const engine = await openLimited({ coolDown: { after, forMs: 5 * minute } })
    expect((await engine.submit(inSession("s1", "agent", "files(delete_file)"))).kind).toBe("result")
    const { approval } = await holdCall(engine, inSession("s2"))
    expect(approval.why).toContain("a sensitive call of this agent ran recently")
    expect((await engine.submit(inSession("s1", "another"))).kind).toBe("result")
  })

  it("has no more calls waiting than its limit, however many come at once, and may again once one was answered", async () => {
    const policy = policyOf([])
    const engine = await openEngine({ ...policy, limits: { ...policy.limits, waitingPerPrincipal: 2 } })
    const burst = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        engine.gate.submit(inSession(`s${n}`), engine.run, { until: () => Promise.resolve() }),
      ),
    )
    expect(burst.filter(({ kind }) => kind === "ticket")).toHaveLength(2)
    const refusals = burst.flatMap((outcome) => (outcome.kind === "refusal" ? [outcome.refusal] : []))
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => "too-many-waiting"))
    expect(refusals[0]?.reason).toMatch(
      /^\d calls of this agent, across all its sessions, are already waiting for approval; the limit is 2\./,
    )
    await holdCall(engine, inSession("s1", "another"))
    const [ticket] = burst.flatMap((outcome) => (outcome.kind === "ticket" ? [outcome.approval] : []))
    await engine.gate.cancel(ticket ?? "", "agent")
    await holdCall(engine, inSession("s9"))
  })

  it("R158: has no new total with them: within a day all of them together may do what one may", async () => {
    const engine = await openLimited({ autoAllowedPerSession: 2 })
    for (const id of ["s1", "s2"]) expect((await engine.submit(inSession(id))).kind).toBe("result")
    const { approval } = await holdCall(engine, inSession("s3"))
    expect(approval.why).toContain("the policy's daily limit of calls without approval, across all its sessions")
    await engine.gate.endSession(inSession("s1").session)
    await holdCall(engine, inSession("s4"))
    expect((await engine.submit(inSession("s1", "another"))).kind).toBe("result")
    engine.clock.now += 27 * 60 * minute
    expect((await engine.submit(inSession("s5"))).kind).toBe("result")
  })

  it("R158: has a total in each where the policy allows more for the day", async () => {
    const engine = await openLimited({ autoAllowedPerSession: 1, autoAllowedPerDay: 5 })
    for (const id of ["s1", "s2"]) expect((await engine.submit(inSession(id))).kind).toBe("result")
    const { approval } = await holdCall(engine, inSession("s1"))
    expect(approval.why).toContain("this session reached the policy's limit of calls without approval")
  })
})

describe("an agent that asks by other names", () => {
  const { count } = policyOf([]).limits.denials
  const asking = policyOf([rule("ask", "files(resource:*)"), rule("allow", "files(resource:open*)")])
  const resource = (uri: string) =>
    callOf("files(resource)", {}, { kind: "resource", tool: { server: "files", tool: uri } })
  const tooOften = { refusal: { code: "denied-too-often" } }

  async function deny(engine: Engine, call: Call): Promise<void> {
    const { approval, outcome } = await holdCall(engine, call)
    await engine.gate.answer(nay(approval))
    await outcome
    engine.clock.now += 1_000
  }

  it("is asked about no more resources of a server once several were denied, until a person lifts it", async () => {
    const engine = await openEngine(asking)
    for (let n = 0; n < count; n++) await deny(engine, resource(`file:///x?${n}`))
    expect(await tried(engine, resource("file:///x?new"))).toMatchObject(tooOften)
    const elsewhere = callOf("notes(resource)", {}, { kind: "resource", tool: { server: "notes", tool: "file:///x" } })
    expect(await engine.submit(elsewhere)).not.toMatchObject(tooOften)
    expect((await holdCall(engine, inSession("s1"))).approval.status).toBe("pending")
    await engine.gate.liftRefusals(resource("").session, { server: "files", tool: "resource:*" }, ana)
    expect((await holdCall(engine, resource("file:///x?new"))).approval.status).toBe("pending")
  })

  it.each([
    { name: "an agent", principal: () => "agent" },
    { name: "a program that names other agents, too", principal: (n: number) => `app:${n}` },
  ])("is asked about nothing more once very much was denied, whatever the names: $name", async ({ principal }) => {
    const engine = await openEngine(policyOf([rule("allow", "files(read_file)")]))
    const named = (n: number) => inSession(`s${n}`, principal(n), `own(tool_${n})`)
    for (let n = 0; n < 10 * count; n++) await deny(engine, named(n))
    const reason = expect.stringMatching(/^Too many calls were denied/)
    expect(await tried(engine, named(99))).toMatchObject({ refusal: { code: "denied-too-often", reason } })
    expect((await engine.submit(inSession("s1", principal(99), "files(read_file)"))).kind).toBe("result")
    expect((await holdCall(engine, inSession("s1", "another"))).approval.status).toBe("pending")
    await engine.gate.liftRefusals(named(99).session, { server: "*", tool: "*" }, ana)
    expect((await holdCall(engine, named(99))).approval.status).toBe("pending")
  })

  it("gains nothing by a question that stays open and is denied last", async () => {
    const engine = await openEngine(policyOf([]))
    const named = (n: number) => inSession(`s${n}`, "agent", `own(tool_${n})`)
    let asked = 0
    for (let round = 0; round < 3; round++) {
      const open = await holdCall(engine, named(asked++))
      engine.clock.now += 1_000
      for (let n = 0; n < 10 * count - 2 && round === 0; n++) await deny(engine, named(asked++))
      await engine.gate.answer(nay(open.approval))
      engine.clock.now += 1_000
    }
    expect(await tried(engine, named(999))).toMatchObject(tooOften)
  })

  it("gains nothing by asking for one tool many times at once", async () => {
    const engine = await openEngine(policyOf([]))
    const waiting = []
    for (let n = 0; n < 5 * count; n++) waiting.push(await holdCall(engine, callOf("files(x)", { n })))
    engine.clock.now += 1_000
    for (const { approval } of waiting) await engine.gate.answer(nay(approval))
    expect(await tried(engine, callOf("files(x)", { n: 99 }))).toMatchObject(tooOften)
  })

  it("is still asked after one answer to many calls that waited together", async () => {
    const engine = await openEngine(policyOf([]))
    const waiting = []
    for (let n = 0; n < 10 * count; n++)
      waiting.push(await holdCall(engine, inSession(`s${n}`, "agent", `own(tool_${n})`)))
    engine.clock.now += 1_000
    for (const { approval } of waiting) await engine.gate.answer(nay(approval))
    expect((await holdCall(engine, inSession("s", "agent", "own(new)"))).approval.status).toBe("pending")
  })
})

describe("a program that names new agents", () => {
  const named = (n: number, tool?: string) => inSession(`s${n}`, `app:${n}`, tool)

  it.each<{ readonly name: string; readonly limits: Partial<Limits> }>([
    { name: "R158: calls within a minute", limits: { autoAllowedPerMinute: 3 } },
    { name: "R158: calls within a day", limits: { autoAllowedPerDay: 3 } },
    { name: "R160: writes in bulk", limits: { bulk: { writes: 3, withinMs: minute } } },
  ])("runs no more unasked for them: $name", async ({ limits }) => {
    const engine = await openLimited(limits)
    for (const n of [1, 2, 3]) expect((await engine.submit(named(n))).kind).toBe("result")
    await holdCall(engine, named(4))
    expect((await engine.submit(inSession("s1", "app2:1"))).kind).toBe("result")
  })

  it("R159: takes no agent that its cool-down does not apply to", async () => {
    const after = [rule("ask", "files(delete_*)").target]
    const engine = await openLimited({ coolDown: { after, forMs: 5 * minute } })
    expect((await engine.submit(named(1, "files(delete_file)"))).kind).toBe("result")
    await holdCall(engine, named(2))
    expect((await engine.submit(inSession("s1", "app2:1"))).kind).toBe("result")
  })

  it("is refused a tool that people denied to several of them, until a person lifts it", async () => {
    const engine = await openEngine(policyOf([]))
    const deny = async (n: number): Promise<void> => {
      const { approval, outcome } = await holdCall(engine, named(n))
      await engine.gate.answer(nay(approval))
      await outcome
      engine.clock.now += 1_000
    }
    const { count } = policyOf([]).limits.denials
    for (let n = 0; n < 5 * count; n++) await deny(n)
    expect(await tried(engine, named(99))).toMatchObject({ refusal: { code: "denied-too-often" } })
    expect((await holdCall(engine, inSession("s1", "app2:1"))).approval.status).toBe("pending")
    expect((await holdCall(engine, named(99, "files(move_file)"))).approval.status).toBe("pending")
    await engine.gate.liftRefusals(named(99).session, named(99).tool, ana)
    expect((await holdCall(engine, named(98))).approval.status).toBe("pending")
  })

  it("leaves other agents half of what may wait in all", async () => {
    const policy = policyOf([])
    const limits = { ...policy.limits, waitingInAll: 6, waitingPerPrincipal: 1, heldBytesPerPrincipal: 40 }
    const engine = await openEngine({ ...policy, limits })
    for (const n of [1, 2, 3]) await holdCall(engine, named(n))
    const refusal = { code: "too-many-waiting", reason: expect.stringMatching(/^3 calls of this program's agents/) }
    expect(await tried(engine, named(4))).toMatchObject({ refusal })
    for (const agent of ["one", "two", "app2:1"]) await holdCall(engine, inSession("s", agent))
  })
})
