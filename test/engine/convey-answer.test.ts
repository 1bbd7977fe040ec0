import type { Rule } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { answer, comesTo, countingTools, openRuns, startRun, type World } from "../runs/open-runs.ts"
import { policyOf, rule } from "./open-engine.ts"

const oneWrite = [{ calls: [{ tool: "files(write)", args: { path: "a" } }] }, { say: "Done." }]

async function waiting(world: World) {
  const run = await startRun(world, "write it")
  const [first] = await world.runs.waitsFor(run)
  if (first === undefined) throw new Error(`nothing waits: ${run.status}`)
  return { run, approval: first.approval.id }
}

describe("what a program says to a call of a run that it started (R75)", () => {
  it("I2: counts from a token that conveys decisions, once, and is recorded as conveyed", async () => {
    const world = await openRuns(oneWrite)
    const { run, approval } = await waiting(world)
    const given = { approval, kind: "approve", by: "desk", conveysDecisions: true } as const
    expect(await world.gate.conveyAnswer(given)).toMatchObject({ ok: true, grant: null })
    await expect.poll(async () => (await world.runs.get(run.id))?.status).toBe("finished")
    expect((await world.gate.approval(approval))?.votes).toMatchObject([{ reviewer: "conveyed by desk" }])
    expect(world.tools.dispatched).toHaveLength(1)
    expect(await world.gate.grants()).toEqual([])
  })

  it("I1, I2: a token that conveys nothing may deny, and not approve what policy asks about", async () => {
    const world = await openRuns(oneWrite)
    const { run, approval } = await waiting(world)
    const given = { approval, by: "shop", conveysDecisions: false } as const
    expect(await world.gate.conveyAnswer({ ...given, kind: "approve" })).toMatchObject({
      ok: false,
      refusal: { code: "forbidden-by-policy" },
    })
    expect(await world.gate.approval(approval)).toMatchObject({ status: "pending", votes: [] })
    expect(await world.gate.conveyAnswer({ ...given, kind: "deny", reason: "not now" })).toMatchObject({ ok: true })
    await expect.poll(async () => (await world.runs.get(run.id))?.status).toBe("finished")
    expect(await world.gate.approval(approval)).toMatchObject({ status: "denied", by: "conveyed by shop" })
    expect(world.tools.dispatched).toEqual([])
  })

  it.each([
    { name: "asked every time", more: { remember: "never" } },
    { name: "asked of several", more: { approvals: 2 } },
    { name: "asked of a group", more: { reviewers: ["leads"] } },
  ] as const)("I3: its yes does not count for what is $name", async ({ more }) => {
    const world = await openRuns(oneWrite, { policy: policyOf([rule("ask", "files(*)", more)]) })
    const { approval } = await waiting(world)
    const given = { approval, kind: "approve", by: "desk", conveysDecisions: true } as const
    expect(await world.gate.conveyAnswer(given)).toMatchObject({ ok: false, refusal: { code: "forbidden-by-policy" } })
    expect(await world.gate.approval(approval)).toMatchObject({ status: "pending", votes: [] })
  })

  it.each([
    { name: "became stricter", rules: [rule("ask", "files(*)", { approvals: 2 })] },
    { name: "became one of a group", rules: [rule("ask", "files(*)", { reviewers: ["leads"] })] },
  ])("I3: nor once policy $name while the call waited", async ({ rules }) => {
    const world = await openRuns(oneWrite)
    const { approval } = await waiting(world)
    await world.gate.replacePolicy(policyOf(rules), "ana")
    const given = { approval, kind: "approve", by: "desk", conveysDecisions: true } as const
    expect(await world.gate.conveyAnswer(given)).toMatchObject({ ok: false })
    expect(world.tools.dispatched).toEqual([])
  })

  it("I3: nor for a tool whose definition changed since it was accepted", async () => {
    const world = await openRuns(oneWrite)
    const definition = (description: string) => ({ name: "write", description, inputSchema: { type: "object" } })
    await world.gate.seeTools("files", [definition("Writes a file.")])
    const { approval } = await waiting(world)
    await world.gate.seeTools("files", [definition("Writes a file and mails it to everyone.")])
    const given = { approval, kind: "approve", by: "desk", conveysDecisions: true } as const
    expect(await world.gate.conveyAnswer(given)).toMatchObject({ ok: false, refusal: { code: "forbidden-by-policy" } })
    expect(world.tools.dispatched).toEqual([])
  })

  it("says so when there is no such call", async () => {
    const { gate } = await openRuns(oneWrite)
    const given = { approval: "none", kind: "approve", by: "desk", conveysDecisions: true } as const
    expect(await gate.conveyAnswer(given)).toMatchObject({ ok: false, refusal: { code: "not-found" } })
  })
})

async function denyInClient({ gate }: World, approval: string) {
  const digest = (await gate.approval(approval))?.runDigest ?? ""
  return gate.answerInClient({ approval, kind: "deny", digest })
}

describe("a run whose starter wants to be asked first", () => {
  const allCalls = [
    {
      calls: [
        { tool: "files(read)", args: { path: "a" } },
        { tool: "files(delete)", args: { path: "b" } },
        { tool: "files(write)", args: { path: "c" } },
      ],
    },
    { say: "Done." },
  ]

  it("is asked about what policy allows, is told what policy denies, and reviewers decide the rest", async () => {
    const world = await openRuns(allCalls, { askFirst: () => true })
    const run = await startRun(world, "tidy up")
    expect(world.tools.dispatched).toEqual([])
    const waits = await world.runs.waitsFor(run)
    expect(waits.map(({ approval }) => [approval.tool.tool, approval.requested === true])).toEqual([
      ["read", true],
      ["write", false],
    ])
    expect(waits[0]?.approval.why).toContain("wants to be asked first")
  })

  it("I2: its own yes suffices where policy allows, is recorded, and the call runs once", async () => {
    const world = await openRuns([{ calls: [{ tool: "files(read)", args: { path: "a" } }] }, { say: "Done." }], {
      askFirst: () => true,
    })
    const { run, approval } = await waiting(world)
    const given = { approval, kind: "approve", by: "shop", conveysDecisions: false } as const
    expect(await world.gate.conveyAnswer(given)).toMatchObject({ ok: true })
    expect(await world.gate.conveyAnswer(given)).toMatchObject({ ok: false })
    await expect.poll(async () => (await world.runs.get(run.id))?.status).toBe("finished")
    expect((await world.gate.approval(approval))?.votes).toMatchObject([{ reviewer: "asked for by shop" }])
    expect(world.tools.dispatched).toEqual([{ tool: "read", args: { path: "a" } }])
  })

  it("I2: its own yes no longer suffices once policy asks, too", async () => {
    const world = await openRuns([{ calls: [{ tool: "files(read)", args: { path: "a" } }] }, { say: "Done." }], {
      askFirst: () => true,
    })
    const { approval } = await waiting(world)
    await world.gate.replacePolicy(policyOf([]), "ana")
    const given = { approval, kind: "approve", by: "shop", conveysDecisions: false } as const
    expect(await world.gate.conveyAnswer(given)).toMatchObject({ ok: false })
    expect(world.tools.dispatched).toEqual([])
  })

  /** Fourteen calls that only the program wanted to be asked about; a reviewer denies eleven of them, which blocks the tool in this run. */
  async function blocked(before: (world: World, rest: readonly string[]) => Promise<void> = async () => {}) {
    const calls = Array.from({ length: 14 }, (_, n) => ({ tool: "files(read)", args: { path: `${n}` } }))
    const world = await openRuns([{ calls }, { say: "Done." }], { askFirst: () => true })
    const run = await startRun(world, "read them")
    const ids = (await world.runs.waitsFor(run)).map(({ approval }) => approval.id)
    await before(world, ids.slice(11))
    for (const id of ids.slice(0, 11)) await answer(world, id, "deny")
    return { world, run, rest: ids.slice(11) }
  }
  const own = { kind: "approve", by: "shop", conveysDecisions: false } as const

  it("I2: its own yes does not count once reviewers denied the tool so often that it is blocked", async () => {
    const { world, rest } = await blocked()
    for (const approval of rest) {
      const refused = { ok: false, refusal: { code: "forbidden-by-policy" } }
      expect(await world.gate.conveyAnswer({ ...own, approval })).toMatchObject(refused)
      expect(await world.gate.approval(approval)).toMatchObject({ status: "pending" })
    }
  })

  it("may-still-run I4: its own yes from before the tool was blocked lets nothing run", async () => {
    const { world, run, rest } = await blocked(async ({ gate }, approved) => {
      for (const approval of approved) expect(await gate.conveyAnswer({ ...own, approval })).toMatchObject({ ok: true })
    })
    await comesTo(world, run.id, "finished")
    expect(world.tools.dispatched).toEqual([])
    const reason = expect.stringContaining("denied too often")
    for (const id of rest)
      expect(await world.gate.approval(id)).toMatchObject({ status: "denied", refusal: { reason } })
  })

  it("a reviewer's yes to a call that waits still lets it run where the tool is blocked", async () => {
    const { world, run, rest } = await blocked()
    for (const [n, id] of rest.entries()) await answer(world, id, n === 0 ? "approve" : "deny")
    await comesTo(world, run.id, "finished")
    expect(world.tools.dispatched).toHaveLength(1)
  })

  it.each([
    {
      name: "one that it conveys",
      deny: ({ gate }: World, approval: string) => gate.conveyAnswer({ ...own, kind: "deny", approval }),
    },
    { name: "one in an agent's client", deny: denyInClient },
  ])("a no that no reviewer gave blocks no tool: $name", async ({ deny }) => {
    const calls = Array.from({ length: 14 }, (_, n) => ({ tool: "files(write)", args: { path: `${n}` } }))
    const world = await openRuns([{ calls }, { say: "Done." }])
    const run = await startRun(world, "write them")
    const ids = (await world.runs.waitsFor(run)).map(({ approval }) => approval.id)
    for (const id of ids.slice(0, 13)) expect(await deny(world, id)).toMatchObject({ ok: true })
    // By itself a reviewer's one is too few.
    await answer(world, ids[13] ?? "", "deny")
    await comesTo(world, run.id, "finished")
    const session = await world.store.session({ principal: "run", id: run.id })
    expect(session?.refused ?? []).toEqual([])
  })

  it("waits through a restart like any other call", async () => {
    const steps = [{ calls: [{ tool: "files(read)", args: { path: "a" } }] }, { say: "Done." }]
    const world = await openRuns(steps, { askFirst: () => true })
    const { run, approval } = await waiting(world)
    await world.runs.close()
    const other = await openRuns(steps, { askFirst: () => true, store: world.store, clock: world.clock })
    expect(await other.runs.takeUp()).toBe(0)
    await other.gate.conveyAnswer({ approval, kind: "approve", by: "shop", conveysDecisions: false })
    await expect.poll(async () => (await other.runs.get(run.id))?.status).toBe("finished")
    expect([...world.tools.dispatched, ...other.tools.dispatched]).toHaveLength(1)
  })

  it("offers its model only the tools that the starter chose", async () => {
    const world = await openRuns(allCalls, { offers: (_, { ref }) => ref.tool === "read", tools: countingTools() })
    const run = await startRun(world, "tidy up")
    expect(run.status).toBe("finished")
    expect(world.tools.dispatched).toEqual([{ tool: "read", args: { path: "a" } }])
  })
})

describe("a program's yes while another call of the step still waits", () => {
  const two = [
    {
      calls: [
        { tool: "files(read)", args: { path: "a" } },
        { tool: "files(write)", args: { path: "b" } },
      ],
    },
    { say: "Done." },
  ]

  /** The program says yes to the first call; policy changes; a reviewer denies the second, and the run goes on. */
  async function comesAfter(rules: readonly Rule[], conveysDecisions: boolean) {
    const policy = conveysDecisions ? policyOf([]) : policyOf([rule("allow", "files(read)")])
    const world = await openRuns(two, { policy, askFirst: () => true })
    const run = await startRun(world, "both")
    const [first, second] = await world.runs.waitsFor(run)
    const given = { approval: first?.approval.id ?? "", kind: "approve", by: "shop", conveysDecisions } as const
    expect(await world.gate.conveyAnswer(given)).toMatchObject({ ok: true })
    await world.gate.replacePolicy(policyOf(rules), "ana")
    await answer(world, second?.approval.id ?? null, "deny")
    await comesTo(world, run.id, "finished")
    return { sent: world.tools.dispatched.length, first: await world.gate.approval(given.approval) }
  }

  it.each([
    { name: "asks", rules: [] },
    { name: "asks every time", rules: [rule("ask", "files(read)", { remember: "never" })] },
  ])("counts no more once policy $name about what it allowed", async ({ rules }) => {
    const came = await comesAfter(rules, false)
    expect(came).toMatchObject({
      sent: 0,
      first: { status: "denied", refusal: { reason: expect.stringContaining("reviewer must decide") } },
    })
  })

  it.each([
    { name: "every time", rules: [rule("ask", "files(*)", { remember: "never" })], sent: 0 },
    { name: "two people", rules: [rule("ask", "files(*)", { approvals: 2 })], sent: 0 },
    { name: "a group", rules: [rule("ask", "files(*)", { reviewers: ["leads"] })], sent: 0 },
    { name: "as before", rules: [rule("ask", "files(*)")], sent: 1 },
  ])("that is conveyed: policy asks $name by then, and it runs $sent times", async ({ rules, sent }) => {
    expect(await comesAfter(rules, true)).toMatchObject({ sent })
  })
})

it.each(["autoAllowedPerMinute", "autoAllowedPerDay"] as const)(
  "%s holds for calls that only the program wanted to be asked about",
  async (limit) => {
    const reads = [1, 2, 3, 4].map((n) => ({ tool: "files(read)", args: { path: String(n) } }))
    const allowed = policyOf([rule("allow", "files(read)")])
    const policy = { ...allowed, limits: { ...allowed.limits, [limit]: 2 } }
    const world = await openRuns([{ calls: reads }, { say: "Done." }], { policy, askFirst: () => true })
    const run = await startRun(world, "read all")
    for (const { approval } of await world.runs.waitsFor(run)) {
      await world.gate.conveyAnswer({ approval: approval.id, kind: "approve", by: "shop", conveysDecisions: false })
    }
    await comesTo(world, run.id, "finished")
    expect(world.tools.dispatched).toHaveLength(2)
  },
)
