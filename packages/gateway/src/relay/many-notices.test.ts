/** Servers that say much while it cannot be looked at yet: what waits for it stays within limits, wherever they say it. */
import { createJudgingTurns, type JsonObject } from "@byleave/core"
import { afterEach, expect, it } from "vitest"
import type { Notice } from "../wire/message.ts"
import {
  ask,
  callOf,
  gateOn,
  legacyCaller,
  memoryStore,
  openRelay,
  policyOf,
  resultOf,
  rule,
} from "./fixtures/open-relay.ts"
import { plainServer, plainTool } from "./fixtures/plain-server.ts"
import { streamingServer } from "./fixtures/streaming-server.ts"

const closings: Array<() => Promise<unknown> | unknown> = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

const said = 3_000
/** One is being looked at, and so many wait behind it. */
const kept = 1_001
const numbers = Array.from({ length: said }, (_, at) => at)
/** With a connection of its own, so that log lines outside a request are its. */
const caller = legacyCaller({ abilities: { elicitation: {} } })
const rules = [rule("allow", "s(act)"), rule("deny", "s(resource:*secret*)")]

/** A gate that judges nothing for the agent while its door is shut. */
async function openDoor() {
  const rest = Promise.withResolvers<void>()
  const judging = createJudgingTurns({ now: () => 0, pause: () => rest.promise })
  let judged = 0
  const onJudged = (): void => {
    judged += 1
  }
  const gate = await gateOn(memoryStore(), policyOf(rules), { judging, onJudged })
  return {
    gate,
    shut: () => judging.took(caller.principal.id, 10),
    open: rest.resolve,
    judged: () => judged,
  }
}

type Logged = string[]

async function talkingOutside() {
  const door = await openDoor()
  const server = await plainServer({
    id: "s",
    capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    streams: true,
    answers: (method) => (method === "resources/subscribe" ? {} : undefined),
  })
  closings.push(server.end)
  const logged: Logged = []
  const relay = await openRelay([server.server], { gate: door.gate, log: (line) => logged.push(line) })
  closings.push(relay.close)
  const backend = relay.backend("s")
  const heard: Notice[] = []
  const attend = async (): Promise<void> => {
    closings.push(
      await backend.attend(caller, {
        notify: (notice) => heard.push(notice),
        inquire: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
      }),
    )
    await expect.poll(server.streams).toBe(1)
  }
  /** Says all of them; resolved once they have been read. */
  const say = async (notices: readonly Notice[]): Promise<void> => {
    for (const { method, params = {} } of notices) server.say(method, params)
    server.say("ping", {}, "read")
    await expect.poll(() => server.answerTo("read")).toBeDefined()
  }
  return { door, backend, heard, logged, attend, say }
}

const lineOf = (at: number): Notice => ({ method: "notifications/message", params: { level: "error", data: at } })
const updateOf = (uri: string, more: JsonObject = {}): Notice => ({
  method: "notifications/resources/updated",
  params: { uri, ...more },
})

it("notice-listeners I4: resources below a subscribed one are judged one after the other, and a thousand wait for it", async () => {
  const { door, backend, heard, logged, attend, say } = await talkingOutside()
  await attend()
  await resultOf(ask(backend, caller, { method: "resources/subscribe", params: { uri: "a://" } }))
  const before = door.judged()
  door.shut()
  await say(numbers.map((at) => updateOf(`a://${at}`)))
  door.open()
  await expect.poll(() => heard.length).toBe(kept)
  await say([updateOf("a://last")])
  await expect.poll(() => heard.at(-1)).toEqual(updateOf("a://last"))
  expect(heard).toHaveLength(kept + 1)
  // Six more: whether the server is open at all.
  expect(door.judged() - before).toBeLessThanOrEqual(kept + 1 + 6)
  expect(logged.filter((line) => line.includes("does not fit"))).toHaveLength(1)
})

it("what a server says outside any request waits within limits until it is known whether it is closed", async () => {
  const { door, heard, attend, say } = await talkingOutside()
  const lines = () => heard.filter(({ method }) => method === "notifications/message")
  await attend()
  await door.gate.replacePolicy(policyOf(rules), null)
  door.shut()
  await say(numbers.map(lineOf))
  expect(lines()).toEqual([])
  door.open()
  await expect.poll(() => lines().length).toBe(kept)
  await say([lineOf(said)])
  await expect.poll(() => lines().at(-1)).toEqual(lineOf(said))
  expect(lines()).toEqual([...numbers.slice(0, kept), said].map(lineOf))
})

async function talkingInCall() {
  const door = await openDoor()
  const server = await streamingServer("s", [plainTool("act")])
  closings.push(server.end)
  const relay = await openRelay([server.server], { gate: door.gate })
  closings.push(relay.close)
  const calling = ask(relay.backend("s"), caller, callOf("act"))
  await expect.poll(() => server.seen().some(({ method }) => method === "tools/call")).toBe(true)
  const say = async (notices: readonly Notice[]): Promise<void> => {
    for (const notice of notices) server.say(notice)
    server.say({ id: "read", method: "ping" })
    await expect.poll(() => server.seen().some(({ id }) => id === "read")).toBe(true)
  }
  const end = (): Promise<JsonObject> => {
    server.say({ id: null, result: { content: [] } })
    return resultOf(calling)
  }
  return { door, calling, say, end }
}

it("under-way I4: what a server says of a call after a change waits within limits, and is told before the result", async () => {
  const { door, calling, say, end } = await talkingInCall()
  door.shut()
  await door.gate.replacePolicy(policyOf(rules), null)
  await say(numbers.map(lineOf))
  expect(calling.notices).toEqual([])
  const ended = end()
  door.open()
  await ended
  expect(calling.notices).toEqual(numbers.slice(0, kept).map(lineOf))
})

it("what a server says of elicitations during a call waits within limits until policy was asked", async () => {
  const { door, calling, say, end } = await talkingInCall()
  const over = (at: number): Notice => ({
    method: "notifications/elicitation/complete",
    params: { elicitationId: String(at) },
  })
  door.shut()
  await say(numbers.map(over))
  door.open()
  await expect.poll(() => calling.notices.length).toBe(kept)
  await end()
  expect(calling.notices).toEqual(numbers.slice(0, kept).map(over))
})

it("carry I6: what a server says behind the end of an elicitation is told before the result, though policy is asked meanwhile", async () => {
  const { door, calling, say, end } = await talkingInCall()
  const over: Notice = { method: "notifications/elicitation/complete", params: { elicitationId: "e" } }
  door.shut()
  await say([over, lineOf(1)])
  expect(calling.notices).toEqual([])
  const ended = end()
  // The result comes meanwhile.
  for (let turns = 0; turns < 500; turns += 1) await new Promise(setImmediate)
  door.open()
  await ended
  expect(calling.notices).toEqual([over, lineOf(1)])
})
