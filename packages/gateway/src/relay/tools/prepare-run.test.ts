import type { Approval, Call, Rule, Run } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  nextHeld,
  nodeServer,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  reviewer,
  rule,
  textOf,
} from "../fixtures/open-relay.ts"
import { twoEra } from "../fixtures/two-era.ts"
import { prepareRun, prepareRunCall, whyNotRun } from "./prepare-run.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open(era: "legacy" | "modern") {
  const two = twoEra(era)
  const relay = await openRelay([two.server], { times: { budgetMs: 30 } })
  opened.push(relay)
  const server = relay.backends.get("two")?.relay
  if (server === undefined) throw new Error("no such server")
  return { ...relay, two, backend: relay.backend("two"), server }
}

/** Approved after its client went away with a ticket. */
async function permitFor(
  { backend, gate }: Awaited<ReturnType<typeof open>>,
  name: string,
  caller = legacyCaller(),
): Promise<Approval> {
  const held = nextHeld(gate)
  await resultOf(ask(backend, caller, callOf(name, { a: 1 })))
  const answer = await approve(gate, await held)
  if (!answer.ok) throw new Error(answer.refusal.code)
  return answer.approval
}

describe.each(["legacy", "modern"] as const)("an approved call of a %s server whose client is away", (era) => {
  it("runs once when a reviewer says so, and its client is told of it when it comes back", async () => {
    const relay = await open(era)
    const permit = await permitFor(relay, "echo")
    const prepared = await prepareRun(relay.server, permit)
    expect(relay.two.seen("tools/call")).toEqual([])
    if (!prepared.ok) throw new Error(prepared.why)
    const order = { approval: permit.id, digest: permit.runDigest, reviewer, listed: prepared.listed }
    const answer = await relay.gate.runNow(order, prepared.run)
    if (!answer.ok) throw new Error(answer.refusal.code)
    await answer.ended
    expect(await relay.gate.approval(permit.id)).toMatchObject({ status: "succeeded" })
    const back = await resultOf(ask(relay.backend, legacyCaller(), callOf("echo", { a: 1 })))
    expect(textOf(back)).toContain("echoed")
    expect(textOf(back)).toContain("A reviewer had this call run while you were away")
    expect(back._meta).toMatchObject({ "byleave/notes": ["delivered-late", "run-by-reviewer"] })
    expect(relay.two.seen("tools/call")).toHaveLength(1)
  })
})

describe.each(["legacy", "modern"] as const)("a call of an agent run at a %s server", (era) => {
  const made = { tool: { server: "two", tool: "echo" }, args: { a: 1 }, principal: { id: "run" } } as const
  const call: Call = { ...made, session: { principal: "run", id: "run-1", named: true } }

  const setup = { model: "m", servers: ["two"], maxSteps: 1 }
  const begun = {
    id: "run-1",
    principal: "run",
    startedBy: { kind: "reviewer", id: "ana" },
    title: "",
    setup,
    bytes: 0,
  } as const

  /** Begins as the gate judged it, then things change, then it is made ready and sent: what came of it. */
  async function sentAfter(rules: readonly Rule[] | null, before: "allow" | "ask") {
    const relay = await open(era)
    const { gate } = relay
    await gate.startRun(begun, [], "ana")
    await gate.replacePolicy(policyOf([rule(before, "two(echo)")]), null)
    const changes = relay.backends.context.visibility.changes(call.session)
    const run: Run = async (args, context) => {
      if (rules !== null) await gate.replacePolicy(policyOf(rules), null)
      const prepared = await prepareRunCall(relay.server, "run-1", call, changes)
      if (!prepared.ok) throw new Error(prepared.why)
      return prepared.run(args, context)
    }
    const outcome = await gate.submit(call, run, { onHeld: (approval) => void approve(gate, approval) })
    return { outcome, sent: relay.two.seen("tools/call").length }
  }

  const twice = rule("ask", "two(echo)", { approvals: 2 })
  it.each([
    { name: "nothing", rules: null, before: "allow", sent: 1 },
    { name: "a deny", rules: [rule("deny", "two(echo)")], before: "allow", sent: 0 },
    { name: "a deny of what was approved", rules: [rule("deny", "two(echo)")], before: "ask", sent: 0 },
    { name: "an ask, where nobody was asked", rules: [rule("ask", "two(echo)")], before: "allow", sent: 0 },
    { name: "an ask of what was approved", rules: [rule("ask", "two(echo)")], before: "ask", sent: 1 },
    { name: "an ask of two people of what one approved", rules: [twice], before: "ask", sent: 0 },
  ] as const)("after $name since it was judged: sent $sent times", async ({ rules, before, sent }) => {
    const came = await sentAfter(rules, before)
    expect(came.sent).toBe(sent)
    if (sent > 0) return expect(came.outcome).toMatchObject({ kind: "result" })
    expect(came.outcome.kind).toBe("error")
    expect(JSON.stringify(came.outcome)).toContain("Nothing was sent")
  })
})

describe("what cannot run without its client", () => {
  it.each([
    { name: "what is no tool", of: { kind: "sampling" }, why: "Only a call of a tool" },
    { name: "a task of its own", of: { extraParams: { task: {} } }, why: "as a task" },
    {
      name: "an answer to its server",
      of: { extraParams: { inputResponses: {} } },
      why: "goes on with a conversation",
    },
    { name: "a tool that is gone", of: { tool: { server: "two", tool: "gone" } }, why: "not among the tools" },
  ] as const)("is $name, and that is said", async ({ of, why }) => {
    const relay = await open("legacy")
    const permit = await permitFor(relay, "echo")
    const prepared = await prepareRun(relay.server, { ...permit, ...of } as Approval)
    expect(prepared).toEqual({ ok: false, why: expect.stringContaining(why) })
  })

  it.each([
    { abilities: { roots: {} }, connection: { isOwn: true, hasRoots: true } },
    { abilities: { elicitation: {} }, connection: { isOwn: true, hasRoots: false } },
  ])("is a call over a connection of its client's own: $abilities", async ({ abilities, connection }) => {
    const relay = await open("legacy")
    const permit = await permitFor(relay, "echo", legacyCaller({ abilities }))
    expect(permit.connection).toEqual(connection)
    const why = expect.stringContaining("a connection of its own")
    expect(await prepareRun(relay.server, permit)).toEqual({ ok: false, why })
    expect(whyNotRun(relay.server, permit)).toEqual(why)
  })

  it("is a call of a modern server whose client names roots, though nobody has a connection of its own there", async () => {
    const relay = await open("modern")
    await relay.backend.hello(legacyCaller())
    const permit = await permitFor(relay, "echo", legacyCaller({ abilities: { roots: {} } }))
    expect(permit.connection).toEqual({ isOwn: false, hasRoots: true })
    expect(await prepareRun(relay.server, permit)).toMatchObject({ ok: false })
  })

  it("is what a server would have to run that is stopped or cannot be started", async () => {
    const relay = await open("legacy")
    const permit = await permitFor(relay, "echo")
    await relay.backends.stop("two")
    expect(await prepareRun(relay.server, permit)).toMatchObject({ ok: false, why: expect.stringContaining("stopped") })
    const broken = await openRelay([nodeServer("two", ["-e", "process.exit(1)"])], {})
    opened.push(broken)
    const server = broken.backends.get("two")?.relay
    if (server === undefined) throw new Error("no such server")
    expect(await prepareRun(server, permit)).toMatchObject({
      ok: false,
      why: expect.stringContaining("cannot be reached"),
    })
  })
})
