import type { Gate, JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import type { Caller, Era } from "../../wire/caller.ts"
import type { Backend } from "../../wire/exchange.ts"
import {
  ask,
  legacyCaller,
  modernCaller,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  reviewer,
  rule,
  withTasks,
} from "../fixtures/open-relay.ts"
import { type PlainServer, plainServer, plainTool } from "../fixtures/plain-server.ts"
import { taskServer } from "../fixtures/task-server.ts"

const opened: Relay[] = []
const servers: PlainServer[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of servers.splice(0)) await server.end()
})

const callers: Readonly<Record<Era, Caller>> = {
  legacy: legacyCaller({ abilities: { roots: {} } }),
  modern: modernCaller({ abilities: withTasks }),
}

/** A modern server that makes a task of each call, named from 1 on. */
async function modernServer(): Promise<PlainServer> {
  let made = 0
  const task = (id: string, status = "working"): JsonObject => ({ taskId: id, status, ttlMs: 60_000 })
  return plainServer({
    era: "modern",
    capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
    tools: [plainTool("run"), plainTool("other")],
    answers: (method, params) => {
      if (method === "tools/call") return { resultType: "task", ...task(String(++made)) }
      return method.startsWith("tasks/") ? { resultType: "complete", ...task(String(params.taskId)) } : undefined
    },
  })
}

describe.each(["legacy", "modern"] as const)("tasks of a %s server that its client follows", (era) => {
  const caller = callers[era]
  async function open() {
    const server = era === "legacy" ? await taskServer() : await modernServer()
    servers.push(server)
    const relay = await openRelay([server.server], { policy: policyOf([rule("allow", "plain(run)")]) })
    opened.push(relay)
    const cancelled = () => server.seen("tasks/cancel").map(({ taskId }) => taskId)
    return { ...relay, cancelled, backend: relay.backend("plain") }
  }
  async function run(backend: Backend): Promise<string> {
    const params = { name: "run", arguments: {}, ...(era === "legacy" ? { task: { ttl: 60_000 } } : {}) }
    const result = await resultOf(ask(backend, caller, { method: "tools/call", params }))
    return String(((result.task ?? result) as JsonObject).taskId)
  }

  it.each<[string, (gate: Gate) => Promise<unknown>]>([
    ["its tool is put in quarantine", (gate) => gate.quarantine({ server: "plain", tool: "run" }, reviewer)],
    ["the server is put in quarantine", (gate) => gate.quarantine({ server: "plain" }, reviewer)],
    ["the server is denied as a whole", (gate) => gate.replacePolicy(policyOf([rule("deny", "plain")]), null)],
  ])("I1: are cancelled there when %s", async (_, close) => {
    const { gate, backend, cancelled } = await open()
    await run(backend)
    await run(backend)
    await close(gate)
    await expect.poll(cancelled).toEqual(["1", "2"])
  })

  it("I1: are left alone by what changes otherwise, and once they are over", async () => {
    const { gate, backend, cancelled } = await open()
    const first = await run(backend)
    await run(backend)
    await ask(backend, caller, { method: "tasks/cancel", params: { taskId: first } }).reply
    expect(cancelled()).toEqual(["1"])
    await gate.quarantine({ server: "plain", tool: "other" }, reviewer)
    await gate.replacePolicy(policyOf([rule("ask", "plain(run)")]), null)
    await gate.quarantine({ server: "plain", tool: "run" }, reviewer)
    await expect.poll(cancelled).toEqual(["1", "2"])
  })
})
