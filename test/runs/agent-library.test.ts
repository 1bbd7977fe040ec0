import { decisionsOfLatest, readDecisions } from "@byleave/runs"
import { describe, expect, it } from "vitest"
import { policyOf, rule } from "../engine/open-engine.ts"
import { openAgent, runTask } from "./open-agent.ts"

const deletions = ["a", "b", "c"].map((name) => ({ tool: "cluster(delete_pod)", args: { name } }))
const steps = [
  { say: "Let me look.", calls: [{ tool: "cluster(list_pods)", args: {} }] },
  { say: "I would delete these.", calls: deletions },
  { say: "Done." },
]

describe("a run as a program holds it (R68, R69, R80, R81)", () => {
  it("lists what it waits for, takes an answer to each, and goes on with the last", async () => {
    const world = await openAgent(steps)
    const run = await runTask(world, "list pods, then delete what is not needed")
    expect(run).toMatchObject({ isPaused: true, status: "paused", text: "I would delete these.", detail: null })
    expect(world.ran).toEqual([{ tool: "list_pods", args: {} }])
    const [first, second, third] = run.activeRequirements
    expect(first).toMatchObject({ toolName: "cluster(delete_pod)", toolArgs: { name: "a" }, needsConfirmation: true })
    expect(first?.why).toContain("no rule matches")
    expect(await first?.confirm("It was replaced.")).toEqual({ ok: true, isResolved: true })
    expect(first).toMatchObject({ isResolved: true, needsConfirmation: false, confirmationNote: "It was replaced." })
    expect(run.activeRequirements.map(({ toolArgs }) => toolArgs.name)).toEqual(["b", "c"])
    const early = await run.continue()
    expect(early).toMatchObject({ ok: false, refusal: { code: "run-waits", missing: [{}, {}] } })
    // Not awaited: continuing waits for what was just said.
    void second?.reject("That one stays.")
    void third?.confirm()
    const next = await run.continue()
    if (!next.ok) throw new Error(next.refusal.code)
    expect(next.run).toMatchObject({ status: "finished", isPaused: false, text: "Done.", activeRequirements: [] })
    expect(next.run.usage.total).toBeGreaterThan(run.usage.total)
    expect(world.ran.slice(1).map(({ args }) => args.name)).toEqual(["a", "c"])
    expect(await first?.reject("Too late.")).toMatchObject({ ok: false })
    expect(world.troubles).toEqual([])
  })

  it("R75, R76: takes decisions by the requirement's id or the tool call's", async () => {
    const world = await openAgent(steps)
    const run = await runTask(world, "delete")
    const [first, second, third] = run.requirements
    const wrong = await run.continue({
      decisions: [
        { requirement_id: first?.id ?? "", execute: true },
        { requirement_id: "nobody", execute: true },
      ],
    })
    expect(wrong).toMatchObject({ ok: false, refusal: { code: "no-such-requirement", ids: ["nobody"] } })
    expect(run.activeRequirements).toHaveLength(3)
    const next = await run.continue({
      decisions: [
        { requirement_id: first?.id ?? "", execute: true },
        { requirement_id: second?.toolCallId ?? "", execute: false, rejection_reason: "No." },
        { requirement_id: third?.toolCallId ?? "", execute: false },
      ],
    })
    expect(next.ok && next.run.status).toBe("finished")
    expect(world.ran.slice(1).map(({ args }) => args.name)).toEqual(["a"])
  })

  it("R83: continueWithPermission is the same call", async () => {
    const world = await openAgent(steps)
    const run = await runTask(world, "delete")
    const ids = run.requirements.map(({ toolCallId }) => toolCallId)
    const partly = await world.agent.continueWithPermission(run.id, ids[0] ?? "", true)
    expect(partly).toMatchObject({ ok: false, refusal: { code: "run-waits" } })
    await world.agent.continueWithPermission(run.id, ids[1] ?? "", false)
    expect(await world.agent.continueWithPermission(run.id, ids[2] ?? "", false)).toMatchObject({
      ok: true,
      run: { status: "finished" },
    })
    expect(world.ran.slice(1)).toEqual([{ tool: "delete_pod", args: { name: "a" } }])
  })

  it("R70: is opened in another process by what toJSON gave, or as a sealed state", async () => {
    const world = await openAgent(steps)
    const text = JSON.stringify(await runTask(world, "delete"))
    await world.agent.close()
    const other = await openAgent(steps, { store: world.store })
    const opened = await other.agent.fromJSON(JSON.parse(text))
    if (!opened.ok) throw new Error(opened.refusal.code)
    const carried = await other.agent.export(opened.run.id)
    if (!carried.ok) throw new Error(carried.refusal.code)
    const elsewhere = await openAgent(steps)
    const brought = await elsewhere.agent.fromJSON({ state: carried.text })
    if (!brought.ok) throw new Error(brought.refusal.code)
    expect(brought.run.activeRequirements).toHaveLength(3)
    for (const requirement of brought.run.activeRequirements) await requirement.confirm()
    expect(await brought.run.continue()).toMatchObject({ ok: true, run: { status: "finished" } })
    const again = await elsewhere.agent.fromJSON({ state: carried.text })
    expect(again).toMatchObject({ ok: false, refusal: { code: "state-used" } })
    expect(await elsewhere.agent.fromJSON({ run: "nobody" })).toMatchObject({ ok: false })
    expect(await elsewhere.agent.fromJSON(null)).toMatchObject({ ok: false })
    const foreign = await openAgent(steps, { key: "another" })
    expect(await foreign.agent.fromJSON({ state: carried.text })).toMatchObject({
      ok: false,
      refusal: { code: "state-foreign" },
    })
  })

  it("goes on with a message after it has finished", async () => {
    const world = await openAgent([{ say: "Hello." }, { say: "Again." }])
    const run = await runTask(world, "say hello")
    expect(await run.continue({ message: "again" })).toMatchObject({ ok: true, run: { text: "Again." } })
  })

  it("R71, R74: answers in the words of programs that know paused runs", async () => {
    const world = await openAgent(steps)
    const run = await runTask(world, "delete")
    const [first] = run.requirements
    expect(run.response()).toMatchObject({
      conversation_id: run.id,
      text: "I would delete these.",
      data: {
        tool_calls: [
          { id: first?.toolCallId, name: "cluster(delete_pod)", input: { name: "a" }, execute: false },
          { input: { name: "b" } },
          { input: { name: "c" } },
        ],
        session: run.id,
      },
      needs_approval: true,
      has_pending_approvals: true,
      is_complete: false,
      paused_run_state: null,
      pending_requirements: [
        { requirement_id: first?.id, tool_name: "cluster(delete_pod)", tool_args: { name: "a" } },
        {},
        {},
      ],
      metadata: { run_id: run.id, status: "paused", model: "scripted" },
    })
    await first?.confirm()
    expect(run.response({ conversation: "c1" }).pending_requirements).toHaveLength(2)
    const carried = await world.agent.export(run.id)
    if (!carried.ok) throw new Error(carried.refusal.code)
    const small = run.response({ state: carried.text })
    expect(small).toMatchObject({ data: { session: carried.text }, paused_run_state: carried.text })
    const large = run.response({ state: "x".repeat(2_000_000) })
    expect(large).toMatchObject({ data: { session: run.id }, paused_run_state: null })
  })
})

describe("functions of the host program (R8)", () => {
  it("that are not gated run unasked, once, and are recorded as that", async () => {
    const calls = [
      { tool: "clock", args: { zone: "UTC" } },
      { tool: "cluster(delete_pod)", args: { name: "a" } },
    ]
    const world = await openAgent([{ calls }, { say: "Done." }])
    const run = await runTask(world, "what time is it")
    expect(run.requirements.map(({ toolName }) => toolName)).toEqual(["cluster(delete_pod)"])
    expect(world.ran).toEqual([{ tool: "clock", args: { zone: "UTC" } }])
    const lines = await world.store.journal(run.id, { after: 0, maxBytes: 1e6 })
    const texts = lines.flatMap(({ name, text }) => (name.startsWith("begun") ? text : []))
    expect(texts).toEqual([JSON.stringify({ ungated: "clock", args: { zone: "UTC" } })])
    expect(await world.store.approvals({ session: run.id, limit: 9 })).toHaveLength(1)
  })

  it("that fail tell the model so", async () => {
    const policy = policyOf([rule("allow", "cluster(*)")])
    const calls = [
      { tool: "cluster(delete_pod)", args: { name: "broken" } },
      { tool: "clock", args: { name: "broken" } },
    ]
    const world = await openAgent([{ calls }, { when: "It is broken.", say: "I see." }], { policy })
    expect((await runTask(world, "go")).text).toBe("I see.")
    expect(world.ran).toHaveLength(2)
  })

  it("that policy hides are not offered, and refused when they are called anyway", async () => {
    const world = await openAgent([{ calls: [{ tool: "cluster(admin_reset)", args: {} }] }, { say: "Done." }])
    expect((await runTask(world, "reset")).status).toBe("finished")
    expect(world.ran).toEqual([])
  })

  it("cannot have a configured server's name", async () => {
    await expect(openAgent([], { servers: ["cluster"] })).rejects.toThrow('There is a server "cluster" already')
  })
})

describe("decisions in a message", () => {
  it.each([
    {
      name: "by requirement",
      value: [{ requirement_id: "r", execute: true }],
      read: [{ requirement_id: "r", execute: true }],
    },
    {
      name: "by tool call, with a reason",
      value: [{ id: "t", execute: false, rejection_reason: "No." }],
      read: [{ requirement_id: "t", execute: false, rejection_reason: "No." }],
    },
    {
      name: "no without a reason is a no",
      value: [{ id: "t", execute: false }],
      read: [{ requirement_id: "t", execute: false }],
    },
    { name: "nothing said is undecided", value: [{ id: "t" }, { id: "u", execute: null }], read: [] },
    { name: "words are no decision", value: [{ id: "t", execute: "yes" }], read: null },
    { name: "nobody is meant", value: [{ execute: true }], read: null },
    { name: "no list", value: { id: "t", execute: true }, read: null },
  ])("$name", ({ value, read }) => {
    expect(readDecisions(value)).toEqual(read)
  })

  it("come with the latest message alone", () => {
    const old = { role: "user", data: { tool_calls: [{ id: "a", execute: true }] } }
    expect(decisionsOfLatest([old, { role: "user", content: "and?" }])).toEqual([])
    expect(decisionsOfLatest([{ role: "user" }, old])).toEqual([{ requirement_id: "a", execute: true }])
  })
})
