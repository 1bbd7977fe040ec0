import { type JsonObject, readJson } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { argumentFields, type FieldTexts, problemsByKey, readFields } from "./argument-fields.ts"

const schema: JsonObject = {
  type: "object",
  required: ["path"],
  properties: {
    path: { type: "string" },
    mode: { enum: ["append", "replace"] },
    limit: { type: "integer" },
    force: { type: "boolean" },
    edits: { type: "array" },
  },
}

function fieldsOf(args: JsonObject) {
  return argumentFields(args, schema)
}

function parsed(text: string): JsonObject {
  const read = readJson(text)
  if (!read.ok) throw new Error(read.problem.message)
  return read.value as JsonObject
}

const texts = (...entries: [string, string | null][]): FieldTexts => new Map(entries)

describe("argumentFields", () => {
  it("has a field by the shape of each argument, then those the call does not send", () => {
    const fields = fieldsOf({ edits: [{ a: 1 }], path: "a.md", mode: "append", other: "x\ny", n: null })
    expect(fields.map(({ key, kind, text }) => [key, kind, text])).toEqual([
      ["edits", "json", '[\n  {\n    "a": 1\n  }\n]'],
      ["path", "text", "a.md"],
      ["mode", "choice", '"append"'],
      ["other", "long", "x\ny"],
      ["n", "json", "null"],
      ["limit", "number", null],
      ["force", "boolean", null],
    ])
  })

  it("I2: shows hidden characters as escapes, to be edited as JSON", () => {
    const [field] = fieldsOf({ path: "a\u202eb\r\n" })
    expect(field).toMatchObject({ kind: "json", text: String.raw`"a\u202eb\r\n"` })
  })

  it("treats an argument outside the choices as what it is", () => {
    expect(fieldsOf({ mode: "truncate" })[0]).toMatchObject({ kind: "text", text: "truncate" })
  })
})

describe("readFields", () => {
  it("I1: gives back untouched arguments exactly, numbers beyond a double and __proto__ among them", () => {
    const args = parsed('{"path":"a\\r\\n","id":12345678901234567890,"x":1.0e400,"__proto__":{"a":1}}')
    const read = readFields(fieldsOf(args), new Map())
    expect(read.ok && JSON.stringify(read.args)).toBe(JSON.stringify(args))
    expect(read).toMatchObject({ ok: true, changes: [] })
    expect(readFields(fieldsOf({ limit: 1 }), new Map())).toEqual({ ok: true, args: { limit: 1 }, changes: [] })
  })

  it("keeps a number as it was typed", () => {
    const read = readFields(fieldsOf({ path: "a", limit: 1 }), texts(["limit", "12345678901234567891"]))
    expect(read.ok && JSON.stringify(read.args)).toBe('{"path":"a","limit":12345678901234567891}')
    expect(read).toMatchObject({ changes: [{ key: "limit", before: "1", after: "12345678901234567891" }] })
  })

  it("marks what was added, changed and left out", () => {
    const read = readFields(
      fieldsOf({ path: "a", limit: 1, mode: "append" }),
      texts(["path", "b"], ["limit", null], ["force", "true"], ["mode", '"append"']),
    )
    expect(read).toMatchObject({
      args: { path: "b", mode: "append", force: true },
      changes: [
        { key: "path", before: '"a"', after: '"b"' },
        { key: "limit", before: "1", after: null },
        { key: "force", before: null, after: "true" },
      ],
    })
  })

  it.each([
    { name: "a needed argument left out", key: "path", text: null },
    { name: "a number that is none", key: "limit", text: '"5"' },
    { name: "JSON that does not read", key: "edits", text: "[1," },
    { name: "JSON with a key twice", key: "edits", text: '{"a":1,"a":2}' },
  ])("says at its field what is wrong with $name", ({ key, text }) => {
    const read = readFields(fieldsOf({ path: "a", limit: 1, edits: [] }), texts([key, text]))
    expect(read.ok ? [] : [...read.problems.keys()]).toEqual([key])
  })
})

describe("problemsByKey", () => {
  it("puts each problem at the argument it names, and the rest at all of them", () => {
    const fields = fieldsOf({ path: "a", "a/b": 1, limit: 1 })
    const found = problemsByKey(
      [
        "#/limit: It must be an integer.",
        "#/a~1b/0: It is too long.",
        '"path" is not an argument the tool declares',
        "#: Something else.",
      ],
      fields,
    )
    expect([...found]).toEqual([
      ["limit", "It must be an integer."],
      ["a/b", "It is too long."],
      ["path", '"path" is not an argument the tool declares'],
      ["", "Something else."],
    ])
  })
})
