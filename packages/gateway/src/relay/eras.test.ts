import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import type { Caller, Era } from "../wire/caller.ts"
import type { Reply } from "../wire/message.ts"
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

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open(era: Era, setting: RelaySetting = {}) {
  const two = twoEra(era)
  const relay = await openRelay([two.server], { policy: policyOf([rule("allow", "two(*)")]), ...setting })
  opened.push(relay)
  return { ...relay, two, backend: relay.backend("two") }
}

const callers: Record<Era, (more?: Partial<Caller>) => Caller> = { legacy: legacyCaller, modern: modernCaller }
const answersName = async (): Promise<Reply> => ({
  kind: "result",
  result: { action: "accept", content: { name: "Ana" } },
})
const asksForms = { abilities: { elicitation: { form: {} } } }

const combinations: ReadonlyArray<readonly [Era, Era]> = [
  ["legacy", "legacy"],
  ["legacy", "modern"],
  ["modern", "legacy"],
  ["modern", "modern"],
]

describe.each(combinations)("a %s client before a %s server", (front, behind) => {
  it("R104: gets unknown fields and content as the server said them", async () => {
    const { backend } = await open(behind)
    const result = await resultOf(ask(backend, callers[front](), callOf("odd")))
    expect(result.content).toEqual([{ type: "vendor/blob", of: "it" }])
    expect(result.structuredContent).toEqual({ n: 1 })
    expect(result.resultType).toBe(front === "modern" ? "complete" : undefined)
    const listed = await resultOf(ask(backend, callers[front](), { method: "tools/list" }))
    expect(JSON.stringify(listed.tools)).toContain('"x-vendor":{"of":"echo"}')
    expect(listed.cacheScope).toBe(front === "modern" ? "private" : undefined)
  })

  it("sends numbers as they were written, and nothing of the other era", async () => {
    const { backend, two } = await open(behind)
    const huge = (JSON as unknown as { rawJSON: (text: string) => JsonObject }).rawJSON("12345678901234567890")
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "vendor/kept": 1 }
    const own = front === "modern" ? { _meta: meta } : { _meta: { "vendor/kept": 1 } }
    await resultOf(ask(backend, callers[front](), callOf("echo", { n: huge }, own)))
    const [line = ""] = two.seen("tools/call")
    expect(line).toContain('"n":12345678901234567890')
    expect(line).toContain('"vendor/kept":1')
    expect(line.includes("protocolVersion")).toBe(behind === "modern")
  })

  it("is asked what the server wants to know, and the answer reaches it", async () => {
    const { backend } = await open(behind)
    const caller = callers[front](asksForms)
    const first = await resultOf(ask(backend, caller, callOf("ask"), answersName))
    if (front === "legacy" || behind === "legacy") return expect(textOf(first)).toContain("hello Ana")
    expect(first.resultType).toBe("input_required")
    expect(first.requestState).not.toBe("mine")
    const inputResponses = { who: { action: "accept", content: { name: "Ana" } } }
    const { requestState = null } = first
    const again = await resultOf(ask(backend, caller, callOf("ask", {}, { requestState, inputResponses })))
    expect(textOf(again)).toContain("hello Ana (mine)")
  })

  it("is asked by an approved call, which then runs to its end", async () => {
    const { backend, gate, two } = await open(behind, { policy: policyOf([]) })
    const held = nextHeld(gate)
    const calling = ask(backend, callers[front](asksForms), callOf("ask"), answersName)
    await approve(gate, await held)
    expect(textOf(await resultOf(calling))).toContain("hello Ana")
    expect(two.seen("tools/call").length).toBe(behind === "modern" ? 2 : 1)
  })

  it("gets a tool's own failure and a server's error as they were said", async () => {
    const { backend } = await open(behind)
    const failed = await resultOf(ask(backend, callers[front](), callOf("fail")))
    expect(failed).toMatchObject({ isError: true, vendorField: { kept: true } })
    const reply = await ask(backend, callers[front](), callOf("error")).reply
    expect(reply).toEqual({ kind: "error", error: { code: 4242, message: "broken", data: { a: 1 } } })
  })

  it("is told what the server says of itself", async () => {
    const { backend } = await open(behind)
    const hello = await backend.hello(callers[front]())
    expect(hello.serverInfo).toMatchObject({ name: "two-era", vendor: { kept: true } })
    const extensions = JSON.stringify(hello.capabilities)
    expect(extensions.includes("modelcontextprotocol/tasks")).toBe(front === "modern" && behind === "modern")
  })
})

describe("the state of a modern server", () => {
  it.each([
    {
      name: "for another principal",
      more: { principal: { id: "eve" }, session: { principal: "eve", id: "s", named: true } },
    },
    { name: "with other arguments", args: { x: 1 } },
    { name: "changed", change: (state: string) => `${state.slice(0, -2)}xx` },
  ])("is useless $name", async ({ more = {}, args = {}, change = (state: string) => state }) => {
    const { backend, two } = await open("modern")
    const first = await resultOf(ask(backend, modernCaller(asksForms), callOf("ask")))
    const requestState = change(String(first.requestState))
    const reply = await ask(backend, modernCaller({ ...asksForms, ...more }), callOf("ask", args, { requestState }))
      .reply
    expect(reply).toMatchObject({ kind: "error", error: { code: -32602 } })
    expect(two.seen("tools/call").length).toBe(1)
  })
})
