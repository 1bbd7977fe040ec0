import { type Approval, emptyPolicy, parseTargetPattern, type RunOutcome } from "@byleave/core"
import { expect, it } from "vitest"
import { submitCall } from "../call/submit-call.ts"
import { type AdapterBench, edited, openAdapter } from "../fixtures/open-adapter.ts"
import { createHolds } from "./holds.ts"

it("R188: a host's own pause waits for our approval, and goes on elsewhere from plain data", async () => {
  const { options, gate, held, answer, ran, runTool } = await openAdapter()
  const before = createHolds({ ...options, gate })
  const calls = [
    ["1", "a.md"],
    ["2", "b.md"],
    ["3", "c.md"],
  ] as const
  for (const [id, path] of calls) expect(await before.hold(id, "write_file", { path })).not.toBeNull()
  expect(await before.hold("1", "write_file", { path: "a.md" })).toBe(before.saved()[0]?.[1])
  expect(await before.answers()).toBeNull()
  await answer(await held())
  await answer(await held(), { kind: "deny", reason: "Not b." })
  expect(await before.answers()).toBeNull()
  await answer(await held(), { args: edited })

  const after = createHolds({ ...options, gate }, JSON.parse(JSON.stringify(before.saved())))
  const answers = await after.answers()
  expect(answers?.get("1")).toEqual({ approved: true })
  expect(answers?.get("2")).toMatchObject({ approved: false, reason: expect.stringContaining("Not b.") })
  for (const path of ["a.md", "c.md"]) {
    const proposed = { tool: "write_file", input: { path } }
    expect(await submitCall(after.options, proposed, runTool("write_file"))).toMatchObject({ kind: "ran" })
  }
  expect(ran.map(([, args]) => args)).toEqual([{ path: "a.md" }, edited])
})

it.each(["read_file", "delete_file"])("does not hold %s, of which policy says all there is to say", async (tool) => {
  const { options, gate } = await openAdapter()
  expect(await createHolds({ ...options, gate }).hold("1", tool, {})).toBeNull()
})

it("I1: a host that goes on unasked runs nothing", async () => {
  const { options, gate, ran, runTool } = await openAdapter()
  const holds = createHolds({ ...options, gate })
  await holds.hold("1", "write_file", { path: "a.md" })
  const proposed = { tool: "write_file", input: { path: "a.md" } }
  expect(await submitCall(holds.options, proposed, runTool("write_file"))).toMatchObject({ kind: "waiting" })
  expect(ran).toEqual([])
})

it("I3: what was approved earlier and is called again runs once, without a pause", async () => {
  const { options, gate, ran, runTool, answer, held } = await openAdapter()
  const first = createHolds({ ...options, gate })
  await first.hold("1", "write_file", { path: "a.md" })
  await answer(await held())
  const second = createHolds({ ...options, gate })
  expect(await second.hold("2", "write_file", { path: "a.md" })).toBeNull()
  const proposed = { tool: "write_file", input: { path: "a.md" } }
  expect(await submitCall(second.options, proposed, runTool("write_file"))).toMatchObject({ kind: "ran" })
  expect(ran).toHaveLength(1)
})

it.each(["succeeded", "failed"] as const)(
  "I3: the result of a call that a reviewer ran is given to the tool, and not used up by asking: %s",
  async (kind) => {
    const { options, gate, ran, runTool, answer, held } = await openAdapter()
    await createHolds({ ...options, gate }).hold("1", "write_file", { path: "a.md" })
    const { id: approval, runDigest: digest } = await held()
    await answer({ id: approval, runDigest: digest } as Approval)
    const reviewer = { id: "ana", groups: [] }
    await gate.runNow({ approval, reviewer, digest }, async () =>
      kind === "succeeded" ? { kind, result: "kept" } : { kind, error: "kept" },
    )
    expect(await createHolds({ ...options, gate }).hold("2", "write_file", { path: "a.md" })).toBeNull()
    const third = createHolds({ ...options, gate })
    expect(await third.hold("3", "write_file", { path: "a.md" })).toBeNull()
    const proposed = { tool: "write_file", input: { path: "a.md" } }
    const given = kind === "succeeded" ? { kind: "result", result: "kept" } : { kind, error: "kept" }
    expect(await submitCall(third.options, proposed, runTool("write_file"))).toMatchObject(given)
    expect(ran).toEqual([])
  },
)

it("I3: a call that a reviewer has run at this moment is waited for as one that is held", async () => {
  const { options, gate, ran, runTool, answer, held } = await openAdapter()
  await createHolds({ ...options, gate }).hold("1", "write_file", { path: "a.md" })
  const asked = await held()
  await answer(asked)
  const runs = Promise.withResolvers<RunOutcome>()
  const reviewer = { id: "ana", groups: [] }
  const now = gate.runNow({ approval: asked.id, reviewer, digest: asked.runDigest }, () => runs.promise)
  await expect.poll(async () => (await gate.approval(asked.id))?.status).toBe("running")
  const second = createHolds({ ...options, gate })
  expect(await second.hold("2", "write_file", { path: "a.md" })).toBe(asked.id)
  runs.resolve({ kind: "succeeded", result: "kept" })
  await now
  const proposed = { tool: "write_file", input: { path: "a.md" } }
  expect(await submitCall(second.options, proposed, runTool("write_file"))).toMatchObject({ result: "kept" })
  expect(ran).toEqual([])
})

it.each([
  { name: "denied", verdict: { kind: "deny", reason: "No." } as const, held: true },
  { name: "approved", verdict: {}, held: false },
])("I3: what is $name between the question and the host's leaving is not lost", async ({ verdict, held: isHeld }) => {
  const { options, gate, ran, runTool, answer } = await openAdapter()
  const submit: typeof gate.submit = (call, run, how) => {
    const answered = Promise.withResolvers<void>()
    const onHeld = (approval: Approval): void => {
      how?.onHeld?.(approval)
      void answer(approval, verdict).then(answered.resolve)
    }
    return gate.submit(call, run, { ...how, onHeld, until: () => answered.promise })
  }
  const holds = createHolds({ ...options, gate: { ...gate, submit } })
  const approval = await holds.hold("1", "write_file", { path: "a.md" })
  expect(approval !== null).toBe(isHeld)
  const proposed = { tool: "write_file", input: { path: "a.md" } }
  if (isHeld) {
    const reason = expect.stringContaining("No.")
    expect(await holds.answers()).toEqual(new Map([["1", { approved: false, reason }]]))
  } else {
    const after = createHolds({ ...options, gate }).options
    expect(await submitCall(after, proposed, runTool("write_file"))).toMatchObject({ kind: "ran" })
  }
  expect(ran).toHaveLength(isHeld ? 0 : 1)
})

it("I4: equal calls that were let through run each by its own word, and none stays running", async () => {
  const { options, gate, ran, runTool } = await openAdapter()
  const ask: typeof gate.judge = async (...asked) => ({ ...(await gate.judge(...asked)), effect: "ask" })
  const submitted: Array<ReturnType<typeof gate.submit>> = []
  const submit: typeof gate.submit = (...call) => {
    const outcome = gate.submit(...call)
    submitted.push(outcome)
    return outcome
  }
  const holds = createHolds({ ...options, gate: { ...gate, judge: ask, submit } })
  const same = { path: "a.md" }
  for (const id of ["1", "1", "2"]) expect(await holds.hold(id, "read_file", same)).toBeNull()
  const proposed = { tool: "read_file", input: same }
  for (const _ of ["1", "2"]) {
    expect(await submitCall(holds.options, proposed, runTool("read_file"))).toMatchObject({ kind: "ran" })
  }
  expect(ran).toHaveLength(2)
  expect(submitted).toHaveLength(2)
  expect(await Promise.all(submitted)).toMatchObject([{ kind: "result" }, { kind: "result" }])
})

it("I3: what was approved earlier does not run once policy denies it", async () => {
  const { options, gate, store, ran, runTool, answer, held } = await openAdapter()
  const first = createHolds({ ...options, gate })
  await first.hold("1", "write_file", { path: "a.md" })
  const approval = await held()
  await answer(approval)
  const second = createHolds({ ...options, gate })
  expect(await second.hold("2", "write_file", { path: "a.md" })).toBeNull()
  const target = parseTargetPattern("files(write_file)")
  if (!target.ok) throw new Error(target.problem)
  const deny = {
    id: "d",
    effect: "deny",
    target: target.pattern,
    reason: "No more.",
    origin: { where: "test" },
  } as const
  await gate.replacePolicy({ ...emptyPolicy, version: "deny", rules: [deny] }, "ana")
  const proposed = { tool: "write_file", input: { path: "a.md" } }
  expect(await submitCall(second.options, proposed, runTool("write_file"))).toMatchObject({
    kind: "refused",
    text: expect.stringContaining("No more."),
  })
  expect(ran).toEqual([])
  expect(await store.approval(approval.id)).toMatchObject({ status: "denied" })
})

it("I3: what was approved earlier is not used by a host that never runs it", async () => {
  const { options, gate, store, ran, runTool, answer, held } = await openAdapter()
  await createHolds({ ...options, gate }).hold("1", "write_file", { path: "a.md" })
  const approval = await held()
  await answer(approval)
  expect(await createHolds({ ...options, gate }).hold("2", "write_file", { path: "a.md" })).toBeNull()
  expect(await store.approval(approval.id)).toMatchObject({ status: "approved" })
  const third = createHolds({ ...options, gate })
  expect(await third.hold("3", "write_file", { path: "a.md" })).toBeNull()
  const proposed = { tool: "write_file", input: { path: "a.md" } }
  expect(await submitCall(third.options, proposed, runTool("write_file"))).toMatchObject({ kind: "ran" })
  expect(ran).toHaveLength(1)
})

it.each([
  { name: "withdrawn", ends: ({ gate }: AdapterBench, id: string) => gate.cancel(id, "agent", "no longer") },
  { name: "stopped with its session by a person", ends: ({ gate }: AdapterBench) => gate.stopSession(session) },
])("I3: what was approved earlier does not run once it is $name", async ({ ends }) => {
  const bench = await openAdapter()
  const { options, gate, store, ran, runTool, answer, held } = bench
  await createHolds({ ...options, gate }).hold("1", "write_file", { path: "a.md" })
  const approval = await held()
  await answer(approval)
  const second = createHolds({ ...options, gate })
  expect(await second.hold("2", "write_file", { path: "a.md" })).toBeNull()
  await ends(bench, approval.id)
  const proposed = { tool: "write_file", input: { path: "a.md" } }
  expect(await submitCall(second.options, proposed, runTool("write_file"))).toMatchObject({ kind: "waiting" })
  expect(ran).toEqual([])
  expect(await store.approval(approval.id)).toMatchObject({ status: "cancelled" })
})

it("I2: what a permission for one use let through while it was to be held runs, though something else changed", async () => {
  const { options, gate, ran, runTool } = await openAdapter()
  const allow = (tool: string) =>
    gate.addGrant({ effect: "allow", breadth: { kind: "tool", server: "files", tool }, uses: 1 }, ana)
  const judge: typeof gate.judge = async (...asked) => {
    const decision = await gate.judge(...asked)
    // Given between the look at the call and its submission.
    await allow("write_file")
    return decision
  }
  const holds = createHolds({ ...options, gate: { ...gate, judge } })
  expect(await holds.hold("1", "write_file", { path: "a.md" })).toBeNull()
  await allow("other")
  const proposed = { tool: "write_file", input: { path: "a.md" } }
  expect(await submitCall(holds.options, proposed, runTool("write_file"))).toMatchObject({ kind: "ran" })
  expect(ran).toHaveLength(1)
})

const ana = { id: "ana", groups: [] }
const session = { principal: "agent", id: "thread", named: true } as const
