import { describe, expect, it } from "vitest"
import { waitingCall } from "../fixtures/waiting-call.ts"
import { agentScopeWords, type RememberChoices, ruleShown } from "./remembering.ts"

const now = 1_000_000
const tool = { kind: "tool", server: "files", tool: "write_file" } as const
const allow: RememberChoices = { effect: "allow", scope: "always", breadth: tool, lasting: {} }

describe("ruleShown", () => {
  it.each([
    {
      name: "for good",
      change: {},
      words: "For every agent, always allow files(write_file)",
      text: 'allow: "files(write_file)" for every agent',
    },
    {
      name: "in one session",
      change: { scope: "session" },
      words: 'In this session of "claude", always allow files(write_file)',
      text: 'allow: "files(write_file)" in this session of "claude"',
    },
    {
      name: "for a time and a number of uses",
      change: { lasting: { until: now + 3_600_000, uses: 5 } },
      words: "For every agent, allow files(write_file), for 1 hour, 5 times",
      text: 'allow: "files(write_file)" for every agent, for 1 hour, 5 times',
    },
    {
      name: "a denial of the server",
      change: { effect: "deny", breadth: { kind: "server", server: "files", access: "all" } },
      words: "For every agent, always deny every tool of files",
      text: 'deny: "files" access all for every agent',
    },
  ] as const)("I1: says a rule $name in words and as text", ({ change, words, text }) => {
    expect(ruleShown(waitingCall(), { ...allow, ...change } as RememberChoices, now)).toMatchObject({
      ok: true,
      words,
      text,
    })
  })

  it("where a session is only its agent, says that it is for the agent, and for 30 minutes", () => {
    const call = waitingCall({ session: { principal: "claude", id: "claude", named: false } })
    const shown = ruleShown(call, { ...allow, scope: "session" }, now)
    expect(shown).toMatchObject({
      ok: true,
      words: 'For the agent "claude" outside sessions, allow files(write_file), for 30 minutes',
      text: 'allow: "files(write_file)" for the agent "claude" outside sessions, for 30 minutes',
    })
  })

  it("refuses what would be over at once", () => {
    expect(ruleShown(waitingCall(), { ...allow, lasting: { until: now } }, now)).toMatchObject({ ok: false })
  })
})

describe("agentScopeWords", () => {
  it.each([
    { principal: "claude", words: "This agent only, in every session: claude" },
    { principal: "run", starter: "runner ci", words: 'Runs started by the token "ci"' },
    { principal: "chat", starter: "reviewer ana", words: 'Chat threads started by the reviewer "ana"' },
    { principal: "run", words: "All agent runs, whoever starts them" },
    { principal: "wrap:files", words: 'Every program that uses "files" through byleave wrap' },
  ])("says for $principal: $words", ({ principal, words, ...of }) => {
    expect(agentScopeWords(waitingCall({ session: { principal, id: "s1", named: true }, ...of }))).toBe(words)
  })

  it("I1: the rule shown for a run's call is for the runs of its starter", () => {
    const call = waitingCall({ session: { principal: "run", id: "r1", named: true }, starter: "runner ci" })
    const breadth = { kind: "tool", ...call.tool } as const
    expect(ruleShown(call, { effect: "allow", scope: "agent", breadth, lasting: {} }, 0)).toMatchObject({
      grant: { agent: "run", starter: "runner ci" },
      words: 'For runs started by the token "ci", always allow files(write_file)',
    })
  })
})
