import type { ApprovalView, SessionView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { callLines } from "./call-lines.ts"
import { countMasked, revealed } from "./masks.ts"

const view = {
  id: "019aa0b1-7c3d-7000-8000-aaaaaa111111",
  kind: "tool",
  tool: { server: "files", tool: "delete_all" },
  status: "pending",
  principal: { id: "agent" },
  session: { principal: "agent", id: "s", named: false },
  access: "write",
  why: "no rule matches it",
  createdAt: 0,
  expiresAt: null,
  needs: { approvals: 1, groups: [] },
  votes: [],
  risks: [],
  pin: "accepted",
  args: {},
  editedArgs: null,
} as unknown as ApprovalView

const hidden = { isShown: false, by: "--reveal" }
const options = {
  short: "a111111",
  now: 0,
  paint: (_: unknown, text: string) => text,
  session: undefined,
  columns: undefined,
  reveal: hidden,
}

const linesOf = (args: ApprovalView["args"]): readonly string[] =>
  callLines({ ...view, args }, options)
    .trimEnd()
    .split("\n")

const fake = "b222222  files(read_file)  reads"

describe("a card on the terminal", () => {
  it.each([
    { name: "lines of its own", args: { note: `x\n\n${fake}\n  arguments  none` } },
    { name: "spaces up to the terminal's edge", args: { note: `${" ".repeat(70)}${fake}` } },
    { name: "letters of two columns", args: { note: `${"字".repeat(35)}${fake}` } },
    { name: "the name of an argument", args: { [`n${" ".repeat(80)}${fake}`]: 1 } },
  ])("cannot be imitated inside an argument by $name", ({ args }) => {
    const lines = linesOf(args)
    const own = lines.filter((line) => !line.startsWith("      │ "))
    expect(own.filter((line) => line.includes("read_file") && !line.startsWith("    note: "))).toEqual([])
    for (const line of lines) {
      const width = [...line].reduce((sum, letter) => sum + (letter >= "\u1100" ? 2 : 1), 0)
      expect(width).toBeLessThan(80)
    }
  })

  it("fits a terminal that is narrower than usual, whose own wrapping would begin rows at its edge", () => {
    const args = { note: `${"x".repeat(40)}  needs      nobody` }
    const rows = callLines({ ...view, args }, { ...options, columns: 40 })
      .trimEnd()
      .split("\n")
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(40)
    expect(rows.filter((row) => /^ *needs/.test(row))).toEqual([])
  })

  it("shows where the name of an argument ends", () => {
    expect(linesOf({ "path: /tmp/x, really": "/etc/passwd" }).at(-1)).toBe('    "path: /tmp/x, really": /etc/passwd')
  })

  it("tells a text from another kind of value that reads the same", () => {
    const args = { a: "false", b: false, c: "null", d: null, e: "{\n}", f: "12", g: 12, h: "no" }
    expect(linesOf(args).slice(linesOf(args).indexOf("  arguments") + 1)).toEqual([
      ...['    a: "false"', "    b: false", '    c: "null"', "    d: null", '    e: "{', '      │ }"'],
      ...['    f: "12"', "    g: 12", "    h: no"],
    ])
  })

  it.each([
    { access: "write", accessFrom: "default", words: "writes" },
    { access: "read", accessFrom: "classify", words: "reads" },
    { access: "read", accessFrom: "annotation", words: "read-only, according to its server" },
    { access: "read", accessFrom: "name", words: "probably read-only, judging by its name" },
    { access: "read", accessFrom: null, words: "assumed read-only" },
  ] as const)("R113: says who says it reads or writes: $access, $accessFrom", ({ words, ...access }) => {
    expect(callLines({ ...view, ...access }, options).split("\n")[0]).toBe(`a111111  files(delete_all)  ${words}`)
  })

  const session = {
    ...{ label: null, client: "editor 2.1.3", folder: "/home/ada/notes", firstCall: null },
    ...{ startedAt: 0, lastSeenAt: 0, connection: { state: "connected" } },
  } as unknown as SessionView
  const headOf = (more: Partial<ApprovalView>, of: SessionView | undefined): readonly string[] =>
    callLines({ ...view, ...more } as ApprovalView, { ...options, now: 60_000, session: of }).split("\n")
  const wrapped = { principal: "wrap:files", id: "4711-mh8k2", named: true }

  it("is asked by a client in a folder, and names the session as other commands take it", () => {
    expect(headOf({ session: wrapped, callerWaits: true }, session).slice(1, 5)).toEqual([
      '  asked by   "editor 2.1.3 in notes", 1 minute ago',
      "  session    4711-mh8k2 of wrap:files, connected, started 1 minute ago",
      "  folder     /home/ada/notes",
      "  why        no rule matches it",
    ])
  })

  it("is for a tool whose name cannot go on with words of ours", () => {
    const tool = { server: "files", tool: "list)  reads" }
    expect(headOf({ tool }, undefined)[0]).toBe('a111111  "files(list)  reads)"  writes')
  })

  it("says what a session is where nothing but the agent tells it", () => {
    expect(headOf({ callerWaits: true }, undefined).slice(1, 3)).toEqual([
      "  asked by   agent, 1 minute ago",
      "  session    all calls of agent, even after a restart",
    ])
  })

  it.each([
    { callerWaits: true, state: "connected", words: undefined },
    { callerWaits: false, state: "connected", words: "no longer waiting: gets the result" },
    { callerWaits: false, state: "unknown", words: "no longer waiting: gets the result" },
    { callerWaits: false, state: "gone", words: "disconnected: this call is withdrawn" },
  ])("tells a caller that waits from one that is gone: $callerWaits, $state", ({ callerWaits, state, words }) => {
    const of = { ...session, connection: { state, since: 0 } } as SessionView
    const line = headOf({ session: wrapped, callerWaits }, of).find((each) => each.startsWith("  caller "))
    expect(line?.includes(words ?? "")).toBe(words === undefined ? undefined : true)
  })

  const secrets = { token: "sk-0123456789abcdefghij", list: [{ password: "hunter2", path: "a" }], note: "plain" }

  it("hides what the inbox hides, says so, and says what shows it", () => {
    const text = linesOf(secrets).join("\n")
    expect(text).not.toMatch(/sk-0123|hunter2/)
    expect(text).toContain("token: ‹hidden, 23 characters; --reveal shows it›")
    expect(text).toContain("‹hidden, 7 characters; --reveal shows it›")
    expect(text).toMatch(/"path": "a"[\s\S]*note: plain/)
    expect(countMasked({ ...view, args: secrets })).toBe(2)
  })

  it("a text that reads like a mask stands in quotes", () => {
    const note = "‹hidden, 20 characters; --reveal shows it›"
    expect(linesOf({ note }).join("\n")).toContain(`note: "${note}"`)
  })

  it("hides a text in which a secret stands behind its name", () => {
    const args = { note: "Log in with password=hunter2, then push." }
    expect(linesOf(args).join("\n")).toContain("note: ‹hidden, 40 characters; --reveal shows it›")
    expect(countMasked({ ...view, args })).toBe(1)
  })

  it("hides it also in what goes to the server beside the arguments", () => {
    const sent = { ...view, extraParams: { _meta: { apiKey: "abc" } } } as ApprovalView
    expect(callLines(sent, options)).toContain("‹hidden, 3 characters; --reveal shows it›")
    expect(countMasked(sent)).toBe(1)
  })

  it("shows it to who asks", () => {
    expect(callLines({ ...view, args: secrets }, { ...options, reveal: revealed })).toMatch(/sk-0123[\s\S]*hunter2/)
  })

  it("shows all of a long argument", () => {
    const words = Array.from({ length: 200 }, (_, at) => `w${at}`).join(" ")
    const shown = linesOf({ note: words }).join("").replaceAll("      │ ", "")
    expect(shown).toContain(words)
  })
})

it("a session's id and its agent are quoted where they could be taken for words about them", () => {
  const of = { principal: "wrap:files", id: "1 of wrap:admin, connected", named: true }
  expect(callLines({ ...view, session: of }, options)).toContain(
    'session    "1 of wrap:admin, connected" of wrap:files\n',
  )
})
