import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { keepingSealer } from "../../downstream/fixtures/front-server.ts"
import type { Sending } from "../../hold/run-approved.ts"
import type { RequestRoute } from "../route.ts"
import { asOffered } from "../tasks/answer-tasks.ts"
import { openTask, sealTask } from "../tasks/server-tasks.ts"
import { type OtherStructure, sendAsOffered } from "./offered-result.ts"

const context = { sealer: keepingSealer() }
const connection = { otherStructures: new Map<string, OtherStructure>() }
const route = { relay: { context }, connection } as unknown as RequestRoute
const schema = (field: string) => ({ type: "object", properties: { [field]: { type: "string" } } })
const tool = (field?: string) => ({ name: "add", ...(field === undefined ? {} : { outputSchema: schema(field) }) })

async function sent(result: JsonObject, live: string | undefined, offered: string | undefined): Promise<JsonObject> {
  const definitions = { live: tool(live), offered: tool(offered) }
  const send = sendAsOffered(route, async () => ({ kind: "result", result }), definitions)
  const reply = await send({}, {} as Sending)
  return reply.kind === "result" ? reply.result : {}
}

const structured = { content: [{ type: "text", text: "3" }], structuredContent: { sum: "3" } }
const leftOut = { content: [{ text: expect.stringContaining("was left out") }, { text: "3" }] }

describe("a result under another definition than its caller was told of", () => {
  it("is as the server gave it where the promised structure is the same", async () => {
    expect(await sent(structured, "sum", "sum")).toEqual(structured)
  })

  it.each([
    { offered: "total", isError: true },
    { offered: undefined, isError: undefined },
  ])("has no structure where another was promised: $offered", async ({ offered, isError }) => {
    const result = await sent(structured, "sum", offered)
    expect(result).toMatchObject(leftOut)
    expect([result.structuredContent, result.isError]).toEqual([undefined, isError])
  })

  it("is not yet there where the server asks something first", async () => {
    const question = { resultType: "input_required", inputRequests: {}, requestState: "s" }
    expect(await sent(question, "sum", "total")).toEqual(question)
  })

  it("of a server's task has no structure either, once the task is done", async () => {
    const created = sealTask(
      context,
      { server: "files", principal: "ana", tool: "write" },
      { resultType: "task", taskId: "t1", status: "working" },
    )
    const told = await sent(created, "sum", "total")
    expect(told).toMatchObject({ resultType: "task", status: "working" })
    expect(told.content).toBeUndefined()
    const task = openTask(context, String(told.taskId), "ana")
    expect(task).toEqual({ server: "files", id: "t1", tool: "write", other: "promised" })
    const done = asOffered({ taskId: "t1", status: "completed", result: structured }, task ?? { server: "", id: "" })
    expect(done).toMatchObject({ status: "completed", result: { ...leftOut, isError: true } })
    expect(JSON.stringify(done)).not.toContain("structuredContent")
  })

  it("of a legacy server's task is remembered by the task's name", async () => {
    const created = { task: { taskId: "t2", status: "working" } }
    expect(await sent(created, "sum", "total")).toEqual(created)
    expect(connection.otherStructures.get("t2")).toBe("promised")
  })

  it("of a legacy server's task is remembered before its client gets the task, though the call goes on", async () => {
    const known: unknown[] = []
    const onTask = () => void known.push(connection.otherStructures.get("t3"))
    const send = sendAsOffered(
      route,
      async (_args, sending) => {
        sending.onTask?.({ task: { taskId: "t3", status: "working" } })
        return { kind: "result", result: structured }
      },
      { live: tool("sum"), offered: tool("total") },
    )
    expect(await send({}, { onTask } as unknown as Sending)).toMatchObject({ result: leftOut })
    expect(known).toEqual(["promised"])
  })
})
