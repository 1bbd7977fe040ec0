import { describe, expect, it } from "vitest"
import { argsTemplate, readArgs, schemaKeys } from "./args-template.ts"

describe("arguments to try a call with", () => {
  it("begins with what the schema requires, empty by type", () => {
    const schema = {
      type: "object",
      required: ["path", "edits", "mode"],
      properties: {
        path: { type: "string" },
        edits: { type: "array" },
        mode: { enum: ["fast", "slow"] },
        dryRun: { type: "boolean" },
      },
    }
    expect(JSON.parse(argsTemplate(schema))).toEqual({ path: "", edits: [], mode: "fast" })
    expect(schemaKeys(schema)).toEqual(["path", "edits", "mode", "dryRun"])
  })

  it("offers every key where none is required, and an empty object where nothing is known", () => {
    expect(JSON.parse(argsTemplate({ properties: { limit: { type: "integer" }, deep: { default: true } } }))).toEqual({
      limit: 0,
      deep: true,
    })
    expect(argsTemplate(null)).toBe("{}")
  })

  it.each([
    { text: "", ok: true },
    { text: '{"a": 1}', ok: true },
    { text: "[1]", ok: false },
    { text: '{"a": 1, "a": 2}', ok: false },
    { text: "{", ok: false },
  ])("reads $text as strictly as the gateway would", ({ text, ok }) => {
    expect(readArgs(text).ok).toBe(ok)
  })
})
