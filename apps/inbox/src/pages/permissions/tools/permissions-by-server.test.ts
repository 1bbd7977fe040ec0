import type { GrantView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { filtered, grantsBySession, noFilter, permissionsByServer, serverOfRule } from "./permissions-by-server.ts"

const rule = (text: string, effect: "allow" | "deny" | "ask" | "hide" = "allow") => ({
  id: text,
  effect,
  text,
  words: text,
  reason: null,
  where: "byleave.yaml:1",
  template: null,
})

function grant(id: string, part: Partial<GrantView>): GrantView {
  return {
    id,
    version: 1,
    effect: "allow",
    breadth: { kind: "tool", server: "files", tool: "read_file" },
    level: "AllowAlways",
    words: `Always allow ${id}`,
    text: `allow: "${id}"`,
    createdAt: 1,
    createdBy: "ada",
    from: null,
    lastUsedAt: null,
    timesUsed: 0,
    ...part,
  }
}

describe("permissions by server", () => {
  it.each([
    { text: 'allow: "files(read_*)"', server: "files" },
    { text: 'allow: "@scope/files(read_*)" when path under /x', server: "@scope/files" },
    { text: 'deny: "*(delete_*)" access write', server: null },
    { text: 'hide: "files"', server: "files" },
    { text: 'ask: "f[*]les(x)"', server: "f*les" },
    { text: 'ask: "files(say "hi")" remember never', server: "files" },
    { text: "something else", server: null },
  ])("finds the server of $text", ({ text, server }) => {
    expect(serverOfRule({ text })).toBe(server)
  })

  it("gives every server its place, then what is about several; grants newest first", () => {
    const denies = grant("d", { effect: "deny", breadth: { kind: "pattern", server: "*", tool: "delete_*" } })
    const gone = grant("g", { breadth: { kind: "server", server: "gone", access: "all" } })
    const groups = permissionsByServer({
      servers: ["memory", "files"],
      grants: [grant("old", {}), grant("new", { createdAt: 2 }), denies, gone],
      rules: [rule('allow: "files(x)"'), rule('hide: "*(admin_*)"', "hide")],
    })
    expect(groups.map(({ server }) => server)).toEqual(["memory", "files", "gone", null])
    expect(groups[1]?.grants.map(({ id }) => id)).toEqual(["new", "old"])
    expect(groups[3]).toMatchObject({ grants: [{ id: "d" }], rules: [{ effect: "hide" }] })
  })

  it("filters by server, text and effect, and keeps bare servers only when nothing is sought", () => {
    const groups = permissionsByServer({
      servers: ["memory", "files"],
      grants: [grant("read", {}), grant("no", { effect: "deny", reason: "Because." })],
      rules: [rule('ask: "*(x)"', "ask")],
    })
    const serversOf = (filter: Partial<typeof noFilter>) =>
      filtered(groups, { ...noFilter, ...filter }).map(({ server }) => server)
    expect(serversOf({})).toEqual(["memory", "files", null])
    expect(serversOf({ server: "memory" })).toEqual(["memory", null])
    expect(serversOf({ text: "BECAUSE" })).toEqual(["files"])
    expect(serversOf({ effect: "ask" })).toEqual([null])
    expect(filtered(groups, { ...noFilter, effect: "deny" })[0]?.grants.map(({ id }) => id)).toEqual(["no"])
  })

  it("gathers what dies with a session, told apart by agent and id", () => {
    const grants = [
      grant("a", { session: { principal: "p", id: "1" } }),
      grant("b", { session: { principal: "q", id: "1" } }),
      grant("c", { session: { principal: "p", id: "1" } }),
      grant("d", {}),
    ]
    expect(grantsBySession(grants).map((session) => session.grants.map(({ id }) => id))).toEqual([["a", "c"], ["b"]])
  })
})
