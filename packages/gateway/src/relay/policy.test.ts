import { afterEach, describe, expect, it } from "vitest"
import type { Notice } from "../wire/message.ts"
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
  textOf,
} from "./fixtures/open-relay.ts"
import { twoEra } from "./fixtures/two-era.ts"
import { createAggregateBackend } from "./several/aggregate-backend.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open(rules: Parameters<typeof policyOf>[0], setting: RelaySetting = {}) {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server], { policy: policyOf(rules), ...setting })
  opened.push(relay)
  return { ...relay, two, backend: relay.backend("two") }
}

const namesIn = (list: unknown): readonly string[] => (list as ReadonlyArray<{ name: string }>).map(({ name }) => name)

describe("what policy hides", () => {
  it("is not listed, and is refused in the words an unknown tool gets", async () => {
    const { backend, two } = await open([rule("allow", "two(*)"), rule("hide", "two(crash)")])
    const { tools } = await resultOf(ask(backend, legacyCaller(), { method: "tools/list" }))
    expect(namesIn(tools)).toContain("echo")
    expect(namesIn(tools)).not.toContain("crash")
    const hidden = await ask(backend, legacyCaller(), callOf("crash")).reply
    const unknown = await ask(backend, legacyCaller(), callOf("smash")).reply
    expect(JSON.stringify(hidden).replace("crash", "NAME")).toBe(JSON.stringify(unknown).replace("smash", "NAME"))
    expect(two.seen("tools/call")).toEqual([])
  })

  it.each(["hide", "deny"] as const)(
    "a whole server under %s lets nothing through, not even what policy has no word for",
    async (effect) => {
      const { backend, two } = await open([rule(effect, "two")])
      const reply = await ask(backend, legacyCaller(), { method: "vendor/anything" }).reply
      expect(reply).toMatchObject({ kind: "error", error: { code: -32601 } })
      const owner = legacyCaller({ abilities: { roots: {} } })
      const task = await ask(backend, owner, { method: "tasks/get", params: { taskId: "t" } }).reply
      expect(task).toMatchObject({ kind: "error", error: { code: -32601 } })
      expect([...two.seen("vendor/anything"), ...two.seen("tasks/get")]).toEqual([])
    },
  )

  it("is listed again, and those who listen are told, when the policy no longer hides it", async () => {
    const { backend, gate } = await open([rule("hide", "two(crash)")])
    const caller = legacyCaller()
    const { promise: told, resolve } = Promise.withResolvers<Notice>()
    const stop = await backend.attend(caller, {
      notify: (notice) => {
        if (notice.method === "notifications/tools/list_changed") resolve(notice)
      },
      inquire: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
    })
    await resultOf(ask(backend, caller, { method: "tools/list" }))
    await gate.replacePolicy(policyOf([]), null)
    await told
    const { tools } = await resultOf(ask(backend, caller, { method: "tools/list" }))
    expect(namesIn(tools)).toContain("crash")
    stop()
  })
})

describe("what policy denies", () => {
  it("R100, R101: stays listed, and says why it is refused and what to do", async () => {
    const { backend, two } = await open([rule("deny", "two(echo)", { reason: "Echoes are done by hand here." })])
    const { tools } = await resultOf(ask(backend, legacyCaller(), { method: "tools/list" }))
    expect(namesIn(tools)).toContain("echo")
    const result = await resultOf(ask(backend, legacyCaller(), callOf("echo")))
    expect(result).toMatchObject({
      isError: true,
      _meta: { "byleave/refusal": { by: "policy", code: "denied-by-rule" } },
    })
    expect(textOf(result)).toContain("Echoes are done by hand here.")
    expect(textOf(result)).toContain("Do not try to do the same another way")
    expect(two.seen("tools/call")).toEqual([])
  })
})

describe("what is not a tool", () => {
  const read = (uri: string) => ({ method: "resources/read", params: { uri } })

  it("passes without a rule, is refused by one, and is not found when hidden", async () => {
    const rules = [rule("deny", "two(resource:b:*)"), rule("hide", "two(resource:c:*)")]
    const { backend, two } = await open(rules)
    expect(await resultOf(ask(backend, legacyCaller(), read("a://1")))).toEqual({
      contents: [{ uri: "a://1", text: "read" }],
    })
    expect(await ask(backend, legacyCaller(), read("b://2")).reply).toMatchObject({ error: { code: 403 } })
    expect(await ask(backend, legacyCaller(), read("c://3")).reply).toMatchObject({ error: { code: -32002 } })
    expect(await ask(backend, modernCaller(), read("c://3")).reply).toMatchObject({ error: { code: -32602 } })
    expect(two.seen("resources/read").length).toBe(1)
  })

  it("waits for a person where a rule asks", async () => {
    const { backend, gate, two } = await open([rule("ask", "two(resource:a:*)")])
    const held = nextHeld(gate)
    const reading = ask(backend, legacyCaller(), read("a://1"))
    const approval = await held
    expect(two.seen("resources/read")).toEqual([])
    await approve(gate, approval)
    expect(await resultOf(reading)).toMatchObject({ contents: [{ text: "read" }] })
  })

  it("a question a server may not ask never reaches the client", async () => {
    const { backend } = await open([rule("allow", "two(*)"), rule("deny", "two(elicitation)")])
    let asked = 0
    const caller = legacyCaller({ abilities: { elicitation: {} } })
    const result = await resultOf(
      ask(backend, caller, callOf("ask"), async () => {
        asked += 1
        return { kind: "result", result: { action: "accept", content: { name: "Ana" } } }
      }),
    )
    expect(textOf(result)).toContain("hello nobody")
    expect(asked).toBe(0)
  })

  it("carry I2: a question that a rule asks about reaches the client once a person has said yes to it", async () => {
    const { backend, gate } = await open([rule("allow", "two(*)"), rule("ask", "two(elicitation)")])
    let asked = 0
    const held = nextHeld(gate)
    const calling = ask(backend, legacyCaller({ abilities: { elicitation: {} } }), callOf("ask"), async () => {
      asked += 1
      return { kind: "result", result: { action: "accept", content: { name: "Ana" } } }
    })
    const approval = await held
    expect([approval.kind, asked]).toEqual(["elicitation", 0])
    await approve(gate, approval)
    expect(textOf(await resultOf(calling))).toContain("hello Ana")
    expect(asked).toBe(1)
  })
})

describe("all servers on one path", () => {
  it("beyond-mcp I1: have methods beyond MCP where policy names them, and refuse and record the others", async () => {
    const [one, other] = [twoEra("legacy", "one"), twoEra("modern", "other")]
    const methods = [rule("allow", "other(vendor/search)").target]
    const policy = policyOf([rule("allow", "other(method:vendor/search)")], { methods })
    const relay = await openRelay([one.server, other.server], { policy })
    opened.push(relay)
    const all = createAggregateBackend(relay.backends)
    const asked = (method: string) => ask(all, modernCaller(), { method, params: { words: "a" } }).reply
    await asked("vendor/search")
    expect(other.seen("vendor/search")).toHaveLength(1)
    expect(await asked("shell/exec")).toMatchObject({ kind: "error", error: { code: -32601 } })
    expect(await asked("initialize")).toMatchObject({ kind: "error", error: { code: -32601 } })
    expect([...one.seen("vendor/search"), ...one.lines(), ...other.lines()].join()).not.toContain("shell/exec")
    const records = await relay.store.records({ types: ["call.allowed", "call.hidden"], limit: 10 })
    const recorded = records.map(({ text }) => text)
    expect(recorded).toHaveLength(2)
    expect(recorded.filter((text) => text.includes("vendor/search") && text.includes('"other"'))).toHaveLength(1)
    expect(recorded.filter((text) => text.includes("shell/exec") && text.includes('"*"'))).toHaveLength(1)
  })

  it("beyond-mcp I1: have a method beyond MCP also where its name begins as those about tasks", async () => {
    const [one, other] = [twoEra("legacy", "one"), twoEra("modern", "other")]
    const methods = [rule("allow", "other(tasks/purge)").target]
    const policy = policyOf([rule("allow", "other(method:tasks/purge)")], { methods })
    const relay = await openRelay([one.server, other.server], { policy })
    opened.push(relay)
    const all = createAggregateBackend(relay.backends)
    for (const method of ["tasks/purge", "tasks/other"]) await ask(all, modernCaller(), { method }).reply
    expect(other.seen("tasks/purge")).toHaveLength(1)
    const records = await relay.store.records({ types: ["call.allowed", "call.hidden"], limit: 10 })
    expect(records.map(({ type }) => type).sort()).toEqual(["call.allowed", "call.hidden"])
    expect([...one.lines(), ...other.lines()].join()).not.toContain("tasks/other")
  })

  it("R28: lists tools under names that tell them apart, and judges the real one", async () => {
    const one = twoEra("legacy", "one")
    const other = twoEra("modern", "other")
    const broken = { ...one.server, id: "broken", transport: { ...one.server.transport, command: "/does/not/exist" } }
    const policy = policyOf([rule("allow", "one(echo)"), rule("deny", "other(*)"), rule("hide", "one(crash)")])
    const relay = await openRelay([one.server, broken as typeof one.server, other.server], { policy })
    opened.push(relay)
    const all = createAggregateBackend(relay.backends)
    const { tools } = await resultOf(ask(all, legacyCaller(), { method: "tools/list" }))
    expect(namesIn(tools)).toEqual(expect.arrayContaining(["one__echo", "other__echo"]))
    expect(namesIn(tools)).not.toContain("one__crash")
    expect(textOf(await resultOf(ask(all, legacyCaller(), callOf("one__echo"))))).toContain("echoed")
    expect(await resultOf(ask(all, legacyCaller(), callOf("other__echo")))).toMatchObject({ isError: true })
    const hidden = await ask(all, legacyCaller(), callOf("one__crash")).reply
    expect(hidden).toEqual({ kind: "error", error: { code: -32602, message: "Unknown tool: one__crash" } })
    expect(one.seen("tools/call").length).toBe(1)
    expect(other.seen("tools/call")).toEqual([])
    const { instructions } = await all.hello(legacyCaller())
    expect(instructions).toContain("# one\n\nBe kind.")
  })
})
