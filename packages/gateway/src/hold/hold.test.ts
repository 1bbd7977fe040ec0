import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import type { GatewayTimes } from "../gateway.ts"
import {
  approve,
  ask,
  type Conversation,
  callOf,
  deny,
  gateOn,
  legacyCaller,
  memoryStore,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  resultOf,
  reviewer,
  rule,
  textOf,
  withTasks,
} from "../relay/fixtures/open-relay.ts"
import { twoEra } from "../relay/fixtures/two-era.ts"
import type { Reply } from "../wire/message.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const short: Partial<GatewayTimes> = { legMs: 30, budgetMs: 30, legs: 8 }

async function open(setting: RelaySetting = {}) {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server], setting)
  opened.push(relay)
  return { ...relay, two, backend: relay.backend("two") }
}

/** Once the server really has the call. */
async function reached(two: ReturnType<typeof twoEra>, method: string): Promise<void> {
  await expect.poll(() => two.seen(method).length, { timeout: 10_000 }).toBeGreaterThan(0)
}

describe("a legacy client that nobody answers in time", () => {
  it("R94: gets a ticket, and its result by repeating the call once it is approved", async () => {
    const { backend, gate, two } = await open({ times: short })
    const held = nextHeld(gate)
    const ticket = await resultOf(ask(backend, legacyCaller(), callOf("echo", { a: 1 })))
    const approval = await held
    expect(ticket).toMatchObject({ isError: true, _meta: { "byleave/ticket": { approval: approval.id } } })
    expect(ticket).not.toHaveProperty("structuredContent")
    expect(textOf(ticket)).toContain("http://127.0.0.1:7337")
    await approve(gate, approval)
    expect(two.seen("tools/call")).toEqual([])
    const again = () => resultOf(ask(backend, legacyCaller(), callOf("echo", { a: 1 })))
    let result = await again()
    // It may run for longer than this client waits.
    while (textOf(result).includes("repeat this exact call")) result = await again()
    expect(textOf(result)).toContain("echoed")
    expect(two.seen("tools/call").length).toBe(1)
  })

  it("whose connection broke leaves the call waiting, and finds it again", async () => {
    const { backend, gate } = await open()
    const held = nextHeld(gate)
    const calling = ask(backend, legacyCaller(), callOf("echo"))
    const approval = await held
    calling.drop()
    await calling.reply
    expect((await gate.approval(approval.id))?.status).toBe("pending")
    await approve(gate, approval)
    expect(textOf(await resultOf(ask(backend, legacyCaller(), callOf("echo"))))).toContain("echoed")
  })

  it("whose connection broke while it ran gets the outcome by repeating the call, and it runs once", async () => {
    const { backend, gate, two } = await open()
    const held = nextHeld(gate)
    const { promise: answered, resolve: answer } = Promise.withResolvers<Reply>()
    const caller = legacyCaller({ abilities: { elicitation: {} } })
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
    const calling = ask(backend, caller, callOf("ask"), () => {
      isAsked()
      return answered
    })
    await approve(gate, await held)
    // A question that comes after the connection broke would wait for its client to come back.
    await asked
    calling.drop()
    expect((await resultOf(calling))._meta).toHaveProperty("byleave/ticket")
    const settled = until(gate, "approval.succeeded")
    answer({ kind: "result", result: { action: "accept", content: { name: "Ana" } } })
    await settled
    const result = await resultOf(ask(backend, caller, callOf("ask")))
    expect(textOf(result)).toContain("hello Ana")
    expect(result._meta).toEqual({ "byleave/notes": ["delivered-late"] })
    expect(two.seen("tools/call").length).toBe(1)
  })
})

describe("a caller that withdraws", () => {
  it("cancels what is held", async () => {
    const { backend, gate, two } = await open()
    const held = nextHeld(gate)
    const calling = ask(backend, legacyCaller(), callOf("echo"))
    const approval = await held
    calling.withdraw()
    await calling.reply
    expect((await gate.approval(approval.id))?.status).toBe("cancelled")
    expect((await approve(gate, approval)).ok).toBe(false)
    expect(two.seen("tools/call")).toEqual([])
  })

  it.each([
    { name: "an allowed call", policy: policyOf([rule("allow", "two(*)")]), isHeld: false },
    { name: "an approved call", policy: policyOf([]), isHeld: true },
  ])("stops $name at the server", async ({ policy, isHeld }) => {
    const { backend, gate, two } = await open({ policy })
    const held = isHeld ? nextHeld(gate) : null
    const calling = ask(backend, legacyCaller(), callOf("never"))
    if (held !== null) await approve(gate, await held)
    await reached(two, "tools/call")
    calling.withdraw()
    await reached(two, "notifications/cancelled")
    await calling.reply
    expect(two.seen("tools/call").length).toBe(1)
  })
})

describe("a modern client", () => {
  const retry = (backend: Parameters<typeof ask>[0], result: JsonObject, name = "echo"): Conversation =>
    ask(backend, modernCaller(), callOf(name, {}, { requestState: result.requestState ?? null }))

  it("comes back leg by leg until it is approved, and the call runs once", async () => {
    const { backend, gate, two } = await open({ times: short })
    const held = nextHeld(gate)
    let result = await resultOf(ask(backend, modernCaller(), callOf("echo")))
    const approval = await held
    for (let leg = 0; leg < 3; leg += 1) {
      expect(Object.keys(result)).toEqual(expect.arrayContaining(["resultType", "requestState"]))
      expect(result).not.toHaveProperty("inputRequests")
      result = await resultOf(retry(backend, result))
    }
    await approve(gate, approval)
    // It may run for longer than a leg lasts.
    let last = await resultOf(retry(backend, result))
    while (last.resultType === "input_required") last = await resultOf(retry(backend, last))
    expect(textOf(last)).toContain("echoed")
    const replayed = await resultOf(retry(backend, result))
    expect(textOf(replayed)).toContain("echoed")
    expect(two.seen("tools/call").length).toBe(1)
  })

  it("gets a ticket on the ninth leg", async () => {
    const { backend } = await open({ times: { ...short, legMs: 5 } })
    let result = await resultOf(ask(backend, modernCaller(), callOf("echo")))
    let legs = 1
    while (result.resultType === "input_required") {
      result = await resultOf(retry(backend, result))
      legs += 1
    }
    expect(legs).toBe(9)
    expect(result._meta).toHaveProperty("byleave/ticket")
  })

  it("R96: hears of a denial that was given between two legs", async () => {
    const { backend, gate } = await open({ times: short })
    const held = nextHeld(gate)
    const result = await resultOf(ask(backend, modernCaller(), callOf("echo")))
    await deny(gate, await held, "too late in the day")
    const last = await resultOf(retry(backend, result))
    expect(last.isError).toBe(true)
    expect(textOf(last)).toContain("too late in the day")
  })
})

describe("a reviewer's edit", () => {
  it("runs the changed arguments, and the caller is told", async () => {
    const { backend, gate, two } = await open()
    const held = nextHeld(gate)
    const calling = ask(
      backend,
      legacyCaller(),
      callOf("echo", { path: "/etc", force: true }, { _meta: { "vendor/kept": 1 } }),
    )
    await approve(gate, await held, { args: { path: "/tmp" } })
    const result = await resultOf(calling)
    expect(result._meta).toEqual({ "byleave/notes": ["edited"] })
    expect(textOf(result)).toContain("edited the arguments")
    const [line = ""] = two.seen("tools/call")
    expect(line).toContain('"arguments":{"path":"/tmp"}')
    expect(line).toContain('"vendor/kept":1')
  })
})

describe("a task", () => {
  const caller = modernCaller({ abilities: withTasks })
  const about = (method: string, taskId: unknown): { method: string; params: JsonObject } => ({
    method,
    params: { taskId: String(taskId) },
  })

  it("is given at once for a held call, and has its result when it is approved", async () => {
    const { backend, gate, two, tasks } = await open()
    const held = nextHeld(gate)
    const created = await resultOf(ask(backend, caller, callOf("echo")))
    const approval = await held
    expect(created).toMatchObject({ resultType: "task", taskId: approval.id, status: "working", ttlMs: null })
    expect(tasks.has(approval.id)).toBe(true)
    const settled = until(gate, "approval.succeeded")
    await approve(gate, approval)
    await settled
    const got = await resultOf(ask(backend, caller, about("tasks/get", created.taskId)))
    expect(got).toMatchObject({ resultType: "complete", status: "completed", result: { vendorField: { kept: true } } })
    expect(two.seen("tools/call").length).toBe(1)
  })

  it("is finished by another gateway on the same store when the first one is gone", async () => {
    const store = memoryStore()
    const records = new Map()
    const first = await open({ store, taskRecords: records })
    const held = nextHeld(first.gate)
    const created = await resultOf(ask(first.backend, caller, callOf("echo")))
    const approval = await held
    await first.close()
    opened.pop()
    const second = await open({ gate: await gateOn(store, policyOf([])), store, taskRecords: records })
    await resultOf(ask(second.backend, caller, about("tasks/get", created.taskId)))
    await expect.poll(async () => (await second.gate.approval(approval.id))?.caller).not.toBeNull()
    const settled = until(second.gate, "approval.succeeded")
    await second.gate.answer({ approval: approval.id, kind: "approve", digest: approval.runDigest, reviewer })
    await settled
    const got = await resultOf(ask(second.backend, caller, about("tasks/get", created.taskId)))
    expect(got).toMatchObject({ status: "completed" })
    expect(first.two.seen("tools/call")).toEqual([])
    expect(second.two.seen("tools/call").length).toBe(1)
  })

  it("is cancelled by its owner, and does not exist for anyone else", async () => {
    const { backend, gate } = await open()
    const created = await resultOf(ask(backend, caller, callOf("echo")))
    const eve = modernCaller({
      abilities: withTasks,
      principal: { id: "eve" },
      session: { principal: "eve", id: "s1", named: true },
    })
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      expect(await ask(backend, eve, about(method, created.taskId)).reply).toMatchObject({ error: { code: -32602 } })
    }
    const settled = until(gate, "approval.cancelled")
    expect(await resultOf(ask(backend, caller, about("tasks/cancel", created.taskId)))).toMatchObject({
      resultType: "complete",
    })
    await settled
    expect(await resultOf(ask(backend, caller, about("tasks/get", created.taskId)))).toMatchObject({
      status: "cancelled",
    })
  })

  it("is refused to a client that does not declare the extension", async () => {
    const { backend } = await open()
    const reply = await ask(backend, modernCaller(), about("tasks/get", "x")).reply
    expect(reply).toMatchObject({ kind: "error", error: { code: -32021 } })
  })

  it("of a server is passed on under a sealed name, or followed where a person approved the call", async () => {
    const two = twoEra("modern")
    const relay = await openRelay([two.server], { policy: policyOf([rule("allow", "two(*)")]) })
    opened.push(relay)
    const created = await resultOf(ask(relay.backend("two"), caller, callOf("task")))
    expect(created).toMatchObject({ resultType: "task", status: "working" })
    expect(created.taskId).not.toBe("t1")
    const got = await resultOf(ask(relay.backend("two"), caller, about("tasks/get", created.taskId)))
    expect(got).toMatchObject({ taskId: created.taskId, status: "working" })

    const asking = await openRelay([twoEra("modern").server])
    opened.push(asking)
    const held = nextHeld(asking.gate)
    const ours = await resultOf(ask(asking.backend("two"), caller, callOf("task")))
    const settled = until(asking.gate, "approval.succeeded")
    await approve(asking.gate, await held)
    await settled
    const done = await resultOf(ask(asking.backend("two"), caller, about("tasks/get", ours.taskId)))
    expect(JSON.stringify(done.result)).toContain("task done")
  })
})

function until(gate: Relay["gate"], type: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = gate.events((event) => {
      if (event.type !== type) return
      stop()
      resolve()
    })
  })
}
