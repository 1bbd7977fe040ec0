import type { Gate, JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import type { Caller } from "../../wire/caller.ts"
import type { Backend } from "../../wire/exchange.ts"
import type { Notice } from "../../wire/message.ts"
import {
  approve,
  ask,
  legacyCaller,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  reviewer,
  rule,
  textOf,
  withTasks,
} from "../fixtures/open-relay.ts"
import { type PlainServer, plainServer, plainTool } from "../fixtures/plain-server.ts"
import { type TaskServer, taskServer } from "../fixtures/task-server.ts"
import { createAggregateBackend } from "../several/aggregate-backend.ts"

const opened: Relay[] = []
const servers: TaskServer[] = []
const plain: PlainServer[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of [...servers.splice(0), ...plain.splice(0)]) await server.end()
})

function agent(id: string): Caller {
  const session = { principal: id, id: "s1", named: true }
  return legacyCaller({ principal: { id }, session, conversation: `of ${id}`, abilities: { roots: {} } })
}
const ana = agent("ana")
const bob = agent("bob")

async function open(ids: readonly string[] = ["plain"], policy = policyOf([rule("allow", "*(run)")])) {
  const all = await Promise.all(ids.map((id) => taskServer(id)))
  servers.push(...all)
  const relay = await openRelay(
    all.map(({ server }) => server),
    { policy },
  )
  opened.push(relay)
  return { all, relay, aggregate: createAggregateBackend(relay.backends), backend: relay.backend(ids[0] ?? "") }
}

async function run(backend: Backend, caller: Caller, args: JsonObject, name = "run"): Promise<string> {
  const params = { name, arguments: args, task: { ttl: 60_000 } }
  const { task } = await resultOf(ask(backend, caller, { method: "tools/call", params }))
  return String((task as JsonObject).taskId)
}
const about = (backend: Backend, caller: Caller, method: string, taskId: string) =>
  ask(backend, caller, { method, params: { taskId } }).reply
const notFound = { kind: "error", error: { message: "Task not found" } }

describe("a legacy server's task", () => {
  it("I1: is asked about by the principal whose call made it, and does not exist for another", async () => {
    const { all, backend } = await open()
    const taskId = await run(backend, ana, { account: "ana's" })
    expect(taskId).not.toBe("1")
    for (const name of [taskId, "1"]) {
      for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
        expect(await about(backend, bob, method, name)).toMatchObject(notFound)
    }
    expect(await about(backend, ana, "tasks/get", "1")).toMatchObject(notFound)
    const [server] = all
    expect(["tasks/get", "tasks/result", "tasks/cancel"].flatMap((method) => server?.seen(method) ?? [])).toEqual([])
    expect(await about(backend, ana, "tasks/get", taskId)).toMatchObject({ result: { taskId, status: "working" } })
    const related = { "io.modelcontextprotocol/related-task": { taskId } }
    expect(await about(backend, ana, "tasks/result", taskId)).toMatchObject({ result: { _meta: related } })
    expect(await about(backend, ana, "tasks/cancel", taskId)).toMatchObject({ result: { taskId, status: "cancelled" } })
    expect(server?.seen("tasks/cancel")).toEqual([{ taskId: "1" }])
  })

  it("I2: is listed to the principal whose call made it, by the name that it was given", async () => {
    const { backend } = await open()
    const mine = [await run(backend, ana, {}), await run(backend, ana, {})]
    await run(backend, bob, {})
    const { tasks } = await resultOf(ask(backend, ana, { method: "tasks/list", params: {} }))
    expect((tasks as JsonObject[]).map(({ taskId }) => taskId)).toEqual(mine)
  })

  it("I3: is out of reach once a rule denies its tool", async () => {
    const { all, relay, backend } = await open()
    const taskId = await run(backend, ana, {})
    await relay.gate.replacePolicy(policyOf([rule("deny", "plain(run)")]), null)
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      expect(await about(backend, ana, method, taskId)).toMatchObject({ kind: "error", error: { code: 403 } })
    const { tasks } = await resultOf(ask(backend, ana, { method: "tasks/list", params: {} }))
    expect(tasks).toEqual([])
    expect(all[0]?.seen("tasks/get")).toEqual([])
  })

  it("I3: is in reach where nothing but the default is against its tool", async () => {
    const policy = policyOf([rule("allow", "plain(run)")], { default: "deny" })
    const { backend } = await open(["plain"], policy)
    const taskId = await run(backend, ana, {})
    expect(await about(backend, ana, "tasks/get", taskId)).toMatchObject({ result: { status: "working" } })
  })
})

describe("a task whose result is waited for", () => {
  const words = "words of the tool"
  const quarantine = (gate: Gate) => gate.quarantine({ server: "plain", tool: "run" }, reviewer)
  const deny = (gate: Gate) => gate.replacePolicy(policyOf([rule("deny", "plain(run)")]), null)
  const denyOther = (gate: Gate) =>
    gate.replacePolicy(policyOf([rule("deny", "plain(other)"), rule("allow", "plain(run)")]), null)

  /** Somebody changes what agents may do, and then the server says all that it can about the task, but its result. */
  async function heardAfter(change: (gate: Gate) => Promise<unknown>) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const holds = (method: string) => (method === "tasks/result" ? released : undefined)
    const server = await taskServer("plain", { streams: true, holds })
    servers.push(server)
    const relay = await openRelay([server.server], { policy: policyOf([rule("allow", "*(run)")]) })
    opened.push(relay)
    const backend = relay.backend("plain")
    const caller = { ...ana, abilities: { tasks: {} } }
    const heard: Notice[] = []
    const inquire = async () => ({ kind: "error", error: { code: -32601, message: "no" } }) as const
    await backend.attend(caller, { notify: (notice) => heard.push(notice), inquire })
    const taskId = await run(backend, caller, {})
    await expect.poll(server.streams).toBe(1)
    const waiting = ask(backend, caller, { method: "tasks/result", params: { taskId } })
    await expect.poll(() => server.seen("tasks/result").length).toBe(1)
    await change(relay.gate)
    const at = "2026-01-01T00:00:00Z"
    const status = { taskId: "1", status: "working", createdAt: at, lastUpdatedAt: at, ttl: 1, statusMessage: words }
    server.say("notifications/tasks/status", status)
    server.say("notifications/message", { level: "error", data: words })
    server.say("notifications/prompts/list_changed", {})
    await expect.poll(() => heard).toContainEqual({ method: "notifications/prompts/list_changed", params: {} })
    const told = () => [...waiting.notices, ...heard].filter((notice) => JSON.stringify(notice).includes(words))
    return { reply: waiting.reply, release, told: () => told().map(({ method }) => method) }
  }

  it("under-way I1, I2: is over at once when its tool is put in quarantine, and nothing more is heard of it", async () => {
    const { reply, release, told } = await heardAfter(quarantine)
    expect(await reply).toMatchObject(notFound)
    expect(told()).toEqual([])
    release()
  })

  it("I3: is kept from its agent once a rule denies its tool: its result and how it stands", async () => {
    const { reply, release, told } = await heardAfter(deny)
    release()
    expect(await reply).toMatchObject({ kind: "error", error: { code: 403 } })
    expect(told()).not.toContain("notifications/tasks/status")
  })

  it("is its agent's when anything else changes", async () => {
    const { reply, release, told } = await heardAfter(denyOther)
    release()
    expect(await reply).toMatchObject({ kind: "result" })
    await expect.poll(() => told().sort()).toEqual(["notifications/message", "notifications/tasks/status"])
  })
})

describe("converse I8: what a person approved, and a legacy server made a task of", () => {
  async function approved() {
    const { all, relay, backend } = await open(["plain"], policyOf([]))
    const held = nextHeld(relay.gate)
    const calling = run(backend, ana, { what: "x" })
    const approval = await held
    await approve(relay.gate, approval)
    const status = async () => (await relay.gate.approval(approval.id))?.status
    const [server] = all
    if (server === undefined) throw new Error("no server")
    return { task: server.tasks.get.bind(server.tasks, "1"), taskId: await calling, backend, status, relay, approval }
  }

  it("runs until the task is over, though its client has the task", async () => {
    const { task, taskId, backend, status, relay, approval } = await approved()
    expect(await about(backend, ana, "tasks/get", taskId)).toMatchObject({ result: { status: "working" } })
    expect(await status()).toBe("running")
    Object.assign(task() ?? {}, { status: "completed" })
    await expect.poll(status).toBe("succeeded")
    const settled = await relay.gate.approval(approval.id)
    expect(JSON.stringify(settled)).toContain("plain did")
  })

  it("has not succeeded where its client cancels the task", async () => {
    const { taskId, backend, status, relay, approval } = await approved()
    await about(backend, ana, "tasks/cancel", taskId)
    await expect.poll(status).toBe("failed")
    expect(JSON.stringify(await relay.gate.approval(approval.id))).toContain("was cancelled")
  })

  it("is unknown where the server forgets the task", async () => {
    const { status } = await approved()
    servers[0]?.tasks.clear()
    await expect.poll(status).toBe("unknown")
  })
})

describe("on the path of all servers", () => {
  it("a task is the server's that made it, though others have one of that name", async () => {
    const { all, aggregate } = await open(["one", "two"])
    await run(aggregate, ana, { at: "one" }, "one__run")
    const second = await run(aggregate, ana, { at: "two" }, "two__run")
    const reply = await about(aggregate, ana, "tasks/result", second)
    expect(reply.kind === "result" && textOf(reply.result)).toContain("two did")
    await about(aggregate, ana, "tasks/cancel", second)
    expect(all.map(({ tasks }) => tasks.get("1")?.status)).toEqual(["working", "cancelled"])
    expect(await about(aggregate, ana, "tasks/cancel", "1")).toMatchObject(notFound)
    const { tasks } = await resultOf(ask(aggregate, ana, { method: "tasks/list", params: {} }))
    expect((tasks as JsonObject[]).length).toBe(2)
  })
})

describe("a task of ours", () => {
  const words = "words of the tool"
  const client = modernCaller({ abilities: withTasks })
  const closings: ReadonlyArray<readonly [string, (gate: Gate) => Promise<unknown>, object]> = [
    [
      "put in quarantine",
      (gate) => gate.quarantine({ server: "plain", tool: "run" }, reviewer),
      { error: { message: "Task not found" } },
    ],
    [
      "hidden by a rule",
      (gate) => gate.replacePolicy(policyOf([rule("hide", "plain(run)")]), null),
      { error: { message: "Task not found" } },
    ],
    [
      "denied by a rule",
      (gate) => gate.replacePolicy(policyOf([rule("deny", "plain(run)")]), null),
      { error: { code: 403 } },
    ],
  ]

  /** A held call that became a task, at a server that answers calls with words. */
  async function held() {
    const answers = (method: string) =>
      method === "tools/call" ? { content: [{ type: "text", text: words }] } : undefined
    const server = await plainServer({ era: "legacy", tools: [plainTool("run")], answers })
    plain.push(server)
    const relay = await openRelay([server.server], { policy: policyOf([]) })
    opened.push(relay)
    const backend = relay.backend("plain")
    const waiting = nextHeld(relay.gate)
    const call = ask(backend, client, { method: "tools/call", params: { name: "run", arguments: {} } })
    const approval = await waiting
    const { taskId } = await resultOf(call)
    const told = (method: string) => about(backend, client, method, String(taskId))
    const end = async () => {
      await approve(relay.gate, approval)
      await expect.poll(async () => (await relay.gate.approval(approval.id))?.status).toBe("succeeded")
    }
    return { gate: relay.gate, approval, told, end }
  }

  it.each(closings)(
    "I3: keeps what its server said from its agent while the tool is %s, also where it was asked for before",
    async (_, close, error) => {
      const { gate, told, end } = await held()
      await end()
      expect(JSON.stringify(await told("tasks/get"))).toContain(words)
      await close(gate)
      expect(await told("tasks/get")).toMatchObject({ kind: "error", ...error })
      expect(await told("tasks/update")).toMatchObject({ kind: "error", ...error })
      await gate.liftQuarantine({ server: "plain", tool: "run" }, reviewer)
      await gate.replacePolicy(policyOf([]), null)
      expect(JSON.stringify(await told("tasks/get"))).toContain(words)
    },
  )

  it("I3: still says how a call stands that was not sent, and can be withdrawn", async () => {
    const { gate, approval, told } = await held()
    await gate.replacePolicy(policyOf([rule("deny", "plain(run)")]), null)
    expect(await told("tasks/get")).toMatchObject({ result: { taskId: approval.id } })
    expect(await told("tasks/cancel")).toMatchObject({ kind: "result" })
    await expect.poll(async () => (await gate.approval(approval.id))?.status).not.toBe("pending")
  })

  it("stays its agent's where nothing but the default is against its tool", async () => {
    const { gate, told, end } = await held()
    await end()
    await gate.replacePolicy(policyOf([], { default: "deny" }), null)
    expect(JSON.stringify(await told("tasks/get"))).toContain(words)
  })
})
