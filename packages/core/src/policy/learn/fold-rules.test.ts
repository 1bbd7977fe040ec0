import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compilePolicy } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import { indexGrants } from "../decide/index-grants.ts"
import { ruleText } from "../decide/sentences.ts"
import { ask, rule, writes } from "../fixtures/questions.ts"
import { guard } from "../rules/kept-as-given.ts"
import { type Condition, emptyPolicy, type Policy, type Rule } from "../rules/rule.ts"
import { foldRules } from "./fold-rules.ts"

const policyOf = (rules: readonly Rule[]): Policy => ({
  ...emptyPolicy,
  rules,
  servers: [{ id: "files", trust: "none", pin: "full", folders: ["/srv/ws"] }],
})
const context = compilePolicy(policyOf([])).contextOf("files")
const tool = { name: "write_file", context, facts: writes, homes: ["/srv/ws"] }
const allow = (when: readonly Condition[], rest: object = {}): Rule =>
  rule("allow", "files(write_file)", { principal: "ann", when, ...rest })
const inFolders = (...folders: readonly string[]): Condition => ({
  ...{ key: "path", op: "directlyIn", folders: folders.map((name) => `/srv/ws/${name}`) },
})
const markdown: Condition = { key: "path", op: "glob", pattern: "*.md" }
const fold = (suggested: Rule, rules: readonly Rule[], isText = true) =>
  foldRules({ rule: suggested, rules, tool, isText: () => isText })

describe("R37: foldRules", () => {
  const docs = allow([inFolders("docs"), markdown, guard])
  const api = allow([inFolders("docs/api"), markdown, guard])

  it("makes one rule of two that differ in their folders, hosts or values alone", () => {
    const { when, replaces } = fold(api, [docs])
    expect(ruleText(allow(when))).toContain('path directlyIn "/srv/ws/docs" or "/srv/ws/docs/api" and path glob')
    expect(replaces).toEqual([docs])
    const host = (name: string): Condition => ({ key: "url", op: "host", patterns: [name] })
    expect(fold(allow([host("b.example")]), [allow([host("a.example")])]).when).toEqual([
      { key: "url", op: "host", patterns: ["a.example", "b.example"] },
    ])
    const value = (name: string): Condition => ({ key: "kind", op: "equals", value: name })
    expect(fold(allow([value("b")]), [allow([value("a")])]).when).toEqual([
      { key: "kind", op: "oneOf", values: ["a", "b"] },
    ])
  })

  it("takes the place of narrower rules: of files, of folders below, of smaller amounts, of one agent", () => {
    const below = allow([{ key: "path", op: "under", folder: "/srv/ws/docs" }, markdown, guard])
    const file = allow([{ key: "path", op: "equals", value: "/srv/ws/docs/a.md" }, guard])
    expect(fold(below, [docs, api, file])).toEqual({
      when: below.effect === "allow" ? below.when : [],
      replaces: [docs, api, file],
    })
    const atMost = (value: number): Condition => ({ key: "count", op: "atMost", value })
    expect(fold(allow([atMost(9)]), [allow([atMost(5)])]).replaces).toHaveLength(1)
    const { principal: _, ...forAll } = docs
    expect(fold(forAll, [docs]).replaces).toEqual([docs])
  })

  it.each<{ readonly name: string; readonly suggested?: Rule; readonly other: Rule; readonly isText?: boolean }>([
    { name: "of another agent", other: allow([inFolders("docs"), markdown, guard], { principal: "bob" }) },
    { name: "with a reason of its own", other: allow([inFolders("docs"), markdown, guard], { reason: "Mine." }) },
    {
      name: "from a template",
      other: allow([inFolders("docs"), markdown, guard], { origin: { where: "t", template: "read-only" } }),
    },
    { name: "that denies", other: { ...docs, effect: "deny" } },
    { name: "for other kinds of files", other: allow([inFolders("docs"), { ...markdown, pattern: "*.ts" }, guard]) },
    { name: "that covers what looks sensitive", other: allow([inFolders("docs"), markdown]) },
    { name: "where the argument is a list", other: docs, isText: false },
    { name: "whose folder looks sensitive by itself", other: allow([inFolders(".git"), markdown, guard]) },
  ])("leaves a rule alone $name", ({ other, isText = true }) => {
    expect(fold(api, [other], isText).replaces).toEqual([])
  })
})

const folder = fc.constantFrom("docs", "docs/api", "src", ".git", "people/bob", "notes")
const anyWhere = fc.oneof(
  fc.uniqueArray(folder, { minLength: 1, maxLength: 3 }).map((folders) => inFolders(...folders)),
  fc
    .oneof(folder, fc.constant(""))
    .map((name): Condition => ({ key: "path", op: "under", folder: `/srv/ws${name === "" ? "" : `/${name}`}` })),
  fc
    .uniqueArray(fc.constantFrom("docs/a.md", "src/b.ts", "docs/api/.env"), { minLength: 1 })
    .map((paths): Condition => ({ key: "path", op: "oneOf", values: paths.map((path) => `/srv/ws/${path}`) })),
)
const anyEnding = fc.constantFrom<readonly Condition[]>([], [markdown], [{ ...markdown, pattern: "*.ts" }])
const anyGuard = fc.constantFrom<readonly Condition[]>([], [guard])
const anyRule = fc
  .tuple(anyWhere, anyEnding, anyGuard)
  .map(([where, ending, guards]) => allow([where, ...ending, ...guards]))
const anyArgs = fc.record({
  path: fc
    .tuple(folder, fc.constantFrom("a.md", "b.ts", ".env", "x/a.md"))
    .map(([at, name]) => `/srv/ws/${at}/${name}`),
  content: fc.constantFrom("text", "/srv/ws/.git/config", "/srv/ws/people/bob/a.md"),
})

describe("whatever rules there are", () => {
  it("I1: the folded rule allows exactly what the suggested one and those it replaces allow", () => {
    const isAllowed = (rules: readonly Rule[]) => {
      const policy = compilePolicy(policyOf(rules))
      return (args: { readonly path: string; readonly content: string }) =>
        decide(policy, indexGrants([]), ask({ args })).effect === "allow"
    }
    fc.assert(
      fc.property(
        anyRule,
        fc.array(anyRule, { maxLength: 4 }),
        fc.array(anyArgs, { minLength: 5, maxLength: 20 }),
        (suggested, rules, calls) => {
          const { when, replaces } = fold(suggested, rules)
          const before = isAllowed([...rules, suggested])
          const after = isAllowed([...rules.filter((one) => !replaces.includes(one)), allow(when)])
          for (const args of calls) expect([args, after(args)]).toEqual([args, before(args)])
        },
      ),
      { numRuns: 500 },
    )
  })
})
