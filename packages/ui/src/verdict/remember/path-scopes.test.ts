import type { Condition, JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { coverage } from "../batch/also-waiting.ts"
import { serverView, toolView, waitingCall } from "../fixtures/waiting-call.ts"
import { pathScopes } from "./path-scopes.ts"
import { ruleShown } from "./remembering.ts"

const server = serverView([])
const plain = { key: "*", op: "sensitive", value: false }
const scopesOf = (args: Record<string, string>, of = server) => pathScopes(waitingCall({ args }), of, "allow")
const wordsOf = (args: Record<string, string>, of = server) => scopesOf(args, of).map(({ words }) => words)

describe("pathScopes", () => {
  it("offers this file and its folder, told from the server's folder on", () => {
    const scopes = scopesOf({ path: "/home/me/notes/a.md", content: "hello" })
    expect(scopes.map(({ label, words }) => `${label}: ${words}`)).toEqual([
      "This file: notes/a.md",
      "This folder: notes/",
    ])
    const tool = { kind: "tool", server: "files", tool: "write_file" }
    const only = { key: "*", op: "only", names: ["content", "path"] }
    expect(scopes.map(({ breadth }) => breadth)).toEqual([
      { ...tool, when: [{ key: "path", op: "file", path: "/home/me/notes/a.md" }, plain, only] },
      { ...tool, when: [{ key: "path", op: "under", folder: "/home/me/notes" }, plain, only] },
    ])
  })

  it("reads a relative path from the server's folder, and offers none where that is not known", () => {
    expect(scopesOf({ path: "./notes/a.md" }).at(-1)?.breadth).toMatchObject({
      when: [{ op: "under", folder: "/home/me/notes" }, plain, { op: "only" }],
    })
    expect(scopesOf({ path: "./notes/a.md" })[0]?.breadth).toMatchObject({
      when: [{ op: "file", path: "/home/me/notes/a.md" }, plain, { op: "only" }],
    })
    expect(wordsOf({ path: "a.md" })).toEqual(["a.md", "the server's folder"])
    expect(scopesOf({ path: "notes/a.md" }, { ...server, folder: null })).toEqual([])
  })

  it("offers none for a relative path whose agent names the server's folders", () => {
    const over = (args: Record<string, string>) =>
      pathScopes(waitingCall({ args, connection: { isOwn: true, hasRoots: true } }), server, "allow")
    expect(over({ path: "a.md" })).toEqual([])
    expect(over({ path: "/home/me/a.md" }).map(({ words }) => words)).toEqual(["a.md", "the server's folder"])
  })

  it("I1: keeps a yes to the other arguments of the call, and a no to none", () => {
    const args = { path: "/home/me/a.md", content: "x", dryRun: true, mode: "w", tags: ["a", "b"], options: {} }
    const when = (call: ReturnType<typeof waitingCall>, effect: "allow" | "deny", of = server) =>
      (pathScopes(call, of, effect).at(-1)?.breadth as { when?: readonly Condition[] } | undefined)?.when?.slice(1)
    expect(when(waitingCall({ args }), "allow")).toEqual([
      { key: "dryRun", op: "equals", value: true },
      { key: "mode", op: "equals", value: "w" },
      { key: "tags", op: "equals", value: ["a", "b"] },
      { key: "options", op: "equals", value: {} },
      plain,
      { key: "*", op: "only", names: ["content", "dryRun", "mode", "options", "path", "tags"] },
    ])
    expect(when(waitingCall({ args }), "deny")).toEqual([])
    const reading = serverView([toolView("write_file", { access: "read", accessFrom: "annotation" })])
    const read = { path: "/home/me/a.md", head: 5, pattern: "*.md" }
    expect(when(waitingCall({ args: read }), "allow", reading)).toEqual([
      { key: "head", op: "equals", value: 5 },
      { key: "pattern", op: "equals", value: "*.md" },
      plain,
      { key: "*", op: "only", names: ["head", "path", "pattern"] },
    ])
    const pay = [
      { to: "alice", amount: 1_000 },
      { to: "bob", amount: 1 },
    ]
    expect(when(waitingCall({ args: { path: "/home/me/a.md", pay } }), "allow")?.[0]).toEqual({
      key: "pay",
      op: "equals",
      value: pay,
    })
    // A call that looks sensitive itself is covered, as it was seen.
    expect(when(waitingCall({ args: { path: "/home/me/.env" } }), "allow")).toEqual([
      { key: "*", op: "only", names: ["path"] },
    ])
  })

  const path = "/home/me/a.md"
  const covers = (tool: string, seen: JsonObject, later: JsonObject): boolean => {
    const callOf = (args: JsonObject) => waitingCall({ tool: { server: "files", tool }, args: { path, ...args } })
    const [file] = pathScopes(callOf(seen), server, "allow")
    if (file === undefined) return false
    const rule = ruleShown(callOf(seen), { effect: "allow", scope: "agent", breadth: file.breadth, lasting: {} }, 0)
    return rule.ok && coverage(rule.grant, callOf(later), new Map(), server.folder) === "yes"
  }
  const patch = (file: string) => `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b`

  it.each<[string, JsonObject, JsonObject]>([
    ["delete_files", { pattern: "*.tmp" }, { pattern: "*" }],
    ["replace_in_file", { regex: "a", content: "x" }, { regex: "b", content: "x" }],
    [
      "put_file",
      { content: "x", repository: { owner: "me", name: "test" } },
      { content: "x", repository: { owner: "me", name: "live" } },
    ],
    ["apply_patch", { patch: patch("a.md") }, { patch: patch("../b.md") }],
    ["edit_file", { patch: patch("a.md") }, { patch: patch("../b.md") }],
    ["edit_file", { content: "x", diff: "a" }, { content: "x", diff: "b" }],
    ["create_file", { content: "x", template: "plain" }, { content: "x", template: "other" }],
    ["create_page", { content: "x", prompt: "a" }, { content: "x", prompt: "b" }],
    ["write_file", { content: "x", message: "a" }, { content: "x", message: "b" }],
    ["write_file", { content: "eA==", encoding: "base64" }, { content: "eQ==", encoding: "base64" }],
    ["write_cell", { code: "1" }, { code: "2" }],
    ["send_file", { content: "hello" }, { content: "bye" }],
    ["search_files", { pattern: "a" }, { pattern: "b" }],
    ["search_files", { query: "a" }, { query: "b" }],
    [
      "edit_file",
      { edits: [{ oldText: "a", newText: "b", line: 1 }] },
      { edits: [{ oldText: "a", newText: "c", line: 1 }] },
    ],
    [
      "edit_file",
      { edits: [{ oldText: "a", newText: "b" }] },
      { edits: [{ oldText: "a", newText: "c", path: "/home/me/b.md" }] },
    ],
  ])("I1: a yes to %s with %j does not cover %j", (tool, seen, later) => {
    expect(covers(tool, seen, seen)).toBe(true)
    expect(covers(tool, seen, later)).toBe(false)
  })

  it.each<[string, JsonObject, JsonObject]>([
    ["write_file", { content: "x" }, { content: "see docs/a" }],
    ["write_file", { content: "see docs/a" }, { content: "x" }],
    ["append_file", { text: "x", tags: ["a"] }, { text: "y", tags: ["a"] }],
    ["edit_file", { old_string: "a", new_string: "b" }, { old_string: "c", new_string: "d" }],
    [
      "edit_file",
      { edits: [{ oldText: "a", newText: "b" }], dryRun: false },
      {
        edits: [
          { oldText: "c", newText: "d" },
          { oldText: "e", newText: "f" },
        ],
        dryRun: false,
      },
    ],
  ])("I1: a yes to %s with %j covers %j: the file's content may differ", (tool, seen, later) => {
    expect(covers(tool, seen, later)).toBe(true)
  })

  it.each<[string, JsonObject, readonly string[]]>([
    [
      "write_file",
      { content: "x" },
      [
        "The file's content may differ; everything else stays as in this call.",
        "The file and its content may differ; everything else stays as in this call.",
      ],
    ],
    [
      "delete_files",
      { pattern: "*.tmp" },
      ["Every argument stays as in this call.", "The file may differ; everything else stays as in this call."],
    ],
    [
      "edit_file",
      { edits: [{ oldText: "a", newText: "b", replace_all: true }] },
      ["Every argument stays as in this call.", "The file may differ; everything else stays as in this call."],
    ],
  ])("I2: says what may differ from a %s with %j", (tool, args, told) => {
    const call = waitingCall({ tool: { server: "files", tool }, args: { path, ...args } })
    expect(pathScopes(call, server, "allow").map(({ differs }) => differs)).toEqual(told)
    expect(new Set(pathScopes(call, server, "deny").map(({ differs }) => differs))).toEqual(
      new Set(["All other arguments may differ."]),
    )
  })

  it("I1: offers no yes where the text of a tool with declared arguments is none of them and too long to keep", () => {
    const inputSchema = { type: "object", properties: { path: { type: "string" } } }
    const definition = { title: null, description: null, icon: null, annotations: null, inputSchema }
    const args = { path, content: "x".repeat(1_000) }
    expect(pathScopes(waitingCall({ args }), server, "allow")).toHaveLength(2)
    expect(pathScopes(waitingCall({ args, definition }), server, "allow")).toEqual([])
  })

  it.each([
    ["a secret", { path: "/home/me/a.md", password: "hunter2-Tr0ub4dor" }],
    ["a secret in a list", { path: "/home/me/a.md", auth: [{ password: "hunter2-Tr0ub4dor" }] }],
    ["a long value that is carried out", { path: "/home/me/a.md", code: "x".repeat(1_000) }],
    [
      "very many arguments",
      Object.fromEntries([["path", "/home/me/a.md"], ...Array.from({ length: 50 }, (_, n) => [`n${n}`, n])]),
    ],
  ])("offers no yes beside %s", (_, args) => {
    expect(pathScopes(waitingCall({ args }), server, "allow")).toEqual([])
    expect(pathScopes(waitingCall({ args }), server, "deny")).toHaveLength(2)
  })

  it("tells the whole path of what lies elsewhere, and never offers the root", () => {
    expect(wordsOf({ path: "/etc/hosts" })).toEqual(["/etc/hosts", "/etc/"])
    expect(wordsOf({ path: "/hosts" })).toEqual(["/hosts"])
    expect(wordsOf({ path: "/home/melody/a" })).toEqual(["/home/melody/a", "/home/melody/"])
  })

  it.each([
    ["two paths", { source: "/a/b", destination: "/c/d" }],
    ["a path that climbs", { path: "/home/me/../root/a" }],
    ["an address", { file: "https://example.com/a" }],
    ["a hidden character", { path: "/home/me/a\u202etxt" }],
    ["no path", { content: "hello" }],
  ] as const)("offers nothing for %s", (_, args) => {
    expect(scopesOf(args)).toEqual([])
  })
})
