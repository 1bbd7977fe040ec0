import { fileChanges } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { fileIn, mayGivePart, namedFile, readersAmong, readingArgs, untold, writingArgs } from "./file-reading.ts"

describe("the file of a call", () => {
  it("is the one its arguments name", () => {
    const args = { file_path: "a", old_string: "x", new_string: "y" }
    const [change] = fileChanges("str_replace", args)
    expect(change === undefined ? null : namedFile(change, args)).toMatchObject({ name: "file_path", path: "a" })
  })

  it("is none where it is named within another argument, whatever else has that name", () => {
    const args = { path: "a", files: [{ path: "a", content: "x" }] }
    const [change] = fileChanges("write_files", args)
    expect(change === undefined ? undefined : namedFile(change, args)).toBeNull()
  })

  it("is known by its path alone where an edit says anything else", () => {
    const edits = [
      { oldText: "x", newText: "y" },
      { path: "a", oldText: "x", newText: "y" },
    ]
    const args = { path: "a", edits }
    const [change] = fileChanges("edit_file", args)
    const file = change === undefined ? null : namedFile(change, args)
    expect(file === null ? undefined : untold(file, { path: "a" })).toBe("edits")
  })

  it("is none where a patch names its files by itself", () => {
    const args = { patch: "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n" }
    const [change] = fileChanges("apply", args)
    expect(change === undefined ? undefined : namedFile(change, args)).toBeNull()
  })
})

describe("how its file is read", () => {
  const args = { path: "a", content: "x", owner: "o", repo: "r" }
  const change = { name: "path", path: "a", args, written: new Set(["/content"]) }
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

  it.each([
    { name: "a branch that it does not take", args: { branch: "production" }, missing: "branch" },
    { name: "a number", args: { project_id: 12 }, missing: "project_id" },
    { name: "a list", args: { roots: ["/a"] }, missing: "roots" },
    { name: "something within another argument", args: { options: { ref: "v1" } }, missing: "options" },
    { name: "another path", args: { filename: "b" }, missing: "filename" },
    { name: "what it is told", args: { owner: "o" }, missing: null },
    { name: "yes and no", args: { dryRun: false, options: { create: true } }, missing: null },
    { name: "that folders are made", args: { createDirs: true, overwrite_existing: true, mkdir: true }, missing: null },
    { name: "another place, by yes", args: { shared: true }, missing: "shared" },
    { name: "another place, by yes within another", args: { options: { use_tmp_dir: true } }, missing: "options" },
    { name: "another meaning of its texts, by yes", args: { regex: true }, missing: "regex" },
    { name: "no other place", args: { shared: false }, missing: null },
    { name: "words", args: { message: "touch", commitTitle: "x", description: "y" }, missing: null },
    { name: "how it is written", args: { encoding: "utf-8", fileMode: 420, sha: "a1" }, missing: null },
    { name: "a file in a name that also reads like words", args: { text_file: "b" }, missing: "text_file" },
    { name: "that it is added", args: { mode: "append" }, missing: "mode" },
    { name: "that it is added, by yes", args: { append: true }, missing: "append" },
    { name: "how, in more words", args: { encoding: { type: "base64" } }, missing: "encoding" },
    { name: "that it is decoded first", args: { encoding: "base64" }, missing: "encoding" },
    { name: "nothing", args: { branch: "", ref: null, roots: [] }, missing: null },
  ])("by a tool that knows where: the call says $name", ({ args: more, missing }) => {
    const file = { ...change, args: { path: "a", content: "x", ...more } }
    const told = readingArgs(tool({ owner: text, path: text }), file)
    expect(told === null ? undefined : untold(file, told)).toBe(missing)
  })

  it("and written back by a tool that knows where", () => {
    const writer = tool({ path: text, content: text })
    expect(writingArgs(writer, { ...change, args: { path: "a", content: "x" } }, "y")).toEqual({
      path: "a",
      content: "y",
    })
    expect(writingArgs(writer, { ...change, args: { path: "a", content: "x", branch: "b" } }, "y")).toBeNull()
  })
})

describe("whether a reader gives whole files", () => {
  const reader = (...names: readonly string[]) =>
    ({ inputSchema: { properties: Object.fromEntries(names.map((name) => [name, { type: "number" }])) } }) as never

  it.each([["path"], ["path", "head", "tail"], ["owner", "repo", "path", "ref", "sha"], ["path", "encoding"], []])(
    "it does: %j %j %j %j %j",
    (...names) => expect(mayGivePart(reader(...names.filter((name) => name !== undefined)))).toBe(false),
  )

  it.each(["offset", "limit", "start_line", "endLine", "view_range", "maxBytes", "page", "line_count", "num-lines"])(
    "it may not, where it takes %s",
    (name) => expect(mayGivePart(reader("path", name))).toBe(true),
  )

  it("it does not where it gives a part unasked", () => {
    const properties = { path: { type: "string" }, head: { type: "number", default: 100 } }
    expect(mayGivePart({ inputSchema: { properties } } as never)).toBe(true)
  })
})

describe("what a reader's result says", () => {
  it.each([
    { structuredContent: { content: "x", truncated: true } },
    { _meta: { nextCursor: "abc" } },
    { hasMore: true },
    ...[
      "[Reading 100 lines from start (total: 1000 lines, 900 remaining)]\nx",
      "x\n[truncated]\n",
      "Showing lines 1-100 of 1000\nx",
      "x\n... 900 more lines",
    ].map((text) => ({ content: [{ type: "text", text }] })),
  ])("that it is a part: %j", (said) => {
    expect(fileIn({ content: [{ type: "text", text: "x" }], ...said }, "a.txt")).toMatchObject({ isPart: true })
  })

  it.each([
    { structuredContent: { content: "x", truncated: false, nextCursor: null } },
    { content: [{ type: "text", text: "one\n[truncated]\ntwo" }] },
    { content: [{ type: "text", text: "Read 3 lines.\nThe 2 of 3 remain." }] },
  ])("nothing of a part: %j", (said) => {
    expect(fileIn({ content: [{ type: "text", text: "x" }], ...said }, "a.txt")).toMatchObject({ isPart: false })
  })

  it.each([
    {
      name: "one text",
      result: { content: [{ type: "text", text: "x" }] },
      read: { kind: "text", text: "x", isPart: false },
    },
    {
      name: "an embedded file beside a remark",
      result: {
        content: [
          { type: "text", text: "here" },
          { type: "resource", resource: { uri: "a", text: "x" } },
        ],
      },
      read: { kind: "text", text: "x", isPart: false },
    },
    {
      name: "a file that is not there",
      result: { isError: true, content: [{ type: "text", text: "ENOENT: no such file or directory, open 'a'" }] },
      read: { kind: "absent" },
    },
    {
      name: "another error",
      result: { isError: true, content: [{ type: "text", text: "Access denied" }] },
      read: { kind: "unreadable", said: "Access denied" },
    },
    {
      name: "several texts",
      result: {
        content: [
          { type: "text", text: "x" },
          { type: "text", text: "y" },
        ],
      },
      read: { kind: "unreadable", said: null },
    },
    {
      name: "a file that is not there, in other words",
      result: { isError: true, content: [{ type: "text", text: "File a.txt was not found." }] },
      read: { kind: "absent" },
    },
    ...[
      "Tool read_file not found",
      "Session not found",
      "spawn reader ENOENT",
      "getaddrinfo: the host cannot be found",
      "404 Not Found",
    ].map((text) => ({
      name: `another thing that is not there: ${text}`,
      result: { isError: true, content: [{ type: "text", text }] },
      read: { kind: "unreadable", said: text },
    })),
    {
      name: "a server that could not be reached",
      result: {
        isError: true,
        content: [{ type: "text", text: "The server could not be reached: no such file or directory" }],
        _meta: { "byleave/unreachable": { server: "files" } },
      },
      read: { kind: "unreadable", said: null },
    },
    { name: "a picture", result: { content: [{ type: "image", data: "" }] }, read: { kind: "unreadable", said: null } },
    { name: "nothing", result: {}, read: { kind: "unreadable", said: null } },
  ])("$name", ({ result, read }) => {
    expect(fileIn(result, "a.txt")).toEqual(read)
  })

  it("nothing of a file whose path, which errors repeat, says itself that it is not there", () => {
    const path = "no such file/../../etc/hosts"
    const result = { isError: true, content: [{ type: "text", text: `Access denied: ${path}` }] }
    expect(fileIn(result, path)).toEqual({ kind: "unreadable", said: `Access denied: ${path}` })
  })
})
