import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compilePolicy } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import type { Because } from "../decide/decision.ts"
import { indexGrants } from "../decide/index-grants.ts"
import { rule } from "../fixtures/questions.ts"
import { anyGrants, anyPolicy, anyQuestion } from "../fixtures/random-policy.ts"
import { emptyPolicy, type Policy, type Rule, type ServerPolicy } from "../rules/rule.ts"
import { lintPolicy } from "./lint-policy.ts"

const files: ServerPolicy = { id: "files", trust: "none", pin: "full" }
const when = [{ key: "path", op: "under", folder: "/x" }] as const
const tool = "files(write_file)"

function codes(policy: Partial<Policy>, tools?: readonly string[]): readonly string[] {
  const catalogue = tools === undefined ? undefined : [{ server: "files", tools }]
  return lintPolicy({ ...emptyPolicy, servers: [files], ...policy }, catalogue).map(({ code }) => code)
}

describe("lintPolicy", () => {
  it.each<{ name: string; rules: readonly Rule[]; found: readonly string[] }>([
    {
      name: "an allow under a hide that covers it",
      rules: [rule("allow", tool), rule("hide", "*(write_*)")],
      found: ["never-decides"],
    },
    {
      name: "an allow under a deny of its server",
      rules: [rule("deny", "files"), rule("allow", tool, { when })],
      found: ["never-decides"],
    },
    {
      name: "an allow under a plain ask",
      rules: [rule("ask", "files(*)"), rule("allow", tool)],
      found: ["never-decides"],
    },
    {
      name: "a conditional deny under a deny",
      rules: [rule("deny", tool, { when }), rule("deny", tool)],
      found: ["never-decides"],
    },
    { name: "a wider allow first", rules: [rule("allow", "files"), rule("allow", tool)], found: ["never-decides"] },
    {
      name: "a rule for one agent under one for all",
      rules: [rule("deny", tool), rule("allow", tool, { principal: "a" })],
      found: ["never-decides"],
    },
    {
      name: "a rule twice",
      rules: [rule("allow", tool, { when }), rule("allow", tool, { when, reason: "again" })],
      found: ["duplicate"],
    },
    {
      name: "an allow beside an ask with conditions",
      rules: [rule("ask", tool, { when }), rule("allow", tool)],
      found: [],
    },
    { name: "an ask beside an ask", rules: [rule("ask", "files"), rule("ask", tool, { approvals: 2 })], found: [] },
    {
      name: "a deny for reads beside an allow",
      rules: [rule("deny", "files", { access: "read" }), rule("allow", "files")],
      found: [],
    },
    {
      name: "an ask of the bare server beside an allow of resources",
      rules: [rule("ask", "files"), rule("deny", "files(resource:*)")],
      found: [],
    },
    { name: "a server nobody configured", rules: [rule("allow", "filez(write_file)")], found: ["unknown-server"] },
    { name: "an allow of a method", rules: [rule("allow", "files(method:vendor/search)")], found: [] },
    {
      name: "an allow by a name that every program can give its agent",
      rules: [rule("allow", tool, { principal: "*:reporting" })],
      found: ["any-token"],
    },
    { name: "an allow by the name of a token", rules: [rule("allow", tool, { principal: "ci:*" })], found: [] },
    { name: "an allow of what passes anyway", rules: [rule("allow", "files(resource:*)")], found: ["pointless"] },
  ])("reports $found for $name", ({ rules, found }) => {
    expect(codes({ rules })).toEqual(found)
  })

  it("R24: names a rule that matches no tool a server lists", () => {
    const rules = [rule("allow", "files(writ_file)"), rule("allow", "files(read_*)")]
    const [found] = lintPolicy({ ...emptyPolicy, servers: [files], rules }, [{ server: "files", tools: ["read_file"] }])
    expect(found).toMatchObject({ code: "matches-no-tool", rule: rules[0] })
    expect(found?.sentence).toBe('The rule allow: "files(writ_file)" matches no tool that files lists. Check the name.')
  })

  it("does not complain of tools while a server that may have them is not listed", () => {
    const servers = [files, { ...files, id: "web" }]
    expect(codes({ servers, rules: [rule("allow", "*(fetch)")] }, ["read_file"])).toEqual([])
  })

  it("reports what an offer hides, and an offer of nothing", () => {
    const servers = [{ ...files, offer: ["read_*", "serach_*"] }]
    const rules = [rule("allow", tool), rule("allow", "files(read_file)"), rule("allow", "files(*_file)")]
    expect(codes({ servers, rules }, ["read_file", "write_file"])).toEqual(["not-offered", "offers-no-tool"])
  })

  it("reports an allow that the default makes pointless", () => {
    expect(codes({ default: "allow", rules: [rule("allow", tool)] })).toEqual(["pointless"])
  })

  it("reports classifications of unknown servers", () => {
    const { target, origin } = rule("allow", "nowhere(x)")
    expect(codes({ classify: [{ access: "read", target, origin }] })).toEqual(["unknown-server"])
  })

  it("I1: what never decides is never the reason of a decision", () => {
    const never = new Set(["duplicate", "never-decides", "not-offered"])
    fc.assert(
      fc.property(
        anyPolicy,
        anyGrants,
        fc.array(anyQuestion, { minLength: 5, maxLength: 10 }),
        (policy, grants, questions) => {
          const reported = lintPolicy(policy)
            .filter(({ code }) => never.has(code))
            .map((problem) => problem.rule)
          const compiled = compilePolicy(policy)
          for (const question of questions) {
            const because = innermost(decide(compiled, indexGrants(grants), question).because)
            if (because.kind === "rule" || because.kind === "unjudged") expect(reported).not.toContain(because.rule)
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

function innermost(because: Because): Because {
  return because.kind === "mode" ? innermost(because.instead) : because
}
