import { type JsonObject, longestName, textAt } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type RelaySetting,
  rule,
} from "../fixtures/open-relay.ts"
import { plainServer } from "../fixtures/plain-server.ts"

const opened: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

const files = ["secret/keys.txt", "secret/plan.txt", "sec.txt", "public/a.txt"]

async function open(rules: Parameters<typeof policyOf>[0], setting: RelaySetting = {}, values = files) {
  const answers = (method: string, params: JsonObject): JsonObject | undefined => {
    const typed = textAt(params.argument as JsonObject, "value") ?? ""
    const found = values.filter((value) => value.startsWith(typed))
    return method === "completion/complete"
      ? { completion: { values: found, total: found.length, hasMore: false } }
      : undefined
  }
  const plain = await plainServer({ capabilities: { tools: {}, resources: {}, completions: {} }, answers })
  opened.push(plain.end)
  const relay = await openRelay([plain.server], { policy: policyOf(rules), ...setting })
  opened.push(relay.close)
  const complete = (uri: string, name: string, value: string, given?: JsonObject) => {
    const context = given === undefined ? {} : { context: { arguments: given } }
    const params = { ref: { type: "ref/resource", uri }, argument: { name, value }, ...context }
    return ask(relay.backend("plain"), modernCaller(), { method: "completion/complete", params }).reply
  }
  return { ...relay, plain, complete }
}

const completion = (...values: readonly string[]) => ({ result: { completion: { values } } })

describe("a completion through a wider template", () => {
  it.each([
    { effect: "hide", template: "file:///{+path}" },
    { effect: "deny", template: "file:///{+path}" },
    { effect: "hide", template: "file:///{path}" },
    { effect: "hide", template: "file://{/path}" },
    { effect: "hide", template: "FILE:///x/../{+path}" },
  ] as const)("I2: $template gives no value to an address that policy is to $effect", async ({ effect, template }) => {
    const { complete } = await open([rule(effect, "plain(resource:file:///secret/*)")])
    for (const typed of ["", "s", "sec"]) {
      const reply = await complete(template, "path", typed)
      expect(JSON.stringify(reply)).not.toMatch(/keys|plan|total|hasMore/)
      expect(JSON.stringify(reply)).toContain("sec.txt")
    }
  })

  it("I1, I3: has nothing for a beginning that is hidden; the server is not asked, and it is recorded", async () => {
    const { complete, plain, store } = await open([rule("hide", "plain(resource:file:///secret/*)")])
    expect(await complete("file:///{+path}", "path", "secret/")).toMatchObject(completion())
    expect(await complete("file:///{dir}/{name}", "name", "k", { dir: "secret" })).toMatchObject(completion())
    expect(plain.seen("completion/complete")).toEqual([])
    expect(await store.records({ types: ["call.hidden"], limit: 10 })).toHaveLength(2)
  })

  it("I1, I3: has nothing where what is typed is longer than any address, and the server is not asked", async () => {
    const { complete, plain } = await open([rule("hide", "plain(resource:file:///secret/*)")])
    expect(await complete("file:///{+path}", "path", `secret/${"x".repeat(longestName)}`)).toMatchObject(completion())
    expect(await complete("file:///{a}{b}", "b", "", { a: "x".repeat(longestName) })).toMatchObject(completion())
    expect(plain.seen("completion/complete")).toEqual([])
  })

  it("I3: has nothing where the template is longer or richer than any that leads to an address", async () => {
    const { complete, plain } = await open([rule("hide", "plain(resource:file:///secret/*)")])
    expect(await complete("{a:1}".repeat(101), "b", "", { a: "x" })).toMatchObject(completion())
    expect(await complete(`file:///${"x".repeat(2_000)}{b}`, "b", "")).toMatchObject(completion())
    expect(plain.seen("completion/complete")).toEqual([])
  })

  it.each([
    { effect: "hide", type: "call.hidden" },
    { effect: "deny", type: "call.denied" },
  ] as const)("is answered as the rule to $effect its server says, however long what is typed is", async (setting) => {
    const { complete, store } = await open([rule(setting.effect, "plain")])
    const short = await complete("file:///{+path}", "path", "s")
    expect(short).toHaveProperty("error")
    expect(await complete("file:///{+path}", "path", "s".repeat(longestName))).toEqual(short)
    expect(await store.records({ types: [setting.type], limit: 10 })).toHaveLength(2)
  })

  it("I1: waits for a person where a rule asks about what is typed, though another allows the template", async () => {
    const { complete, gate } = await open([
      rule("allow", "plain(resource:file:///{*)"),
      rule("ask", "plain(resource:file:///secret/*)"),
    ])
    const held = nextHeld(gate)
    const completing = complete("file:///{+path}", "path", "secret/")
    const approval = await held
    expect(approval.tool.tool).toBe("file:///secret/")
    await approve(gate, approval)
    expect(await completing).toMatchObject(completion("secret/keys.txt", "secret/plan.txt"))
  })

  it("I2: gives nothing of a later variable while an earlier one is open, unless no rule is about resources", async () => {
    const template = "file:///{dir}/{name}"
    const { complete } = await open([rule("hide", "plain(resource:file:///secret/*)")], {}, ["keys.txt"])
    expect(await complete(template, "name", "k")).toMatchObject(completion())
    expect(await complete(template, "none", "k")).toMatchObject(completion())
    expect(await complete(template, "name", "k", { dir: "public" })).toMatchObject(completion("keys.txt"))
    const free = await open([], { rulesResources: () => false }, ["keys.txt"])
    expect(await free.complete(template, "name", "k")).toMatchObject(completion("keys.txt"))
  })

  it("passes as it is where nothing is to be left out", async () => {
    const { complete } = await open([rule("hide", "plain(resource:file:///other/*)")])
    const all = { values: files, total: files.length, hasMore: false }
    expect(await complete("file:///{+path}", "path", "")).toMatchObject({ result: { completion: all } })
  })
})
