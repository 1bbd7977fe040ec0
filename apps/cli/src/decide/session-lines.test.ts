import type { SessionView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { nameInLine, sessionLines } from "./session-lines.ts"

const now = 10 * 60_000
const session: SessionView = {
  principal: "wrap:files",
  id: "4711-mh8k2",
  named: true,
  key: "k",
  client: "editor 2.1.3",
  folder: "/home/ada/notes",
  switches: [],
  firstCall: { server: "files", tool: "read_file" },
  runTitle: null,
  startedAt: now - 5 * 60_000,
  lastSeenAt: now - 2 * 60_000,
  connection: { state: "connected" },
  label: null,
  mode: "ask",
  modeUntil: null,
  modeBy: null,
  endedAt: null,
  waiting: 1,
  refused: [],
  grants: [],
}
const linesOf = (more: Partial<SessionView>): readonly string[] =>
  sessionLines({ ...session, ...more }, now, (_, text) => text, undefined)
    .trimEnd()
    .split("\n")

describe("a session in a list", () => {
  it("is told by its client, folder and agent", () => {
    expect(linesOf({})).toEqual([
      "4711-mh8k2  editor 2.1.3 in notes",
      "  agent      wrap:files, connected, started 5 minutes ago",
      "  folder     /home/ada/notes",
      "  first call files(read_file)",
      "  mode       ask; 1 waiting, 0 saved",
    ])
  })

  it("still tells its client where people gave it a name", () => {
    expect(linesOf({ label: "Release" }).slice(0, 2)).toEqual([
      "4711-mh8k2  Release",
      "  client     editor 2.1.3 in notes",
    ])
  })

  it.each([
    { connection: { state: "gone", since: now - 60_000 }, words: "disconnected 1 minute ago" },
    { connection: { state: "unknown" }, words: "last seen 2 minutes ago" },
  ] as const)("says whether its client is there: $words", ({ connection, words }) => {
    expect(linesOf({ connection })).toContain(`  agent      wrap:files, ${words}, started 5 minutes ago`)
  })

  it("is not told by an agent's name what only Byleave tells", () => {
    const [, agent] = linesOf({
      principal: "wrap:files, connected",
      connection: { state: "gone", since: now - 60_000 },
    })
    expect(agent).toContain('  agent      "wrap:files, connected", disconnected')
  })

  it("cannot be imitated by what a client calls itself or where it says it works", () => {
    const fake = "\n0000-fake  other 1.0\n  agent      admin, connected"
    const lines = linesOf({ client: `x${fake}\u001b[2J${"w".repeat(200)}`, folder: `/a${fake}${" ".repeat(90)}/b` })
    expect(lines.filter((line) => line.startsWith("0000-fake") || line.startsWith("  agent      admin"))).toEqual([])
    expect(lines.join("")).not.toContain("\u001b")
    for (const line of lines) expect(line.length).toBeLessThan(80)
  })

  it("has a name of one short line where there is one line for it", () => {
    expect(nameInLine({ ...session, client: `${"w".repeat(200)}\n` }, session)).toBe(`${"w".repeat(39)}…`)
    expect(nameInLine(undefined, session)).toBe("wrap:files")
  })
})
