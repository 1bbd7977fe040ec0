import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wireHeaders } from "./check-headers.ts"
import { decodeHeaderValue, encodeHeaderValue } from "./header-value.ts"
import { checkParamHeaders, headersOfRun, paramHeaders, paramHeadersOf } from "./param-headers.ts"

describe("values in headers", () => {
  it("come back as they went in, in characters every HTTP carries", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const header = encodeHeaderValue(text)
        expect(header).toMatch(/^[\t\x20-\x7e]+$/)
        expect(decodeHeaderValue(header)).toBe(text)
      }),
    )
  })

  it.each(["=?base64?A?=", "=?base64?ZWNobw?=", "=?base64?ZW*obw==?=", "=?base64?/w==?="])("refuse %s", (header) => {
    expect(decodeHeaderValue(header)).toBeUndefined()
  })
})

describe("blanks around the values of headers", () => {
  // Quadratic in the blanks between, this would not end.
  const inner = `a${" \t".repeat(150_000)}b`

  it("are no part of them; those within are", () => {
    expect(decodeHeaderValue(` \t${inner}\t `)).toBe(inner)
    expect(wireHeaders({ "mcp-method": `\t ${inner} `, "mcp-name": " \t " })).toMatchObject({ method: inner, name: "" })
  })
})

describe("Mcp-Param-*", () => {
  const schema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      limit: { type: "integer", "x-mcp-header": "Limit" },
      where: { type: "object", properties: { dry: { type: "boolean", "x-mcp-header": "Dry-Run" } } },
      plain: { type: "string" },
    },
  }
  const args = { region: "Zürich", limit: 42, where: { dry: true }, plain: "x" }

  it("are made from the arguments a schema names, and agree with them", () => {
    const made = paramHeaders(schema, args)
    expect(Object.fromEntries(made)).toEqual({
      "mcp-param-region": "=?base64?WsO8cmljaA==?=",
      "mcp-param-limit": "42",
      "mcp-param-dry-run": "true",
    })
    expect(checkParamHeaders(schema, args, made)).toBeUndefined()
  })

  it.each([
    { name: "one is missing", headers: { "mcp-param-limit": undefined } },
    { name: "one differs", headers: { "mcp-param-limit": "43" } },
    { name: "text that is a number to nobody", headers: { "mcp-param-limit": "4_2" } },
    { name: "broken base64", headers: { "mcp-param-region": "=?base64?WsO8cmljaA?=" } },
    { name: "the wrapped text of another value", headers: { "mcp-param-dry-run": "TRUE" } },
  ])("are refused when $name", ({ headers }) => {
    const sent = { ...Object.fromEntries(paramHeaders(schema, args)), ...headers }
    expect(checkParamHeaders(schema, args, paramHeadersOf(sent))?.code).toBe(-32020)
  })

  it("are compared as numbers where they are numbers, and not expected for what is not there", () => {
    expect(checkParamHeaders(schema, { limit: 42 }, new Map([["mcp-param-limit", "42.0"]]))).toBeUndefined()
    expect(checkParamHeaders(schema, { region: null }, new Map())).toBeUndefined()
  })

  it("of a run say what runs: nothing stays of an argument that a reviewer took out, or that was never in the body", () => {
    expect(Object.fromEntries(headersOfRun(schema, { limit: 7 }))).toEqual({ "mcp-param-limit": "7" })
    expect(headersOfRun(undefined, { limit: 7 }).size).toBe(0)
  })

  it("ignore names no object was given", () => {
    const hostile = { type: "object", properties: { constructor: { type: "string", "x-mcp-header": "C" } } }
    expect(paramHeaders(hostile, {}).size).toBe(0)
  })

  it("are looked for in a tool's schema once, however often it is called", () => {
    let looked = 0
    const long = {
      type: "object",
      get properties() {
        looked += 1
        return { limit: { type: "integer", "x-mcp-header": "Limit" } }
      },
    }
    const [one] = [7, 8, 9].map((limit) => paramHeaders(long, { limit }))
    const before = looked
    expect(Object.fromEntries(one ?? [])).toEqual({ "mcp-param-limit": "7" })
    expect(Object.fromEntries(paramHeaders(long, { limit: 10 }))).toEqual({ "mcp-param-limit": "10" })
    expect([looked, looked < 3]).toEqual([before, true])
  })
})
