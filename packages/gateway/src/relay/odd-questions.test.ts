/** Questions that policy has a word in, asked in forms that are none of MCP's, and answers that nobody asked for. */
import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
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
  resultOf,
  rule,
  withTasks,
} from "./fixtures/open-relay.ts"
import { scripted } from "./fixtures/scripted.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const samples = { sampling: {} }

describe("a question", () => {
  const words = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }
  const asks = (asked: JsonObject) => ({
    "tools/list": { tools: [{ name: "tool", inputSchema: { type: "object" } }] },
    "tools/call": { resultType: "input_required", requestState: "s", ...asked },
  })
  const openScripted = async (asked: JsonObject, rules = [rule("deny", "s(sampling)")]) => {
    const script = scripted("modern", asks(asked))
    const relay = await openRelay([script.server], { policy: policyOf([rule("allow", "s(*)"), ...rules]) })
    opened.push(relay)
    return { script, backend: relay.backend("s"), gate: relay.gate }
  }
  const caller = modernCaller({ abilities: samples })

  it.each([
    ["a list", { inputRequests: [words] }],
    ["another spelling", { InputRequests: { k: words } }],
    ["another spelling beside it", { inputRequests: {}, INPUTREQUESTS: { k: words } }],
    ["another member", { inputRequests: {}, more: [words] }],
    ["an odd entry", { inputRequests: { k: [words] } }],
    ["an entry in another spelling", { inputRequests: { k: { ...words, Method: words.method, method: "" } } }],
  ])("that policy denies does not reach the client as %s", async (_, asked) => {
    const { backend } = await openScripted(asked as JsonObject)
    const reply = await ask(backend, caller, callOf("tool")).reply
    expect(JSON.stringify(reply)).not.toContain("sampling/createMessage")
  })

  it("that policy denies is not put to the client by us either", async () => {
    const { backend } = await openScripted({ inputRequests: { k: words } })
    let asked = 0
    const call = ask(backend, caller, callOf("tool"), async () => {
      asked += 1
      return { kind: "result", result: { role: "assistant", model: "m", content: { type: "text", text: "a" } } }
    })
    expect(await call.reply).toMatchObject({ kind: "error" })
    expect(asked).toBe(0)
  })

  it("that is none, but a request about the client's tasks, is not put to the client", async () => {
    const { backend } = await openScripted({
      inputRequests: { k: { method: "tasks/result", params: { taskId: "t" } } },
    })
    const asked: string[] = []
    const call = ask(
      backend,
      legacyCaller({ abilities: { ...samples, tasks: {} } }),
      callOf("tool"),
      async ({ method }) => {
        asked.push(method)
        return { kind: "result", result: {} }
      },
    )
    expect(await call.reply).toMatchObject({ kind: "error" })
    expect(asked).toEqual([])
  })

  it("that policy has no word in reaches the client with nothing beside it", async () => {
    const entry = { ...words, More: words }
    const { backend } = await openScripted({ inputRequests: { k: entry }, InputRequests: {}, _meta: { a: 1 } }, [])
    const { requestState, ...rest } = await resultOf(ask(backend, caller, callOf("tool")))
    expect(typeof requestState).toBe("string")
    const { _meta, ...asked } = rest
    expect(_meta).toMatchObject({ a: 1 })
    expect(asked).toEqual({ resultType: "input_required", inputRequests: { k: words } })
  })

  it("in a form that nobody can judge leaves the call unknown, as an approved one, too", async () => {
    const { backend, gate } = await openScripted({ inputRequests: [words] }, [rule("ask", "s(tool)")])
    const held = nextHeld(gate)
    const call = ask(backend, caller, callOf("tool"))
    const approval = await held
    await approve(gate, approval)
    await call.reply
    expect(await gate.approval(approval.id)).toMatchObject({ status: "unknown" })
  })

  it.each([
    { role: "assistant", model: "m", content: { type: "text", text: "words" } },
    { Role: "assistant", action: "accept" },
    { text: "words" },
    { action: "accept", content: { type: "text", text: "words" } },
    { action: "accept", content: { Type: "TEXT", text: "words" } },
    { action: "accept", content: [{ type: "text", text: "words" }] },
    { action: "accept", role: "assistant" },
    { content: { type: "text", text: "words" } },
    ["words"],
  ])("that policy denies is not answered unasked: %j", async (answer) => {
    const { backend, script } = await openScripted({})
    const answered = callOf("tool", {}, { inputResponses: { 0: answer } })
    expect(await ask(backend, caller, answered).reply).toMatchObject({ kind: "error", error: { code: -32602 } })
    expect(script.lines().join()).not.toContain('"tools/call"')
    const consent = callOf("tool", {}, { inputResponses: { 0: { action: "accept" } } })
    expect(await ask(backend, caller, consent).reply).toMatchObject({ kind: "result" })
    expect(script.lines().join()).toContain('"action":"accept"')
  })

  it("in a task, in whatever spelling, is not shown where policy denies it, and is not answered", async () => {
    const { backend, script, gate } = await openScripted({}, [])
    const tasking = modernCaller({ abilities: { ...samples, ...withTasks } })
    const task = { taskId: "t1", status: "input_required", createdAt: "2026-01-01T00:00:00Z", ttlMs: null }
    script.answers({ ...asks({}), "tools/call": { resultType: "task", ...task } })
    const { taskId } = await resultOf(ask(backend, tasking, callOf("tool")))
    await gate.replacePolicy(policyOf([rule("allow", "s(*)"), rule("deny", "s(sampling)")]), null)
    const about = (method: string, more: JsonObject = {}) =>
      ask(backend, tasking, { method, params: { taskId: String(taskId), ...more } }).reply
    for (const asked of [
      { inputRequests: [words] },
      { InputRequests: { k: words } },
      { inputRequests: { k: words } },
    ]) {
      script.answers({ "tasks/get": { resultType: "complete", ...task, ...asked } })
      const polled = await about("tasks/get")
      expect(polled).toMatchObject({ kind: "result", result: { status: "input_required" } })
      expect(JSON.stringify(polled)).not.toContain("sampling/createMessage")
    }
    const inputResponses = { k: { role: "assistant", model: "m" } }
    expect(await about("tasks/update", { inputResponses })).toMatchObject({ kind: "error", error: { code: -32602 } })
    expect(script.lines().join()).not.toContain("tasks/update")
    script.answers({ "tasks/update": { resultType: "complete" } })
    const odd = { a: { ignored: true }, b: { Role: "assistant" }, c: { "root\u017f": [] }, d: { action: "accept" } }
    expect(await about("tasks/update", { inputResponses: odd })).toMatchObject({ kind: "result" })
    expect(script.lines().at(-1)).toContain('"inputResponses":{"d":{"action":"accept"}}')
    expect(await about("tasks/update", { inputResponses: { a: { ignored: true } } })).toMatchObject({ kind: "result" })
    expect(script.lines().at(-1)).toContain('"inputResponses":{}')
  })
})
