import type { JsonObject } from "@byleave/core"
import { expect, it } from "vitest"
import { checkArguments } from "./check-arguments.ts"

const schema: JsonObject = {
  type: "object",
  required: ["path"],
  additionalProperties: false,
  properties: {
    path: { type: "string", minLength: 2 },
    edits: {
      type: "array",
      items: { type: "object", required: ["oldText"], properties: { oldText: { type: "string" } } },
    },
    mode: { enum: ["append", "replace"] },
    limit: { anyOf: [{ type: "integer" }, { type: "null" }] },
  },
}

it.each([
  ["what fits", { path: "ab", mode: "append", limit: null }, []],
  ["a text too short", { path: "a" }, ["#/path: It must be at least 2 characters long."]],
  ["another type", { path: "ab", edits: "none" }, ["#/edits: It must be a list."]],
  ["what is not among the choices", { path: "ab", mode: "x" }, ["#/mode: It must be one of append, replace."]],
  [
    "a value deep within",
    { path: "ab", edits: [{ oldText: 1 }] },
    ["#/edits/0/oldText: At 0/oldText: It must be text."],
  ],
  ["what is missing deep within", { path: "ab", edits: [{}] }, ['#/edits/0: At 0: "oldText" is missing.']],
  ["what is missing", {}, ['"path" is missing.']],
  ["no form that fits", { path: "ab", limit: "x" }, ["#/limit: It matches none of the forms the tool accepts."]],
  ["what the tool does not take", { path: "ab", __proto: 1 }, ["#/__proto: The tool does not accept it."]],
])("edited arguments are told: %s", (_, args, problems) => {
  expect(checkArguments(schema, args as JsonObject)).toEqual(problems)
})

it("says so of a schema that cannot be used, and of one that takes too much work, without running its pattern", () => {
  const check = (schema: JsonObject) => checkArguments(schema, { a: `${"a".repeat(40)}!` })
  expect(check({ properties: { a: { $ref: "#/nowhere" } } })).toEqual([expect.stringContaining("cannot be used")])
  expect(check({ properties: { a: { pattern: "^(a+)+$" } } })).toEqual(["#/a: It must match the pattern ^(a+)+$."])
  const twice = (inner: JsonObject): JsonObject => ({ allOf: [inner, inner] })
  const doubled = Array.from({ length: 22 }).reduce<JsonObject>(twice, { type: "object" })
  expect(check(doubled)).toEqual([expect.stringContaining("too large")])
})
