import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { classifyRequest, isModernNotification } from "./classify.ts"
import { checkModernHeaders } from "./headers/check-headers.ts"
import { newestModern } from "./versions.ts"

const envelope = (version: string): JsonObject => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
})
const request = (method: string, params: JsonObject) => ({ jsonrpc: "2.0" as const, id: 1, method, params })

describe("the era of a request without headers", () => {
  it.each([
    { name: "one that names nothing is legacy", params: {}, era: "legacy" },
    { name: "one with a whole envelope is modern", params: { _meta: envelope(newestModern) }, era: "modern" },
    {
      name: "I3: one of a revision nobody speaks is neither",
      params: { _meta: envelope("2099-01-01") },
      era: "neither",
    },
    {
      name: "I3: nor is one that names a legacy revision there",
      params: { _meta: envelope("2025-11-25") },
      era: "neither",
    },
    {
      name: "one with half an envelope is neither",
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": newestModern } },
      era: "neither",
    },
    {
      name: "nor is one that declares more than any client does",
      params: {
        _meta: { ...envelope(newestModern), "io.modelcontextprotocol/clientCapabilities": { a: "x".repeat(8_192) } },
      },
      era: "neither",
    },
  ])("$name", ({ params, era }) => {
    expect(classifyRequest(request("tools/call", params), null).era).toBe(era)
  })

  it("I1: a handshake that claims a modern revision opens no legacy conversation", () => {
    const claimed = request("initialize", { _meta: envelope(newestModern) })
    expect(classifyRequest(claimed, null).era).toBe("modern")
    expect(classifyRequest(request("initialize", { _meta: envelope("2025-11-25") }), null).era).toBe("legacy")
  })
})

describe("a notification", () => {
  it("is modern by its body or by its header", () => {
    const none = { version: undefined, method: undefined, name: undefined }
    const note = { jsonrpc: "2.0" as const, method: "notifications/cancelled" }
    expect(isModernNotification(note, none)).toBe(false)
    expect(isModernNotification(note, { ...none, version: newestModern })).toBe(true)
    expect(isModernNotification({ ...note, params: { _meta: envelope(newestModern) } }, none)).toBe(true)
  })
})

describe("Mcp-Name", () => {
  const said = { version: newestModern, abilities: {}, client: null, logLevel: null }

  it.each([
    { method: "tools/call", member: "name" },
    { method: "prompts/get", member: "name" },
    { method: "resources/read", member: "uri" },
    { method: "tasks/get", member: "taskId" },
    { method: "tasks/update", member: "taskId" },
    { method: "tasks/cancel", member: "taskId" },
  ])("I2, I4: repeats params.$member of $method, or the request is refused", ({ method, member }) => {
    const check = (name: string | undefined) =>
      checkModernHeaders({ method, params: { [member]: "mine" } }, said, { version: newestModern, method, name })
    expect(check("mine")).toBeUndefined()
    expect(check("another's")?.code).toBe(-32020)
    expect(check(undefined)?.code).toBe(-32020)
  })
})
