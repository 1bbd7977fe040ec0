import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ask, rule, writes } from "../fixtures/questions.ts"
import { anyGrants, anyPolicy, anyQuestion } from "../fixtures/random-policy.ts"
import { emptyPolicy, type Policy } from "../rules/rule.ts"
import { compilePolicy } from "./compile-policy.ts"
import { decide } from "./decide.ts"
import type { Because, Question } from "./decision.ts"
import { explain } from "./explain.ts"
import { indexGrants } from "./index-grants.ts"

const explained = (policy: Partial<Policy>, question: Question = ask()) =>
  explain(compilePolicy({ ...emptyPolicy, ...policy }), indexGrants([]), question)

const drafts = { key: "path", op: "under", folder: "/home/ann/drafts" } as const

describe("explain", () => {
  it("says what is nearest when no rule matches", () => {
    const rules = [rule("allow", "web(write_file)"), rule("allow", "files(read_*)"), rule("allow", "files(write_dir)")]
    expect(explained({ rules }).reason).toBe(
      'held for approval because no rule matches files(write_file); the closest is allow: "files(write_dir)": it covers other tools',
    )
  })

  it.each([
    { name: "conditions", rest: { when: [drafts] }, why: "its conditions do not hold" },
    { name: "agent", rest: { principal: "bot" }, why: "it covers other agents" },
    { name: "access", rest: { access: "read" }, why: "it depends on access, and this tool writes" },
  ])("names the $name a rule misses by", ({ rest, why }) => {
    const rules = [rule("allow", "files(write_dir)"), rule("allow", "files(write_file)", rest)]
    expect(explained({ rules }).nearest).toMatchObject({ id: "allow files(write_file)", where: "test", why })
  })

  it("says where a relative path starts, and that an agent may change it", () => {
    const atHome = { id: "files", trust: "none", pin: "full", cwd: "/home/ann/drafts" } as const
    const rules = [rule("allow", "files(write_file)", { when: [drafts] })]
    const relative = ask({ args: { path: "a.txt" } })
    expect(explained({ rules, servers: [atHome] }, relative).wouldChange.at(-1)).toContain("MCP roots")
    expect(
      explained({ rules, servers: [atHome] }, ask({ args: { path: "/home/ann/drafts/a" } })).wouldChange.join(),
    ).not.toContain("MCP roots")
    expect(explained({ rules, servers: [{ ...atHome, folders: ["/srv"] }] }, relative).nearest?.why).toBe(
      "its conditions do not hold; a relative path may start in /home/ann/drafts or in /srv",
    )
    expect(explained({ rules, servers: [atHome] }, { ...relative, hasRoots: true }).nearest?.why).toContain(
      "the agent tells the server which folders it may start from",
    )
  })

  it("says that arguments do not fit the schema", () => {
    const rules = [rule("allow", "files(write_file)", { when: [{ ...drafts, folder: "/home" }] })]
    const question = ask({ tool: { ...writes, check: () => ["mode is not declared"] } })
    expect(explained({ rules }, question).nearest?.why).toBe(
      "the arguments do not match the tool's schema: mode is not declared",
    )
  })

  it("has nothing near where every rule is far", () => {
    expect(explained({ rules: [rule("allow", "web(fetch)")] }).nearest).toBeNull()
  })

  it.each<{ name: string; policy: Partial<Policy>; question?: Question; change: string }>([
    { name: "by default", policy: {}, change: 'To let it run, add the rule allow: "files(write_file)".' },
    {
      name: "by a deny",
      policy: { rules: [rule("deny", "files")] },
      change: 'Remove or narrow the rule deny: "files" (test).',
    },
    {
      name: "by a plain ask",
      policy: { rules: [rule("ask", "files")] },
      change: "Allow or deny it for this session, or always.",
    },
    {
      name: "by a pin",
      policy: {},
      question: ask({ tool: { ...writes, pin: "changed" } }),
      change: "Accept the definition of files(write_file) as it is now.",
    },
    {
      name: "unattended",
      policy: {},
      question: ask({ mode: "unattended" }),
      change: "Take the session out of the mode unattended.",
    },
    {
      name: "not offered",
      policy: { servers: [{ id: "files", trust: "none", pin: "full", offer: [] }] },
      change: "Add write_file to what files offers.",
    },
  ])("says what would change a decision $name", ({ policy, question, change }) => {
    expect(explained(policy, question).wouldChange[0]).toBe(change)
  })

  it("does not offer an answer for good where none is kept", () => {
    const rules = [rule("ask", "files", { remember: "never" })]
    expect(explained({ rules }).wouldChange).toEqual(['Remove or narrow the rule ask: "files" remember never (test).'])
  })

  it("I1, I2: agrees with the decision and marks what decided", () => {
    fc.assert(
      fc.property(anyPolicy, anyGrants, anyQuestion, (policy, grants, question) => {
        const compiled = compilePolicy(policy)
        const index = indexGrants(grants)
        const { decision, matched } = explain(compiled, index, question)
        expect(decision).toEqual(decide(compiled, index, question))
        const cause = innermost(decision.because)
        const marked = matched.filter(({ decided }) => decided)
        const expected = cause.kind === "rule" || cause.kind === "grant" || cause.kind === "unjudged" ? 1 : 0
        expect(marked).toHaveLength(expected)
        for (const one of marked) expect(one.judged).toBe(cause.kind === "unjudged" ? "unjudged" : "holds")
      }),
      { numRuns: 1_000 },
    )
  })
})

function innermost(because: Because): Because {
  return because.kind === "mode" ? innermost(because.instead) : because
}
