import { describe, expect, it } from "vitest"
import { serverView, waitingCall } from "../fixtures/waiting-call.ts"
import { pathScopes } from "./path-scopes.ts"

const server = serverView([])
const scopesOf = (args: Record<string, string>, of = server) => pathScopes(waitingCall({ args }), of)
const wordsOf = (args: Record<string, string>, of = server) => scopesOf(args, of).map(({ words }) => words)

describe("pathScopes", () => {
  it("offers this file and its folder, told from the server's folder on", () => {
    const scopes = scopesOf({ path: "/home/me/notes/a.md", content: "hello" })
    expect(scopes.map(({ label, words }) => `${label}: ${words}`)).toEqual([
      "This file: notes/a.md",
      "This folder: notes/",
    ])
    const tool = { kind: "tool", server: "files", tool: "write_file" }
    expect(scopes.map(({ breadth }) => breadth)).toEqual([
      { ...tool, when: [{ key: "path", op: "equals", value: "/home/me/notes/a.md" }] },
      { ...tool, when: [{ key: "path", op: "under", folder: "/home/me/notes" }] },
    ])
  })

  it("reads a relative path from the server's folder, and offers none where that is not known", () => {
    expect(scopesOf({ path: "./notes/a.md" }).at(-1)?.breadth).toMatchObject({
      when: [{ op: "under", folder: "/home/me/notes" }],
    })
    expect(wordsOf({ path: "a.md" })).toEqual(["a.md", "the server's folder"])
    expect(scopesOf({ path: "notes/a.md" }, { ...server, folder: null })).toEqual([])
  })

  it("offers none for a relative path whose agent names the server's folders", () => {
    const over = (args: Record<string, string>) =>
      pathScopes(waitingCall({ args, connection: { isOwn: true, hasRoots: true } }), server)
    expect(over({ path: "a.md" })).toEqual([])
    expect(over({ path: "/home/me/a.md" }).map(({ words }) => words)).toEqual(["a.md", "the server's folder"])
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
