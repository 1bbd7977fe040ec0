import type { JsonValue } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { coverage } from "../batch/also-waiting.ts"
import { waitingCall } from "../fixtures/waiting-call.ts"
import { comparableKeys, firstPattern, newCondition, readPattern, valueAt } from "./pattern-draft.ts"
import { ruleShown } from "./remembering.ts"

const call = waitingCall({ args: { path: "/home/me/a.md", limit: 5, where: { "a.b": "x" }, tags: ["one"] } })
const line = { id: 1, key: "path" }

describe("readPattern", () => {
  it("begins with every argument of the call, however long, but for secrets", () => {
    const command = `ls -la${" ".repeat(3_000)}`
    const args = { path: "/a", content: "one\ntwo", command, password: "hunter2", limit: 5, mode: "", where: {} }
    const odd = waitingCall({ args })
    const equals = (key: string, value: JsonValue) => ({ key, op: "equals", value })
    expect(readPattern(firstPattern(odd, "deny"), odd)).toEqual({
      ok: true,
      breadth: {
        kind: "tool",
        server: "files",
        tool: "write_file",
        when: [
          equals("path", "/a"),
          equals("content", "one\ntwo"),
          equals("command", command),
          equals("limit", 5),
          equals("mode", ""),
          equals("where", {}),
        ],
      },
    })
  })

  it("keeps no secret that stands inside a list", () => {
    const odd = waitingCall({ args: { path: "/a", logins: [{ password: "hunter2" }] } })
    expect(firstPattern(odd, "allow").conditions.map(({ key }) => key)).toEqual(["path"])
  })

  it("begins with a yes that covers no other arguments than the call's, and a no that covers any", () => {
    const read = (effect: "allow" | "deny") => readPattern(firstPattern(call, effect), call)
    const only = { key: "*", op: "only", names: ["limit", "path", "tags", "where.a\\.b"] }
    expect(read("allow")).toMatchObject({ breadth: { when: expect.arrayContaining([only]) } })
    expect(read("deny")).not.toMatchObject({ breadth: { when: expect.arrayContaining([only]) } })
  })

  it("does not let every call of the tool pass for some of them", () => {
    expect(readPattern({ tool: "write_file", conditions: [], isClosed: false }, call)).toMatchObject({
      ok: false,
      tool: expect.stringMatching(/every call of this tool/),
    })
  })

  it("reads a literal name as that tool, and anything else as a pattern of this server", () => {
    expect(readPattern({ tool: "read_file", conditions: [], isClosed: false }, call)).toEqual({
      ok: true,
      breadth: { kind: "tool", server: "files", tool: "read_file" },
    })
    expect(readPattern({ tool: "write_*", conditions: [], isClosed: false }, call)).toEqual({
      ok: true,
      breadth: { kind: "pattern", server: "files", tool: "write_*" },
    })
  })

  it("begins with a pattern that means a tool whose name has metacharacters", () => {
    const odd = waitingCall({ tool: { server: "files", tool: "do[*]" } })
    expect(readPattern(firstPattern(odd, "deny"), odd)).toMatchObject({ breadth: { kind: "tool", tool: "do[*]" } })
  })

  it.each([
    { op: "equals", key: "limit", value: "5", condition: { op: "equals", value: 5 } },
    { op: "equals", key: "path", value: "5", condition: { op: "equals", value: "5" } },
    { op: "oneOf", key: "limit", value: "5\n 6 \n", condition: { op: "oneOf", values: [5, 6] } },
    { op: "glob", key: "path", value: "*.md", condition: { op: "glob", pattern: "*.md" } },
    { op: "under", key: "path", value: "/home/me", condition: { op: "under", folder: "/home/me" } },
    { op: "file", key: "path", value: "/home/me/a", condition: { op: "file", path: "/home/me/a" } },
    {
      op: "host",
      key: "path",
      value: "a.example, b.example",
      condition: { op: "host", patterns: ["a.example", "b.example"] },
    },
    { op: "atMost", key: "limit", value: "10", condition: { op: "atMost", value: 10 } },
  ] as const)("reads $key $op $value, typed as the call has it", ({ op, key, value, condition }) => {
    const read = readPattern({ tool: "write_file", conditions: [{ id: 1, key, op, value }], isClosed: false }, call)
    expect(read).toEqual({
      ok: true,
      breadth: { kind: "tool", server: "files", tool: "write_file", when: [{ key, ...condition }] },
    })
  })

  it.each([
    { op: "under", value: "notes" },
    { op: "file", value: "notes/a.md" },
    { op: "glob", value: "" },
    { op: "oneOf", value: " \n " },
    { op: "host", value: "" },
    { op: "atLeast", value: "many" },
  ] as const)("says at its line what is wrong with $op $value", ({ op, value }) => {
    const read = readPattern({ tool: "write_file", conditions: [{ ...line, op, value }], isClosed: false }, call)
    expect(read.ok ? undefined : read.conditions.get(1)).toMatch(/^Enter /)
  })

  it.each(["", "resource:*", "sampling", " spaced"])("refuses %j as a tool", (tool) => {
    expect(readPattern({ tool, conditions: [], isClosed: false }, call)).toMatchObject({
      ok: false,
      tool: expect.any(String),
    })
  })
})

describe("keys of arguments", () => {
  it("are dotted down to what can be compared, with dots in names escaped", () => {
    expect(comparableKeys(call)).toEqual(["path", "limit", "where.a\\.b", "tags"])
    expect(valueAt(call.args, "where.a\\.b")).toBe("x")
  })

  it("are read as the engine reads them, empty names and backslashes in names included", () => {
    const args = { "": "a", "back\\": { "": "b", "a.b": "c" }, empty: { "": {} } }
    const keys = comparableKeys(waitingCall({ args }))
    expect(keys).toEqual(["", "back\\\\.", "back\\\\.a\\.b", "empty."])
    expect(keys.map((key) => valueAt(args, key))).toEqual(["a", "b", "c", {}])
  })

  it.each([
    { args: { method: "GET", "": "hello" }, other: { method: "GET", "": "x" } },
    { args: { method: "GET", "": { method: "GET" } }, other: { method: "GET", "": { method: "DELETE" } } },
    { args: { method: "GET", to: { "": "a" } }, other: { method: "GET", to: { "": "b" } } },
  ])("with an empty name in them stay as in the call: $args", ({ args, other }) => {
    const odd = waitingCall({ args })
    const read = readPattern(firstPattern(odd, "allow"), odd)
    if (!read.ok) throw new Error("It can be read.")
    const rule = ruleShown(odd, { effect: "allow", scope: "always", breadth: read.breadth, lasting: {} }, 0)
    if (!rule.ok) throw new Error(rule.problem)
    expect(coverage(rule.grant, odd, new Map())).toBe("yes")
    expect(coverage(rule.grant, waitingCall({ args: other }), new Map())).toBe("no")
  })

  it("are own names only", () => {
    expect(valueAt({ a: {} }, "a.constructor")).toBeUndefined()
    expect(newCondition(call, "missing", 1)).toMatchObject({ value: "" })
  })
})
