import { describe, expect, it } from "vitest"
import { waitingCall } from "./fixtures/waiting-call.ts"
import { type Remembering, ruleShown } from "./remembering.ts"

const now = 1_000_000
const tool = { kind: "tool", server: "files", tool: "write_file" } as const
const allow: Remembering = { effect: "allow", scope: "always", breadth: tool, lasting: {} }

describe("ruleShown", () => {
  it.each([
    { name: "for good", change: {}, words: "Always allow files(write_file)", text: 'allow: "files(write_file)"' },
    {
      name: "in one session",
      change: { scope: "session" },
      words: "In this session, always allow files(write_file)",
      text: 'allow: "files(write_file)" in this session',
    },
    {
      name: "for a time and a number of uses",
      change: { lasting: { until: now + 3_600_000, uses: 5 } },
      words: "Allow files(write_file), for 1 hour, 5 times",
      text: 'allow: "files(write_file)", for 1 hour, 5 times',
    },
    {
      name: "a denial of the server",
      change: { effect: "deny", breadth: { kind: "server", server: "files", access: "all" } },
      words: "Always deny every tool of files",
      text: 'deny: "files" access all',
    },
  ] as const)("I1: says a rule $name in words and as text", ({ change, words, text }) => {
    expect(ruleShown(waitingCall(), { ...allow, ...change } as Remembering, now)).toMatchObject({
      ok: true,
      words,
      text,
    })
  })

  it("ends a session that is only its agent after 30 minutes, and says so", () => {
    const call = waitingCall({ session: { principal: "claude", id: "claude", named: false } })
    const shown = ruleShown(call, { ...allow, scope: "session" }, now)
    expect(shown).toMatchObject({ ok: true, text: 'allow: "files(write_file)" in this session, for 30 minutes' })
  })

  it("refuses what would be over at once", () => {
    expect(ruleShown(waitingCall(), { ...allow, lasting: { until: now } }, now)).toMatchObject({ ok: false })
  })
})
