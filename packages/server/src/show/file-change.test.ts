import { describe, expect, it } from "vitest"
import { fileChangeIn, fileIn, readersAmong, readingArgs } from "./file-change.ts"

describe("a call that changes a file", () => {
  it.each([
    { name: "write_file", args: { path: "a", content: "x" }, key: "path" },
    { name: "edit_file", args: { path: "a", edits: [{ oldText: "x", newText: "y" }] }, key: "path" },
    { name: "str_replace", args: { file_path: "a", old_string: "x", new_string: "y" }, key: "file_path" },
    { name: "create_file", args: { path: "a", file_text: "" }, key: "path" },
  ])("$name is told by its arguments", ({ args, key }) => {
    expect(fileChangeIn(args)).toMatchObject({ key, path: "a" })
  })

  it.each([
    { name: "no path", args: { content: "x" } },
    { name: "nothing to write", args: { path: "a" } },
    { name: "a path that is no text", args: { path: 1, content: "x" } },
    { name: "no arguments", args: {} },
  ])("$name is none", ({ args }) => {
    expect(fileChangeIn(args)).toBeNull()
  })
})

describe("how its file is read", () => {
  const change = { key: "path", path: "a", args: { path: "a", content: "x", owner: "o", repo: "r" } }
  const tool = (properties: object, required: readonly string[] = []) =>
    ({ name: "read", inputSchema: { type: "object", properties, required } }) as never
  const text = { type: "string" }

  it("by the tools that are there, the likelier first", () => {
    expect(readersAmong(["read_file", "constructor", "read_text_file", "write_file"])).toEqual([
      "read_text_file",
      "read_file",
    ])
  })
  it("with the path, and what both take of where it is, and nothing of what is written", () => {
    expect(readingArgs(tool({ path: text, head: { type: "number" } }, ["path"]), change)).toEqual({ path: "a" })
    expect(readingArgs(tool({ owner: text, path: text, content: text }, ["owner", "path"]), change)).toEqual({
      owner: "o",
      path: "a",
    })
    expect(readingArgs(tool({ file_path: text }, ["file_path"]), change)).toEqual({ file_path: "a" })
  })
  it("not at all by a tool that takes no path, or wants what nobody can tell", () => {
    expect(readingArgs(tool({ url: text }), change)).toBeNull()
    expect(readingArgs(tool({ path: text, token: text }, ["path", "token"]), change)).toBeNull()
    expect(readingArgs({ name: "read" } as never, change)).toBeNull()
  })
})

describe("what a reader's result says", () => {
  it.each([
    { name: "one text", result: { content: [{ type: "text", text: "x" }] }, read: { kind: "text", text: "x" } },
    {
      name: "an embedded file beside a remark",
      result: {
        content: [
          { type: "text", text: "here" },
          { type: "resource", resource: { uri: "a", text: "x" } },
        ],
      },
      read: { kind: "text", text: "x" },
    },
    {
      name: "a file that is not there",
      result: { isError: true, content: [{ type: "text", text: "ENOENT: no such file or directory, open 'a'" }] },
      read: { kind: "absent" },
    },
    {
      name: "another error",
      result: { isError: true, content: [{ type: "text", text: "Access denied" }] },
      read: { kind: "unreadable" },
    },
    {
      name: "several texts",
      result: {
        content: [
          { type: "text", text: "x" },
          { type: "text", text: "y" },
        ],
      },
      read: { kind: "unreadable" },
    },
    { name: "a picture", result: { content: [{ type: "image", data: "" }] }, read: { kind: "unreadable" } },
    { name: "nothing", result: {}, read: { kind: "unreadable" } },
  ])("$name", ({ result, read }) => {
    expect(fileIn(result)).toEqual(read)
  })
})
