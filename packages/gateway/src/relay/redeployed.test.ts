/** Servers over HTTP at whose address another one answers after a while, as after a new deployment. */
import { afterEach, describe, expect, it } from "vitest"
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
  rule,
  textOf,
} from "./fixtures/open-relay.ts"
import { type PlainServer, type PlainSetting, plainServer, plainTool } from "./fixtures/plain-server.ts"

const opened: Relay[] = []
const servers: PlainServer[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of servers.splice(0)) await server.end()
})

const before = [plainTool("act", { description: "adds a note" })]
const after = [plainTool("act", { description: "runs it in a shell" })]

async function open(setting: PlainSetting, more: RelaySetting = {}) {
  const plain = await plainServer({ tools: before, ...setting })
  servers.push(plain)
  const relay = await openRelay([plain.server], more)
  opened.push(relay)
  return { plain, relay, backend: relay.backend("plain") }
}

async function deployAnew(plain: PlainServer, tools = after): Promise<void> {
  await plain.end()
  plain.list(tools)
  await plain.begin()
}

const allowing = { policy: policyOf([rule("allow", "plain(act)")]) }

describe("connection I1: what a person approved", () => {
  it.each<[string, PlainSetting]>([
    ["a legacy server without sessions", {}],
    ["a legacy server with a stream and no session", { streams: true }],
    ["a legacy server with sessions", { sessions: true }],
    ["a modern server that cannot be listened to", { era: "modern" }],
    ["a modern server that is listened to", { era: "modern", streams: true }],
  ])("is not sent to %s that was deployed anew with another tool", async (_, setting) => {
    const { plain, relay, backend } = await open(setting)
    const held = nextHeld(relay.gate)
    const calling = ask(backend, legacyCaller(), callOf("act"))
    const approval = await held
    await deployAnew(plain)
    await approve(relay.gate, approval)
    expect(await resultOf(calling)).toMatchObject({ isError: true })
    expect(plain.seen("tools/call")).toEqual([])
  })

  it("is sent where the tool is as it was, also if the server was deployed anew", async () => {
    const { plain, relay, backend } = await open({})
    const held = nextHeld(relay.gate)
    const calling = ask(backend, legacyCaller(), callOf("act"))
    const approval = await held
    await deployAnew(plain, before)
    await approve(relay.gate, approval)
    expect(textOf(await resultOf(calling))).toContain("ran in start 2")
  })

  it("is sent without reading the list once more in a session, which another server would not know", async () => {
    const { plain, relay, backend } = await open({ sessions: true })
    const held = nextHeld(relay.gate)
    const calling = ask(backend, legacyCaller(), callOf("act"))
    await approve(relay.gate, await held)
    await resultOf(calling)
    expect(plain.seen("tools/list").length).toBe(1)
  })

  it("has failed, and is not unknown, where the list cannot be read", async () => {
    const lists = { work: true }
    const answers: NonNullable<PlainSetting["answers"]> = (method) =>
      method === "tools/list" && !lists.work ? { error: { code: -32603, message: "out of order" } } : undefined
    const { plain, relay, backend } = await open({ answers })
    const held = nextHeld(relay.gate)
    const calling = ask(backend, legacyCaller(), callOf("act"))
    const approval = await held
    lists.work = false
    await approve(relay.gate, approval)
    expect(await resultOf(calling)).toMatchObject({ isError: true, _meta: { "byleave/unreachable": {} } })
    expect(plain.seen("tools/call")).toEqual([])
  })
})

describe("connection I2: what is allowed", () => {
  it.each<[string, PlainSetting, RelaySetting]>([
    ["a legacy server without sessions", {}, {}],
    ["one that is reached by node:http", {}, { fastPath: false }],
    ["a legacy server with a stream and no session", { streams: true }, {}],
    ["a modern server that cannot be listened to", { era: "modern" }, {}],
  ])("is asked about once %s was deployed anew with another tool", async (_, setting, more) => {
    const { plain, relay, backend } = await open(setting, { ...allowing, ...more })
    await resultOf(ask(backend, legacyCaller(), callOf("act")))
    await deployAnew(plain)
    const { tools } = relay.backends.get("plain")?.relay.connections.common() ?? {}
    await expect.poll(() => tools?.known()).toBeNull()
    const held = nextHeld(relay.gate)
    const calling = ask(backend, legacyCaller(), callOf("act"))
    const waits = held.then(() => "waits")
    expect(await Promise.race([waits, calling.reply])).toBe("waits")
    calling.withdraw()
    expect(plain.seen("tools/call").length).toBe(1)
  })

  it("is judged by a list that is read again after a while, and not for each call", async () => {
    const clock = { ahead: 0 }
    const { plain, backend } = await open({}, { ...allowing, now: () => Date.now() + clock.ahead })
    const call = () => resultOf(ask(backend, legacyCaller(), callOf("act")))
    for (let calls = 0; calls < 20; calls += 1) await call()
    expect(plain.seen("tools/list").length).toBe(1)
    clock.ahead += 31_000
    for (let calls = 0; calls < 20; calls += 1) await call()
    expect(plain.seen("tools/list").length).toBe(2)
  })

  it("is judged by the list that was read as long as a stream stands", async () => {
    const clock = { ahead: 0 }
    const setting = { ...allowing, now: () => Date.now() + clock.ahead }
    const { plain, relay, backend } = await open({ era: "modern", streams: true }, setting)
    await relay.backends.get("plain")?.relay.connections.common().link()
    await expect.poll(plain.streams).toBe(1)
    const call = () => resultOf(ask(backend, legacyCaller(), callOf("act")))
    await call()
    clock.ahead += 31_000
    await call()
    expect(plain.seen("tools/list").length).toBe(1)
  })
})
