import { describe, expect, it } from "vitest"
import type { JsonObject } from "../call/json/json.ts"
import { previewOf } from "./argument-preview.ts"

describe("previewOf", () => {
  it("tells the arguments that say most first, and (I2) masks secrets", () => {
    const first = (args: JsonObject) => previewOf(args)[0]
    expect(first({ force: true, path: "/a", note: "n" })?.name).toBe("path")
    expect(first({ force: true, note: "one\ntwo" })).toEqual({ name: "note", text: "one two", isSecret: false })
    expect(first({ password: "hunter2" })).toEqual({ name: "password", text: "hidden, 7 characters", isSecret: true })
    expect(first({ body: "password=hunter2 works" })?.text).toBe("hidden, 22 characters")
    expect(previewOf({})).toEqual([])
  })

  it("tells enough for two calls of one tool to be told apart", () => {
    const told = (args: JsonObject) => previewOf(args).map(({ name, text }) => `${name} ${text}`)
    expect(told({ amount: 10, deep: { a: 1 }, to: "alice" })).toEqual(["to alice", "amount 10", "deep a: 1"])
    expect(told({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toHaveLength(4)
  })

  it.each([
    { value: ["Ada", "Grace", "Alan", "Kurt", "Emmy"], text: "Ada, Grace, Alan +2" },
    { value: [1, true, null], text: "1, true, null" },
    { value: [{ entityType: "person", name: "Ada" }, { name: "Grace" }], text: "Ada, Grace" },
    { value: [{ x: 1 }, {}, [2], []], text: "{…}, {}, […] +1" },
    { value: { a: "one\ntwo", b: { c: 1 }, d: [], e: 4 }, text: "a: one two, b: {…}, d: [] +1" },
    {
      value: [
        { oldText: "a", newText: "b\nc" },
        { oldText: "d", newText: "" },
      ],
      text: "b c, {…}",
    },
    { value: [{ entityName: "shop", contents: ["on call: blue", "x"] }], text: "on call: blue" },
    { value: [{ contents: [["deep"]] }, { contents: [] }], text: "{…}, {…}" },
    { value: [], text: "empty" },
    { value: {}, text: "empty" },
  ])("tells a list and an object by the first of what they hold: $text", ({ value, text }) => {
    expect(previewOf({ value })).toEqual([{ name: "value", text, isSecret: false }])
  })

  it("I2: masks secrets in lists and objects", () => {
    const text = (args: JsonObject) => previewOf(args)[0]?.text
    expect(text({ passwords: ["hunter2"] })).toBe("hidden")
    expect(text({ password: { value: "hunter2" } })).toBe("hidden")
    expect(text({ login: { password: [{ name: "hunter2" }] } })).toBe("password: hidden")
    expect(text({ login: { user: "ada", password: "hunter2" } })).toBe("user: ada, password: hidden")
    expect(text({ notes: [{ contents: [`ghp_${"a1B2".repeat(9)}`] }] })).toBe("hidden")
    expect(text({ headers: [{ name: "x", token: "t" }, `ghp_${"a1B2".repeat(9)}`] })).toBe("x, hidden")
  })

  it("I1: is short for long lists and deep objects", () => {
    const long = "x".repeat(100_000)
    const list = Array.from({ length: 100_000 }, () => long)
    const preview = previewOf({ list, object: { [long]: long, b: list, c: { name: long } }, items: [{ name: long }] })
    expect(JSON.stringify(preview).length).toBeLessThan(2_000)
  })

  it("I1: is short for long texts, long names and many arguments, and still finds what says most", () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, "x".repeat(50)]))
    const preview = previewOf({ ...many, ["n".repeat(100_000)]: 1, path: "/a".repeat(1_000_000) })
    expect(preview[0]).toMatchObject({ name: "path", text: "/a".repeat(100) })
    expect(JSON.stringify(preview).length).toBeLessThan(2_000)
  })
})
