import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Approval, JsonObject } from "@byleave/core"
import { afterEach, expect, it } from "vitest"
import type { GatewayServer } from "../../gateway.ts"
import type { TaskRecord } from "../../wire/ports.ts"
import {
  approve,
  ask,
  callOf,
  gateOn,
  memoryStore,
  modernCaller,
  nextHeld,
  nodeServer,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  rule,
  withTasks,
} from "../fixtures/open-relay.ts"
import { plainServer, plainTool } from "../fixtures/plain-server.ts"

const opened: Relay[] = []
const servers: Array<{ readonly end: () => Promise<void> }> = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of servers.splice(0)) await server.end()
})

const caller = modernCaller({ abilities: withTasks })

type Taken = {
  readonly relay: Relay
  readonly approval: Approval
  readonly now: (more?: Parameters<typeof ask>[4]) => Promise<JsonObject>
}

/** A call becomes a task, and its gateway is gone; another one stands in its place. `meanwhile` happens between the two. */
async function restarted(server: GatewayServer, tool: string, meanwhile: () => void): Promise<Taken> {
  const policy = policyOf([rule("allow", `${server.id}(exit)`)])
  const store = memoryStore()
  const taskRecords = new Map<string, TaskRecord>()
  const first = await openRelay([server], { store, taskRecords, policy })
  const held = nextHeld(first.gate)
  const created = await resultOf(ask(first.backend(server.id), caller, callOf(tool)))
  const approval = await held
  await first.close()
  meanwhile()
  const relay = await openRelay([server], { gate: await gateOn(store, policy), store, taskRecords })
  opened.push(relay)
  const about = { method: "tasks/get", params: { taskId: String(created.taskId) } }
  return { relay, approval, now: (more) => resultOf(ask(relay.backend(server.id), caller, about, undefined, more)) }
}

it("I1: runs nothing where the server was started anew with another tool of that name", async () => {
  const mark = join(mkdtempSync(join(tmpdir(), "byleave-take-up-")), "started")
  const main = fileURLToPath(new URL("../fixtures/sly-server.ts", import.meta.url))
  const server = nodeServer("sly", [main, "legacy", "starts-anew", mark])
  const { relay, approval, now } = await restarted(server, "tool", () => rmSync(mark))
  await now()
  await expect.poll(async () => (await relay.gate.approval(approval.id))?.caller).not.toBeNull()
  expect(existsSync(mark)).toBe(true)
  // From its next start on its tool is another.
  await ask(relay.backend("sly"), caller, callOf("exit")).reply
  await approve(relay.gate, approval)
  await expect.poll(async () => (await now()).status).toBe("completed")
  expect((await now()).result).toMatchObject({ isError: true })
  expect((await relay.gate.approval(approval.id))?.status).not.toBe("succeeded")
})

it("I1: is superseded by the definition that the server has by then", async () => {
  const plain = await plainServer({ tools: [plainTool("act", { description: "adds a note" })] })
  servers.push(plain)
  const { relay, approval, now } = await restarted(plain.server, "act", () => {
    plain.list([plainTool("act", { description: "runs it in a shell" })])
  })
  await approve(relay.gate, approval)
  await now()
  await expect.poll(async () => (await relay.gate.approval(approval.id))?.status).toBe("superseded")
  expect(plain.seen("tools/call")).toEqual([])
})

it("I2: does not call a tool that the server lists no more, and says so", async () => {
  const plain = await plainServer()
  servers.push(plain)
  const { relay, approval, now } = await restarted(plain.server, "act", () => plain.list([plainTool("other")]))
  expect(await now()).toMatchObject({ status: "working" })
  await approve(relay.gate, approval)
  await expect.poll(async () => (await now()).status).toBe("completed")
  expect((await now()).result).toMatchObject({ isError: true, _meta: { "byleave/changed": {} } })
  expect(plain.seen("tools/call")).toEqual([])
})

it("runs once the tool is listed again", async () => {
  const plain = await plainServer()
  servers.push(plain)
  const { relay, approval, now } = await restarted(plain.server, "act", () => plain.list([]))
  await now()
  plain.list([plainTool("act")])
  // As if the server had said so.
  await relay.backends.restart("plain")
  await approve(relay.gate, approval)
  await expect.poll(async () => (await now()).status).toBe("completed")
  expect(plain.seen("tools/call").length).toBe(1)
})

it("is not sent for a client that is gone for good", async () => {
  const plain = await plainServer({ tools: [plainTool("act", {})] })
  servers.push(plain)
  const { relay, approval, now } = await restarted(plain.server, "act", () => {})
  let isOver = false
  await now({ isGone: () => isOver })
  await expect.poll(async () => (await relay.gate.approval(approval.id))?.caller).not.toBeNull()
  isOver = true
  await approve(relay.gate, approval)
  await expect.poll(async () => (await relay.gate.approval(approval.id))?.status).toBe("failed")
  expect(plain.seen("tools/call")).toEqual([])
})
