import type { JsonObject } from "@byleave/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { MethodRow } from "./method-row.ts"
import { methodTable } from "./methods.ts"
import { buildParams, type ParamShapes } from "./params.ts"

const rowOf = (method: string): MethodRow => {
  const row = methodTable.find((one) => one.method === method && one.from === "client")
  if (row === undefined) throw new Error(method)
  return row
}

function built(method: string, given: JsonObject, revision = "2025-11-25", unknown: "refuse" | "drop" = "refuse") {
  return buildParams(rowOf(method), given, revision, unknown)
}

describe("params", () => {
  it.each<{ name: string; method: string; params: JsonObject; problem: string }>([
    { name: "another case", method: "resources/read", params: { Uri: "a://1" }, problem: '"Uri"' },
    { name: "a name in capitals", method: "prompts/get", params: { NAME: "p" }, problem: '"NAME"' },
    { name: "a list for a text", method: "resources/read", params: { uri: ["a://1"] }, problem: 'a text as "uri"' },
    {
      name: "Arguments",
      method: "tools/call",
      params: { name: "t", Arguments: { a: 1 } },
      problem: 'Write "arguments"',
    },
    { name: "a member of nobody", method: "tools/list", params: { filter: "x" }, problem: '"filter"' },
    { name: "no name", method: "tools/call", params: { arguments: {} }, problem: 'needs "name"' },
    {
      name: "arguments that are a list",
      method: "tools/call",
      params: { name: "t", arguments: [] },
      problem: "an object",
    },
    {
      name: "a member inside a reference",
      method: "completion/complete",
      params: { ref: { type: "ref/prompt", name: "p", Uri: "a" }, argument: { name: "a", value: "b" } },
      problem: '"ref.Uri"',
    },
    {
      name: "__proto__",
      method: "tools/call",
      params: JSON.parse('{"name":"t","__proto__":{"a":1}}'),
      problem: "__proto__",
    },
    { name: "constructor", method: "tools/call", params: { name: "t", constructor: {} }, problem: '"constructor"' },
    {
      name: "answers of the other era",
      method: "tools/call",
      params: { name: "t", inputResponses: {} },
      problem: "inputResponses",
    },
  ])("I1, I2: with $name are refused, and the member is named", ({ method, params, problem }) => {
    const result = built(method, params, "2025-06-18")
    expect(result).toMatchObject({ ok: false, error: { code: -32602 } })
    expect(result.ok === false && result.error.message).toContain(problem)
  })

  it("I3: that are not known are left out where policy says so, and told by name", () => {
    const given = { name: "t", Arguments: { a: 1 }, arguments: { b: 2 }, task: { ttl: 1, Ttl: 2 } }
    expect(built("tools/call", given, "2025-11-25", "drop")).toEqual({
      ok: true,
      params: { name: "t", arguments: { b: 2 }, task: { ttl: 1 } },
      dropped: ["Arguments", "task.Ttl"],
    })
  })

  it("of tasks as the legacy era had them are ignored elsewhere, as the modern one demands", () => {
    expect(built("tools/call", { name: "t", task: { ttl: 1 } }, "2026-07-28")).toEqual({
      ok: true,
      params: { name: "t" },
      dropped: [],
    })
  })

  it("are the same object when all of it is known", () => {
    const given = { name: "t", arguments: { a: 1 }, _meta: { progressToken: 1, "vendor/x": 2 } }
    const result = built("tools/call", given)
    expect(result.ok && result.params).toBe(given)
  })

  it("lose what only says who asks, and what is null", () => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", trace: "1" }
    expect(built("tools/list", { cursor: null, _meta }, "2026-07-28")).toMatchObject({
      params: { _meta: { trace: "1" } },
    })
  })

  it("I1: hold no other member than the row names, whatever is sent", () => {
    const names = ["name", "Name", "arguments", "uri", "cursor", "_meta", "task", "ref", "x", "inputResponses", "level"]
    const values = fc.oneof(fc.constant("a"), fc.constant({}), fc.constant([]), fc.constant(1), fc.constant(null))
    const params = fc.dictionary(fc.constantFrom(...names), values)
    const rows = methodTable.filter((row) => row.from === "client" && row.params !== undefined)
    fc.assert(
      fc.property(fc.constantFrom(...rows), params, fc.constantFrom("refuse", "drop"), (row, given, unknown) => {
        const result = buildParams(row, given as JsonObject, "2026-07-28", unknown as "refuse" | "drop")
        if (!result.ok) return
        const known = new Set(["_meta", ...Object.keys(row.params as ParamShapes)])
        expect(Object.keys(result.params ?? {}).filter((key) => !known.has(key))).toEqual([])
      }),
    )
  })
})
