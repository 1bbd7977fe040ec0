import { describe, expect, it } from "vitest"
import type { JsonObject } from "../call/json/json.ts"
import { utf8Length } from "../call/text/utf8-length.ts"
import { createPayloadShares, keptPayload } from "./kept-payload.ts"
import { createRedactor } from "./redact.ts"

const redactor = createRedactor({ values: ["a-secret-of-the-configuration"] })
const kept = (value: JsonObject, largest?: number) => keptPayload(value, redactor, largest)

describe("keptPayload", () => {
  it("keeps what is not long whole", () => {
    const args = { path: "/a", text: "x".repeat(65_000) }
    expect(kept(args)).toEqual({ payload: JSON.stringify(args) })
  })

  it("I1: keeps the beginning of what is longer, readable as JSON, and how long the whole was", () => {
    const args = { path: "/a", list: [1, { deep: "y".repeat(5_000) }], text: "x".repeat(100_000), last: "z" }
    const { payload, wholeBytes } = kept(args)
    expect(wholeBytes).toBe(JSON.stringify(args).length)
    expect(JSON.parse(payload)).toEqual({
      path: "/a",
      list: [1, { deep: `${"y".repeat(2_000)}…` }],
      text: `${"x".repeat(2_000)}…`,
      last: "z",
    })
  })

  it.each([
    ["one text", { text: "\u0001".repeat(1_000_000) }],
    ["many texts", Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, "€".repeat(300)]))],
    ["long names", Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`.repeat(4_000), 1]))],
    ["a list of numbers", { list: Array.from({ length: 500_000 }, (_, at) => at) }],
    ["many empty lists", { list: Array.from({ length: 500_000 }, () => []) }],
  ])("I1: is bounded for %s", (_, args) => {
    for (const largest of [65_536, 1_024]) expect(utf8Length(kept(args, largest).payload)).toBeLessThanOrEqual(largest)
  })

  it("redacts before it cuts", () => {
    const text = `${"x".repeat(1_990)}a-secret-of-the-configuration${"x".repeat(100_000)}`
    expect(kept({ text }).payload).not.toContain("a-secret")
  })
})

describe("createPayloadShares", () => {
  it("I2: lets an agent keep so much an hour whole, whatever others do, and as much again in the next", () => {
    const shares = createPayloadShares()
    const draft = { payload: "x".repeat(65_536) }
    for (let at = 0; at < 1_023; at += 1) shares.note("flood", draft)
    expect(shares.largestFor("flood", 0)).toBe(65_536)
    shares.note("flood", draft)
    expect(shares.largestFor("flood", 3_599_999)).toBe(1_024)
    expect(shares.largestFor("other", 3_599_999)).toBe(65_536)
    expect(shares.largestFor("flood", 3_600_000)).toBe(65_536)
  })
})
