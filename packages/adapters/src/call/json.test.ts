import { describe, expect, it } from "vitest"
import { openAdapter } from "../fixtures/open-adapter.ts"
import { bindableInput } from "./json.ts"
import { submitCall } from "./submit-call.ts"

class Path {
  readonly #secret = "/etc/passwd"
  readonly shown = "a.txt"
  get real(): string {
    return this.#secret
  }
}

describe("bindableInput", () => {
  it.each([
    { name: "plain JSON", input: { a: [1, "b", null, { c: true }] }, args: { a: [1, "b", null, { c: true }] } },
    { name: "a member without a value", input: { a: undefined, b: 1 }, args: { b: 1 } },
    { name: "a date", input: { at: new Date(0) }, args: { at: "1970-01-01T00:00:00.000Z" } },
    { name: "no input", input: undefined, args: {} },
  ])("takes $name", ({ input, args }) => {
    expect(bindableInput(input).args).toEqual(args)
  })

  it.each([
    { name: "a set", input: { paths: new Set(["/etc"]) }, place: "paths" },
    { name: "a map", input: { a: [new Map([["b", 1]])] }, place: "a.0" },
    { name: "bytes", input: { data: new Uint8Array([1]) }, place: "data" },
    { name: "a pattern", input: { like: /x/ }, place: "like" },
    { name: "an error", input: { cause: new Error("x") }, place: "cause" },
    { name: "no number", input: { n: Number.NaN }, place: "n" },
    { name: "an endless number", input: { n: Number.POSITIVE_INFINITY }, place: "n" },
    { name: "a large integer", input: { n: 2n }, place: "n" },
    { name: "no date", input: { at: new Date(Number.NaN) }, place: "at" },
    { name: "a list with a gap", input: { list: new Array(2) }, place: "list" },
    { name: "an element without a value", input: { list: [undefined] }, place: "list.0" },
    { name: "a list with members", input: { list: Object.assign([1], { more: 2 }) }, place: "list" },
    { name: "a function", input: { run: () => 1 }, place: "plain JSON" },
    { name: "a boxed text", input: { a: Object("text") }, place: "a" },
  ])("refuses $name, and says where it is", ({ input, place }) => {
    expect(() => bindableInput(input)).toThrow(place)
  })

  it("of an object of some class, what runs is what is shown", () => {
    const { kept, args } = bindableInput({ path: new Path() })
    expect(kept).toEqual({ path: { shown: "a.txt" } })
    expect(args).toEqual({ path: { shown: "a.txt" } })
  })
})

it("I1: a call whose arguments cannot be shown does not run, and asks nobody", async () => {
  const bench = await openAdapter({ wait: false })
  const remove = (paths: readonly string[]) =>
    submitCall(bench.options, { tool: "write_file", input: { paths: new Set(paths) } }, (input) => {
      bench.ran.push(["write_file", input])
    })
  await expect(remove(["tmp/old.log"])).rejects.toMatchObject({ code: "bad-arguments" })
  expect(bench.ran).toEqual([])
})
