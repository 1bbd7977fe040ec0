import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { keepingSealer } from "../../downstream/fixtures/front-server.ts"
import type { Caller } from "../../wire/caller.ts"
import {
  approve,
  ask,
  legacyCaller,
  memoryStore,
  nextHeld,
  openRelay,
  type Relay,
  resultOf,
} from "../fixtures/open-relay.ts"
import { type PlainServer, plainServer, plainTool } from "../fixtures/plain-server.ts"
import { openTask, sealTask } from "../tasks/server-tasks.ts"
import { otherStructure, resultAsOffered, taskAsOffered } from "./offered-result.ts"

const context = { sealer: keepingSealer() }
const ana = { principal: { id: "ana" } }
const schema = (field: string) => ({ type: "object", properties: { [field]: { type: "string" } } })
const tool = (field?: string) => ({ name: "add", ...(field === undefined ? {} : { outputSchema: schema(field) }) })

function given(result: JsonObject, live: string | undefined, offered: string | undefined): JsonObject {
  const other = otherStructure(tool(live), tool(offered))
  return other === null ? result : resultAsOffered(context, ana, result, other)
}

const structured = { content: [{ type: "text", text: "3" }], structuredContent: { sum: "3" } }
const leftOut = { content: [{ text: expect.stringContaining("was left out") }, { text: "3" }] }

describe("a result under another definition than its caller was told of", () => {
  it("is as the server gave it where the promised structure is the same", () => {
    expect(given(structured, "sum", "sum")).toEqual(structured)
  })

  it.each([
    { offered: "total", isError: true },
    { offered: undefined, isError: undefined },
  ])("I1: has no structure where another was promised: $offered", ({ offered, isError }) => {
    const result = given(structured, "sum", offered)
    expect(result).toMatchObject(leftOut)
    expect([result.structuredContent, result.isError]).toEqual([undefined, isError])
  })

  it("is not yet there where the server asks something first", () => {
    const question = { resultType: "input_required", inputRequests: {}, requestState: "s" }
    expect(given(question, "sum", "total")).toEqual(question)
  })

  it("I1: of a server's task has no structure either, whether it is done at once or later", () => {
    const owner = { server: "files", principal: "ana", tool: "write", other: "promised" } as const
    const created = sealTask(context, owner, {
      ...{ resultType: "task", taskId: "t1", status: "completed", result: structured },
      ...structured,
    })
    const told = given(created, "sum", "total")
    expect(told).toMatchObject({ resultType: "task", result: { ...leftOut, isError: true } })
    expect(JSON.stringify(told)).not.toContain("structuredContent")
    const task = openTask(context, String(told.taskId), "ana")
    expect(task).toEqual({ server: "files", id: "t1", tool: "write", other: "promised" })
    const done = taskAsOffered({ taskId: "t1", status: "completed", result: structured }, task?.other)
    expect(done).toMatchObject({ status: "completed", result: { ...leftOut, isError: true } })
    expect(JSON.stringify(done)).not.toContain("structuredContent")
  })

  it("I1: is no task of a legacy server because it has a member like one", () => {
    const result = given({ ...structured, task: { taskId: "t2" } }, "sum", "total")
    expect(result).toMatchObject({ ...leftOut, isError: true })
    expect(result.structuredContent).toBeUndefined()
  })
})

describe("a task that a legacy server made under a definition nobody accepted", () => {
  const relays: Relay[] = []
  const servers: PlainServer[] = []
  afterEach(async () => {
    for (const relay of relays.splice(0)) await relay.close()
    for (const server of servers.splice(0)) await server.end()
  })

  const at = "2026-01-01T00:00:00Z"
  const stood = { taskId: "t1", createdAt: at, lastUpdatedAt: at, ttl: 60_000, pollInterval: 50 }
  const listed = (field: string) =>
    plainTool("add", { execution: { taskSupport: "optional" }, outputSchema: schema(field) })
  const abilities = { tasks: {}, elicitation: {} }
  const client = (conversation: string): Caller => legacyCaller({ conversation, abilities })

  it("I1: gives no structured result to whoever asks for it, on a new connection and after a restart either", async () => {
    let status = "working"
    const server = await plainServer({
      tools: [listed("sum")],
      capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      answers: (method) => {
        if (method === "tools/call") return { task: { ...stood, status: "working" }, structuredContent: { total: "3" } }
        if (method === "tasks/get") return { ...stood, status }
        return method === "tasks/result" ? structured : undefined
      },
    })
    servers.push(server)
    const store = memoryStore()
    const begin = async (): Promise<Relay> => {
      const relay = await openRelay([server.server], { store })
      relays.push(relay)
      return relay
    }
    const first = await begin()
    await resultOf(ask(first.backend("plain"), client("c1"), { method: "tools/list", params: {} }))
    server.list([listed("total")])
    await resultOf(ask(first.backend("plain"), client("c2"), { method: "tools/list", params: {} }))
    const held = nextHeld(first.gate)
    const call = { method: "tools/call", params: { name: "add", arguments: {}, task: { ttl: 60_000 } } }
    const calling = resultOf(ask(first.backend("plain"), client("c2"), call))
    const approval = await held
    await approve(first.gate, approval)
    const made = await calling
    expect(made).not.toHaveProperty("structuredContent")
    const { taskId = "" } = made.task as JsonObject
    status = "completed"
    await expect.poll(async () => (await first.gate.approval(approval.id))?.status).toBe("failed")
    const resultFor = (relay: Relay, conversation: string) =>
      resultOf(ask(relay.backend("plain"), client(conversation), { method: "tasks/result", params: { taskId } }))
    const given = [await resultFor(first, "c2"), await resultFor(first, "c3"), await resultFor(await begin(), "c4")]
    for (const result of given) {
      expect(result).toMatchObject({ ...leftOut, isError: true })
      expect(result).not.toHaveProperty("structuredContent")
    }
  })
})
