import { describe, expect, it } from "vitest"
import { countingTools, openRuns, startRun, type World } from "../runs/open-runs.ts"
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
