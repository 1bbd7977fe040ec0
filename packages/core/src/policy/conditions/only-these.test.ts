import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../call/json/json.ts"
import { compileConditions } from "./condition.ts"

const judge = (names: readonly string[], args: JsonObject, key = "*", effect: "allow" | "deny" = "allow") =>
  compileConditions([{ key, op: "only", names }], effect, {})(args)

describe("R36: only these arguments", () => {
  it.each<readonly [string, readonly string[], JsonObject]>([
    ["all of them", ["path", "content"], { path: "a", content: "b" }],
    ["fewer", ["path", "content"], { path: "a" }],
    ["none", [], {}],
    ["lists of plain values", ["to"], { to: ["a", 1, null, ["b"]] }],
    ["whatever is in one", ["options.*"], { options: { a: 1, b: [{ c: 2 }] } }],
    ["whatever is in elements of a list", ["edits.*"], { edits: [{ a: { b: 1 } }, { c: 2 }] }],
    ["named ones within", ["options.a"], { options: { a: 1 } }],
    ["elements of lists", ["items.id"], { items: [{ id: 1 }, { id: 2 }] }],
    ["nothing in it", ["options.a"], { options: {} }],
    ["nothing in a named one", ["options", "to"], { options: {}, to: [] }],
    ["a plain value where members are named, too", ["options.a", "options"], { options: "b" }],
    ["members where a plain value is named, too", ["options", "options.a"], { options: { a: 1 } }],
    ["dots in names", ["a\\.b"], { "a.b": 1 }],
  ])("hold: %s", (_, names, args) => {
    expect(judge(names, args)).toBe("holds")
    expect(judge(names, args, "*", "deny")).toBe("holds")
  })

  it.each<readonly [string, readonly string[], JsonObject]>([
    ["one more", ["path"], { path: "a", run: "b" }],
    ["another spelling", ["path"], { Path: "a" }],
    ["inherited names", ["path"], JSON.parse('{"__proto__": 1}')],
    ["names of the platform", ["path"], { constructor: 1 }],
    ["more within", ["options.a"], { options: { a: 1, b: 2 } }],
    ["a value in place of members", ["options.a"], { options: "b" }],
    ["more in one element", ["items.id"], { items: [{ id: 1 }, { id: 2, run: 1 }] }],
    ["members of a named one", ["options"], { options: { a: 1 } }],
    ["members in a list", ["to"], { to: ["a", { b: 1 }] }],
    ["members deep in lists", ["to"], { to: [[[{ b: 1 }]]] }],
    ["deeper members", ["options.a"], { options: { a: { b: 1 } } }],
    ["others beside a name and one within it", ["options.a", "options"], { options: { b: 1 } }],
    ["others beside whatever is in one", ["options.*"], { options: {}, run: 1 }],
    ["a dotted name in place of one within", ["a.b"], { "a.b": 1 }],
  ])("fail: %s", (_, names, args) => {
    expect(judge(names, args)).toBe("fails")
    expect(judge(names, args, "*", "deny")).toBe("fails")
  })

  it("are asked of one argument too, which must be an object", () => {
    expect(judge(["a"], { to: { a: 1 } }, "to")).toBe("holds")
    expect(judge(["a"], { to: { b: 1 } }, "to")).toBe("fails")
    expect(judge(["a"], { to: "x" }, "to")).toEqual({ unjudged: 'the argument "to" is not an object' })
    expect(judge(["a"], {}, "to")).toEqual({ unjudged: 'the argument "to" is missing' })
  })
})
