import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Gate, JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import type { Ask, Reply } from "../wire/message.ts"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  resultOf,
  reviewer,
  rule,
  textOf,
} from "./fixtures/open-relay.ts"
import { plainTool } from "./fixtures/plain-server.ts"
import { type StreamingServer, streamingServer } from "./fixtures/streaming-server.ts"
import { askJudged } from "./talk/inquiries.ts"

const opened: Relay[] = []
const servers: StreamingServer[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of servers.splice(0)) await server.end()
})

const caller = legacyCaller({ abilities: { elicitation: {} } })
const allowed = [rule("allow", "s(act)"), rule("allow", "s(other)")]
const form = { message: "?", requestedSchema: { type: "object", properties: {} } }
const question = { id: "q", method: "elicitation/create", params: form }
const line = { method: "notifications/message", params: { level: "error", data: "words" } }
const result = { id: null, result: { content: [{ type: "text", text: "words" }] } }

async function open(more: RelaySetting = { policy: policyOf(allowed) }) {
  const server = await streamingServer("s", [plainTool("act"), plainTool("other")])
  servers.push(server)
  const relay = await openRelay([server.server], more)
  opened.push(relay)
  const asked: Ask[] = []
  const { promise: answer, resolve: reply } = Promise.withResolvers<Reply>()
  const inquire = (given: Ask): Promise<Reply> => {
    asked.push(given)
    return answer
  }
  const calls = () => server.seen().filter(({ method }) => method === "tools/call").length
  const call = () => ask(relay.backend("s"), caller, callOf("act"), inquire)
  return { ...relay, server, asked, call, calls, answer: () => reply({ kind: "result", result: { action: "accept" } }) }
}

/** The server works on a call, and waits for the client's answer to its question. */
async function underWay() {
  const all = await open()
  const call = all.call()
  await expect.poll(all.calls).toBe(1)
  all.server.say(question)
  await expect.poll(() => all.asked.length).toBe(1)
  return { ...all, calling: call }
}

const answersOf = (server: StreamingServer) => server.seen().filter(({ id }) => id === "q")

const closings: ReadonlyArray<readonly [string, (gate: Gate) => Promise<unknown>]> = [
  ["puts the server in quarantine", (gate) => gate.quarantine({ server: "s" }, reviewer)],
  ["puts its tool in quarantine", (gate) => gate.quarantine({ server: "s", tool: "act" }, reviewer)],
  ["denies the server as a whole", (gate) => gate.replacePolicy(policyOf([rule("deny", "s")]), null)],
  ["hides the server as a whole", (gate) => gate.replacePolicy(policyOf([rule("hide", "s")]), null)],
]

describe.each(closings)("when somebody %s", (_, close) => {
  it("I1: what is under way ends at once, as unknown", async () => {
    const { gate, store, calling } = await underWay()
    await close(gate)
    const ended = await resultOf(calling)
    expect(ended).toMatchObject({ isError: true, _meta: { "byleave/unknown": {} } })
    expect(textOf(ended)).toContain("quarantine")
    await expect.poll(async () => (await store.records({ types: ["run.unknown"], limit: 9 })).length).toBe(1)
    expect(await store.records({ types: ["run.failed", "run.succeeded"], limit: 9 })).toEqual([])
  })

  it("I1: what a person approved is unknown as well", async () => {
    const all = await open({ policy: policyOf([rule("ask", "s(act)")]) })
    const calling = all.call()
    const approval = await nextHeld(all.gate)
    await approve(all.gate, approval)
    await expect.poll(all.calls).toBe(1)
    await close(all.gate)
    expect(await resultOf(calling)).toMatchObject({ isError: true, _meta: { "byleave/unknown": {} } })
    expect(await all.gate.approval(approval.id)).toMatchObject({ status: "unknown" })
  })

  it("I2: nothing that the server says reaches the agent, and no answer of the agent's reaches it", async () => {
    const { gate, server, calling, answer, asked } = await underWay()
    await close(gate)
    answer()
    for (const message of [line, { ...question, id: "q2" }, result]) server.say(message)
    expect(JSON.stringify(await resultOf(calling))).not.toContain("words")
    await expect.poll(() => JSON.stringify(server.seen())).toContain("notifications/cancelled")
    expect(calling.notices).toEqual([])
    expect(asked).toHaveLength(1)
    expect(JSON.stringify(answersOf(server))).not.toContain("accept")
  })

  it("I2: what comes in the moment of the change does not pass before it was looked at", async () => {
    const { gate, server, calling } = await underWay()
    const stop = gate.events(() => {
      for (const message of [line, result]) server.say(message)
      stop()
    })
    await close(gate)
    expect(JSON.stringify(await resultOf(calling))).not.toContain("words")
    expect(calling.notices).toEqual([])
  })
})

it.each<[string, (gate: Gate) => Promise<unknown>]>([
  ["puts another tool in quarantine", (gate) => gate.quarantine({ server: "s", tool: "other" }, reviewer)],
  ["changes the policy otherwise", (gate) => gate.replacePolicy(policyOf([rule("ask", "s(act)")]), null)],
  [
    "denies the server to another agent",
    (gate) => gate.replacePolicy(policyOf([rule("deny", "s", { principal: "else" }), ...allowed]), null),
  ],
])("what is under way goes on when somebody %s", async (_, change) => {
  const { gate, server, calling, answer } = await underWay()
  await change(gate)
  server.say(line)
  await expect.poll(() => calling.notices.length).toBe(1)
  answer()
  await expect.poll(() => JSON.stringify(answersOf(server))).toContain("accept")
  server.say(result)
  expect(textOf(await resultOf(calling))).toContain("words")
})

it("inquiries I6: an answer that a client gives outside a request does not reach a server in quarantine", async () => {
  const { gate, backends } = await open()
  const inquire = async (): Promise<Reply> => {
    await gate.quarantine({ server: "s" }, reviewer)
    return { kind: "result", result: { action: "accept" } }
  }
  const { method, params } = question
  const reply = await askJudged(backends.context, { server: "s", who: caller, inquire }, { method, params })
  expect(reply).toMatchObject({ kind: "error" })
})

it("I5: nothing of an answered question stays while the call goes on", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const { server, backend, calls } = await open()
  const answers: Array<WeakRef<JsonObject>> = []
  const inquire = async (): Promise<Reply> => {
    const result = { action: "accept", content: {} }
    answers.push(new WeakRef(result))
    return { kind: "result", result }
  }
  const calling = ask(backend("s"), caller, callOf("act"), inquire)
  await expect.poll(calls).toBe(1)
  for (let i = 0; i < 20; i++) {
    server.say({ ...question, id: `q${i}` })
    await expect.poll(() => JSON.stringify(server.seen())).toContain(`"q${i}"`)
  }
  await expect
    .poll(() => {
      collect()
      return answers.filter((answer) => answer.deref() !== undefined).length
    })
    .toBeLessThan(3)
  expect(answers.length).toBe(20)
  server.say(result)
  expect(textOf(await resultOf(calling))).toContain("words")
})
