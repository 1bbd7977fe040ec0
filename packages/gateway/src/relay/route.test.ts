/** Messages that are not understood reach no server: generated from the table of methods, against servers that record every message. */
import type { AuditType, JsonObject } from "@byleave/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { headersOfRun } from "../wire/headers/param-headers.ts"
import { methodTable } from "../wire/methods/methods.ts"
import { legacyVersions, modernVersions, newestLegacy, newestModern } from "../wire/versions.ts"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  resultOf,
  rule,
} from "./fixtures/open-relay.ts"
import { type TwoEra, twoEra } from "./fixtures/two-era.ts"

const everything = policyOf([rule("allow", "two(*)")], {
  methods: [rule("allow", "two(vendor/search)").target, rule("allow", "two(vendor/held)").target],
})
const withRule = { ...everything, rules: [...everything.rules, rule("allow", "two(method:vendor/search)")] }

const eras = [
  { era: "legacy", caller: legacyCaller({ abilities: { roots: {} } }), revision: newestLegacy },
  { era: "modern", caller: modernCaller(), revision: newestModern },
] as const

/** The newest record of this type, as it was written. */
async function newest(relay: Relay, type: AuditType): Promise<JsonObject> {
  const [last] = await relay.store.records({ types: [type], limit: 1 })
  return (JSON.parse(last?.text ?? "{}") as { readonly body: JsonObject }).body
}

describe.each(eras)("a $era server", ({ era, caller, revision }) => {
  let two: TwoEra
  let relay: Relay
  const open = async (setting: RelaySetting): Promise<Relay> => openRelay([two.server], setting)
  const seen = (): readonly string[] => two.lines()

  beforeAll(async () => {
    two = twoEra(era)
    relay = await open({ policy: withRule })
    await resultOf(ask(relay.backend("two"), caller, callOf("echo")))
  })
  afterAll(() => relay.close())

  const requests = methodTable.filter(({ from, form }) => from === "client" && form === "request")
  const eraVersions = era === "legacy" ? legacyVersions : modernVersions
  const namesOf = (method: string) => Object.keys(requests.find((row) => row.method === method)?.params ?? {})
  const sent = requests.filter(({ handling, revisions }) => {
    return handling !== "here" && revisions[0] <= revision && revision <= revisions[1]
  })

  it.each(sent.map(({ method }) => method))("I2: never sees a member that %s does not have", async (method) => {
    const before = seen().length
    for (const member of ["Uri", "NAME", "Arguments", "x", "__proto__"]) {
      const params = JSON.parse(`{"name":"echo","uri":"a://1","${member}":{"secret":1}}`) as JsonObject
      const reply = await ask(relay.backend("two"), caller, { method, params }).reply
      expect(reply).toMatchObject({ kind: "error", error: { code: -32602 } })
    }
    expect(seen().slice(before)).toEqual([])
  })

  it.each([...requests.map(({ method }) => method), "shell/exec", "notifications/vendor"])(
    "I1: does not get %s as a notification",
    (method) => {
      const before = seen().length
      const params = { name: "echo", arguments: {} }
      expect(relay.backend("two").note(caller, { method, params })).toMatchObject({ code: -32601 })
      expect(seen().slice(before)).toEqual([])
    },
  )

  it.each(["shell/exec", "tools/call ", "Tools/call", "notifications/roots/list_changed", "constructor", ""])(
    "I1: does not get the unknown request %j; the record tells of it",
    async (method) => {
      const before = seen().length
      const reply = await ask(relay.backend("two"), caller, { method, params: { name: "echo" } }).reply
      expect(reply).toMatchObject({ kind: "error", error: { code: -32601 } })
      expect(seen().slice(before)).toEqual([])
      expect(await newest(relay, "call.hidden")).toMatchObject({
        kind: "method",
        tool: method,
        because: "unknown-method",
      })
    },
  )

  it.each(eraVersions)("I1: gets no request that revision %s does not have", async (version) => {
    const foreign = requests.filter(({ revisions }) => version < revisions[0] || revisions[1] < version)
    const before = seen().length
    for (const { method } of foreign) {
      const params = { taskId: "t", uri: "a://1", level: "info" }
      const known = Object.fromEntries(Object.entries(params).filter(([name]) => namesOf(method).includes(name)))
      const reply = await ask(relay.backend("two"), { ...caller, version }, { method, params: known }).reply
      expect(reply, method).toMatchObject({ kind: "error", error: { code: -32601 } })
    }
    expect(seen().slice(before)).toEqual([])
  })

  it("I1: gets a request that policy names and allows, as it was judged, and the record tells of it", async () => {
    const params = { query: "a", _meta: { trace: "t" } }
    await ask(relay.backend("two"), caller, { method: "vendor/search", params }).reply
    const line = JSON.parse(two.seen("vendor/search").at(-1) ?? "{}") as { params?: JsonObject }
    expect(line.params).toMatchObject(params)
    expect(await newest(relay, "call.allowed")).toMatchObject({ kind: "method", tool: "vendor/search" })
  })

  it("holds a request that policy names and no rule is about", async () => {
    const held = nextHeld(relay.gate)
    const calling = ask(relay.backend("two"), caller, { method: "vendor/held", params: { a: 1 } })
    const approval = await held
    expect(approval).toMatchObject({ kind: "method", args: { a: 1 }, remember: "never" })
    expect(two.seen("vendor/held")).toEqual([])
    await approve(relay.gate, approval)
    // The server does not know it either, and says so itself.
    expect(await calling.reply).toMatchObject({ kind: "error", error: { code: -32601 } })
    expect(two.seen("vendor/held")).toHaveLength(1)
  })

  it("is sent a call without what is not known, where policy says so; the record names it", async () => {
    const dropping = await open({ policy: everything, unknownParams: () => "drop" })
    const calling = callOf("echo", { a: 1 }, { Arguments: { b: 2 } })
    await resultOf(ask(dropping.backend("two"), caller, calling))
    expect(two.seen("tools/call").at(-1)).not.toContain("Arguments")
    expect(await newest(dropping, "call.allowed")).toMatchObject({ dropped: ["Arguments"] })
    await dropping.close()
  })
})

describe("what goes to the server beside the arguments", () => {
  it("is shown, is part of the record, and is what was shown also when the call is repeated with something else", async () => {
    const two = twoEra("legacy")
    const relay = await openRelay([two.server], { policy: policyOf([]) })
    const caller = legacyCaller()
    const held = nextHeld(relay.gate)
    const first = ask(
      relay.backend("two"),
      caller,
      callOf("echo", { a: 1 }, { _meta: { "client/call": 1, progressToken: 7 } }),
    )
    const approval = await held
    expect(approval.extraParams).toEqual({ _meta: { "client/call": 1 } })
    first.drop()
    await first.reply
    await approve(relay.gate, approval)
    const again = callOf("echo", { a: 1 }, { _meta: { "client/call": 2, path: "/etc" } })
    await resultOf(ask(relay.backend("two"), caller, again))
    const sent = JSON.parse(two.seen("tools/call").at(-1) ?? "{}") as { params: JsonObject }
    expect(sent.params).toEqual({ name: "echo", arguments: { a: 1 }, _meta: { "client/call": 1 } })
    expect(await newest(relay, "call.asked")).toHaveProperty("extra")
    await relay.close()
  })

  it("holds answers to a server's question: they are judged and shown with the call", async () => {
    const two = twoEra("modern")
    const relay = await openRelay([two.server], { policy: policyOf([]) })
    const held = nextHeld(relay.gate)
    const answers = { who: { action: "accept", content: { name: "Eve" } } }
    const calling = ask(relay.backend("two"), modernCaller(), callOf("ask", {}, { inputResponses: answers }))
    const approval = await held
    expect(approval.extraParams).toEqual({ inputResponses: answers })
    await approve(relay.gate, approval)
    await resultOf(calling)
    const sent = JSON.parse(two.seen("tools/call").at(-1) ?? "{}") as { params: JsonObject }
    expect(sent.params.inputResponses).toEqual(answers)
    await relay.close()
  })

  it.each([
    { method: "tools/call", target: "two(echo)", params: { name: "echo", arguments: { a: 1 } } },
    { method: "resources/read", target: "two(resource:*)", params: { uri: "a://1" } },
    { method: "prompts/get", target: "two(prompt:*)", params: { name: "p", arguments: {} } },
  ])(
    "holds no answers of $method for a legacy server: they are not sent, so only that they were left out is shown",
    async ({ method, target, params }) => {
      const two = twoEra("legacy")
      const relay = await openRelay([two.server], { policy: policyOf([rule("ask", target)]) })
      const held = nextHeld(relay.gate)
      const answers = { who: { action: "accept", content: { name: "Eve" } } }
      const calling = ask(relay.backend("two"), modernCaller(), {
        method,
        params: { ...params, inputResponses: answers, _meta: { "client/call": 1 } },
      })
      const approval = await held
      expect([approval.extraParams, approval.droppedParams]).toEqual([
        { _meta: { "client/call": 1 } },
        ["inputResponses"],
      ])
      await approve(relay.gate, approval)
      await calling.reply
      const sent = JSON.parse(two.seen(method).at(-1) ?? "{}") as { params: JsonObject }
      expect(sent.params).toEqual({ ...params, _meta: { "client/call": 1 } })
      await relay.close()
    },
  )
})

describe("a yes", () => {
  const asksAll = policyOf([rule("ask", "two(resource:*)"), rule("ask", "two(prompt:*)")])

  it("to listen to a resource is no yes to read it, and says which it is", async () => {
    const two = twoEra("legacy")
    const relay = await openRelay([two.server], { policy: asksAll })
    const caller = legacyCaller()
    const held = nextHeld(relay.gate)
    const listening = ask(relay.backend("two"), caller, { method: "resources/subscribe", params: { uri: "a://1" } })
    const approval = await held
    expect(approval.extraParams).toEqual({ method: "resources/subscribe" })
    listening.drop()
    await listening.reply
    await approve(relay.gate, approval)
    const next = nextHeld(relay.gate)
    const reading = ask(relay.backend("two"), caller, { method: "resources/read", params: { uri: "a://1" } })
    expect((await next).id).not.toBe(approval.id)
    expect(two.seen("resources/read")).toEqual([])
    reading.drop()
    await reading.reply
    await relay.close()
  })

  it("to another resource than the one that was asked for is refused: what would run is that one", async () => {
    const two = twoEra("legacy")
    const relay = await openRelay([two.server], { policy: asksAll })
    const held = nextHeld(relay.gate)
    const reading = ask(relay.backend("two"), legacyCaller(), {
      method: "resources/read",
      params: { uri: "a://secret" },
    })
    const approval = await held
    const answer = await approve(relay.gate, approval, { args: { uri: "a://public" } })
    expect(answer).toMatchObject({ ok: false, refusal: { code: "invalid-arguments" } })
    expect(two.seen("resources/read")).toEqual([])
    reading.drop()
    await reading.reply
    await relay.close()
  })
})

it("headers that mirror no argument of the body reach no server", async () => {
  const names = headersOfRun(
    { type: "object", properties: { region: { type: ["string", "null"], "x-mcp-header": "Region" } } },
    {
      region: "eu",
    },
  )
  expect(names.size).toBe(0)
})

it("a conversation listens to a thousand resources at most, with names of at most 8,192 characters", async () => {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server], { policy: policyOf([]) })
  const subscribe = (uri: string) =>
    ask(relay.backend("two"), legacyCaller(), { method: "resources/subscribe", params: { uri } }).reply
  expect(await subscribe(`a://${"x".repeat(9_000)}`)).toMatchObject({ kind: "error", error: { code: -32602 } })
  for (let n = 0; n < 1_000; n += 1) await subscribe(`a://${n}`)
  expect(await subscribe("a://one too many")).toMatchObject({ kind: "error", error: { code: -32602 } })
  await relay.close()
})
