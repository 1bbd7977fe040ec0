import type { Condition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { serverView, toolView, waitingCall } from "../fixtures/waiting-call.ts"
import { pathScopes } from "./path-scopes.ts"

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

  it("keeps a yes to the other arguments of the call, whose texts may differ, and a no to none", () => {
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
    const read = { path: "/home/me/a.md", head: 5, pattern: "*.md", include: "g.md" }
    expect(when(waitingCall({ args: read }), "allow", reading)).toEqual([
      { key: "include", op: "equals", value: "g.md" },
      plain,
      { key: "*", op: "only", names: ["head", "include", "path", "pattern"] },
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

  it.each([
    ["a secret", { path: "/home/me/a.md", password: "hunter2-Tr0ub4dor" }],
    ["a long value that is no text for people", { path: "/home/me/a.md", code: "x".repeat(1_000) }],
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
