import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  modernCaller,
  nextHeld,
  openRelay,
  type Relay,
  type RelaySetting,
  resultOf,
  withTasks,
} from "../relay/fixtures/open-relay.ts"
import { type PlainServer, plainServer } from "../relay/fixtures/plain-server.ts"

const opened: Relay[] = []
const servers: PlainServer[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of servers.splice(0)) await server.end()
})

const caller = modernCaller({ abilities: { elicitation: {}, ...withTasks } })
const question = {
  method: "elicitation/create",
  params: { mode: "form", message: "sure?", requestedSchema: { type: "object", properties: {} } },
}

/** An approved task whose server asks something before it goes on. */
async function askingTask(setting: RelaySetting = {}) {
  const plain = await plainServer({
    era: "modern",
    answers: (method, params) =>
      method === "tools/call" && params.inputResponses === undefined
        ? { resultType: "input_required", requestState: "s", inputRequests: { q: question } }
        : undefined,
  })
  servers.push(plain)
  const relay = await openRelay([plain.server], setting)
  opened.push(relay)
  const { gate } = relay
  const held = nextHeld(gate)
  const { taskId } = await resultOf(ask(relay.backend("plain"), caller, callOf("act")))
  const about = (method: string) =>
    resultOf(ask(relay.backend("plain"), caller, { method, params: { taskId: String(taskId) } }))
  const approval = await held
  await approve(gate, approval)
  const status = async () => (await gate.approval(approval.id))?.status
  return { relay, plain, about, status }
}

const isAsked = (about: (method: string) => Promise<unknown>) =>
  expect.poll(() => about("tasks/get")).toMatchObject({ status: "input_required" })

describe("task-inputs I1, converse I9: an approved task whose client never answers its server's question", () => {
  it("ends when its client cancels it", async () => {
    const { plain, about, status } = await askingTask()
    await isAsked(about)
    await about("tasks/cancel")
    await expect.poll(status).toBe("unknown")
    expect(await about("tasks/get")).not.toHaveProperty("inputRequests")
    expect(plain.seen("tools/call").length).toBe(1)
  })

  it("goes on without an answer after a while", async () => {
    const { plain, about, status } = await askingTask({ times: { parkedMs: 50 } })
    await expect.poll(status).toBe("succeeded")
    expect(plain.seen("tools/call").at(-1)).toMatchObject({ inputResponses: { q: { action: "cancel" } } })
    expect(await about("tasks/get")).toMatchObject({ status: "completed" })
  })

  it("keeps neither gateway nor gate from closing", async () => {
    const { relay, about, status } = await askingTask()
    await isAsked(about)
    await relay.close()
    expect(await status()).toBe("unknown")
  })
})
