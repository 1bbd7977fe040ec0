import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compilePolicy } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import type { Decision, Question } from "../decide/decision.ts"
import { indexGrants } from "../decide/index-grants.ts"
import { ask, rule } from "../fixtures/questions.ts"
import { anyGrants, anyPolicy, anyQuestion, anyRules } from "../fixtures/random-policy.ts"
import type { Remembered } from "../rules/remembered.ts"
import { type Effect, emptyPolicy, type Limits, type Policy, type ServerPolicy } from "../rules/rule.ts"
import { comparePolicies } from "./compare-policies.ts"
import { tightenedPolicy } from "./tightened-policy.ts"

const strength = { allow: 0, ask: 1, deny: 2, hide: 3 } as const satisfies Record<Effect, number>
const when = [{ key: "path", op: "under", folder: "/x" }] as const
const files: ServerPolicy = { id: "files", trust: "none", pin: "full" }

/** A policy and what became of it: some rules gone, some new, some settings of another. */
const anyEdit: fc.Arbitrary<readonly [Policy, Policy]> = fc
  .record({
    current: anyPolicy,
    added: anyRules,
    isKept: fc.func(fc.boolean()),
    from: anyPolicy,
    taken: fc.subarray(["default", "forbiddenModes", "observeAll", "selfApproval", "limits", "servers"] as const),
  })
  .map(({ current, added, isKept, from, taken }) => {
    const rules = [...current.rules.filter(({ id }) => isKept(id)), ...added]
    const settings = Object.fromEntries(taken.map((key) => [key, from[key]]))
    return [current, { ...current, ...settings, rules, version: "next" }]
  })

const anyQuestions = fc.array(anyQuestion, { minLength: 5, maxLength: 10 })

function decisions(policy: Policy, grants: readonly Remembered[], questions: readonly Question[]): readonly Decision[] {
  const [compiled, index] = [compilePolicy(policy), indexGrants(grants)]
  return questions.map((question) => decide(compiled, index, question))
}

function expectNoneWeaker(before: readonly Decision[], after: readonly Decision[]): void {
  after.forEach((now, index) => {
    const was = before[index] ?? now
    expect(strength[now.effect]).toBeGreaterThanOrEqual(strength[was.effect])
    if (was.effect === "ask" && now.effect === "ask") {
      expect(now.approvals).toBeGreaterThanOrEqual(was.approvals)
      expect(was.reviewers.length === 0 || now.reviewers.length > 0).toBe(true)
    }
  })
}

describe("tightenedPolicy", () => {
  it("answers nothing more weakly than the policy in force", () => {
    let mixed = 0
    fc.assert(
      fc.property(anyEdit, anyGrants, anyQuestions, ([current, next], grants, questions) => {
        const between = tightenedPolicy(current, next)
        expect(comparePolicies(current, between).widens).toEqual([])
        if (between !== current && between !== next) mixed += 1
        expectNoneWeaker(decisions(current, grants, questions), decisions(between, grants, questions))
      }),
      { numRuns: 1_000 },
    )
    expect(mixed).toBeGreaterThan(200)
  })

  it("answers nothing more weakly while the folders of its servers change", () => {
    const plain = rule("allow", "*(*)", { when: [{ key: "*", op: "sensitive", value: false }] })
    const anyFolders = fc.subarray(["/a/b", "/b", "/a/.k"])
    fc.assert(
      fc.property(anyPolicy, anyFolders, anyRules, anyQuestions, (policy, folders, added, questions) => {
        const current: Policy = { ...policy, default: "ask", rules: [plain], servers: [{ ...files, cwd: "/a" }] }
        const rules = [plain, ...added.filter(({ effect }) => effect !== "allow")]
        const next = { ...current, rules, servers: [{ ...files, cwd: "/a", folders }], version: "next" }
        const between = tightenedPolicy(current, next)
        expectNoneWeaker(decisions(current, [], questions), decisions(between, [], questions))
      }),
      { numRuns: 500 },
    )
  })

  it("takes the new policy where it widens nothing, and nothing of it where it only widens", () => {
    const seen = { tighter: 0, wider: 0 }
    const look = (current: Policy, next: Policy, grants: readonly Remembered[], questions: readonly Question[]) => {
      const { tightens, widens } = comparePolicies(current, next)
      const between = decisions(tightenedPolicy(current, next), grants, questions)
      if (widens.length === 0) {
        seen.tighter += 1
        expect(between).toEqual(decisions(next, grants, questions))
      } else if (tightens.length === 0) {
        seen.wider += 1
        expect(between).toEqual(decisions(current, grants, questions))
      }
    }
    fc.assert(
      fc.property(anyPolicy, anyRules, anyGrants, anyQuestions, (policy, added, grants, questions) => {
        const strict = { ...policy, rules: [...policy.rules, ...added.filter(({ effect }) => effect !== "allow")] }
        look(policy, strict, grants, questions)
        look(strict, policy, grants, questions)
      }),
      { numRuns: 300 },
    )
    expect(Math.min(seen.tighter, seen.wider)).toBeGreaterThan(100)
  })

  it("takes what tightens and leaves what widens, each by itself", () => {
    const current: Policy = {
      ...emptyPolicy,
      version: "1",
      rules: [rule("allow", "files(read_*)"), rule("deny", "files(drop)"), rule("ask", "web")],
      limits: { ...emptyPolicy.limits, autoAllowedPerMinute: 5, bulk: { writes: 5, withinMs: 10 } },
      servers: [{ ...files, trust: "annotations", pin: "schema", cwd: "/a" }],
      selfApproval: true,
      unknownParams: "drop",
      methods: [rule("allow", "files(vendor/a)").target, rule("allow", "files(vendor/b)").target],
    }
    const next: Policy = {
      ...emptyPolicy,
      version: "2",
      default: "deny",
      methods: [rule("allow", "files(vendor/b)").target, rule("allow", "files(vendor/c)").target],
      rules: [rule("allow", "web"), rule("deny", "web(post)"), rule("hide", "mail")],
      limits: {
        ...emptyPolicy.limits,
        autoAllowedPerSession: 9,
        autoAllowedPerMinute: 6,
        waitingPerSession: 5,
        waitingPerPrincipal: 7,
      },
      servers: [
        { ...files, pin: "off", offer: ["read_*"], cwd: "/b" },
        { ...files, id: "web", trust: "annotations", offer: ["get"] },
      ],
      forbiddenModes: ["autonomous", "unattended"],
      observeAll: true,
      wait: 1,
    }
    const { rules, ...between } = tightenedPolicy(current, next)
    expect(rules.map(({ id }) => id)).toEqual(["deny files(drop)", "ask web", "new deny web(post)", "new hide mail"])
    expect(between).toEqual({
      version: "1+2",
      default: "deny",
      classify: [],
      limits: { ...current.limits, autoAllowedPerSession: 9, waitingPerSession: 5, waitingPerPrincipal: 7 },
      servers: [
        { ...files, trust: "annotations", pin: "schema", offer: ["read_*"], cwd: "/a" },
        { ...files, id: "web", offer: ["get"] },
      ],
      forbiddenModes: ["autonomous"],
      methods: [rule("allow", "files(vendor/b)").target],
      unknownParams: "refuse",
      observeAll: false,
      selfApproval: false,
      wait: emptyPolicy.wait,
    })
  })

  it.each(
    Object.entries({
      ...{ autoAllowedPerSession: 1, autoAllowedPerDay: 1, autoAllowedPerMinute: 1 },
      coolDown: { after: [rule("allow", "files(drop)").target], forMs: 1_000 },
      bulk: { writes: 1, withinMs: 1_000 },
      ...{ waitingPerSession: 1, waitingPerPrincipal: 1, waitingInAll: 1, heldBytesPerPrincipal: 1, heldBytesInAll: 1 },
      denials: { count: 1, withinMs: 1_000_000_000 },
    } satisfies Required<Limits>),
  )("takes a stricter limit over at once, beside what widens: %s", (name, limit) => {
    const limits = { ...emptyPolicy.limits, [name]: limit }
    const next = { ...emptyPolicy, version: "2", limits, rules: [rule("allow", "files(read)")] }
    const between = tightenedPolicy(emptyPolicy, next)
    expect(between.rules).toEqual([])
    expect(between.limits).toEqual(limits)
  })

  it("keeps believing a server, since a permission may allow writes or deny reads", () => {
    const current = { ...emptyPolicy, servers: [{ ...files, trust: "annotations" as const }] }
    const next = { ...emptyPolicy, default: "deny" as const, servers: [files] }
    expect(tightenedPolicy(current, next)).toMatchObject({ default: "deny", servers: [{ trust: "annotations" }] })
  })

  it("leaves a folder that a server gets until it is accepted: what lies in it would look sensitive no longer", () => {
    const rules = [rule("allow", "files(write_*)", { when: [{ key: "*", op: "sensitive", value: false }] })]
    const current = { ...emptyPolicy, rules, servers: [{ ...files, cwd: "/a", folders: ["/a"] }] }
    const next = {
      ...current,
      rules: [...rules, rule("deny", "mail")],
      servers: [{ ...files, cwd: "/a", folders: ["/a", "/a/.k"] }],
    }
    const question = ask({ args: { path: "/a/.k/f" } })
    expect(decisions(next, [], [question])[0]?.effect).toBe("allow")
    expect(decisions(tightenedPolicy(current, next), [], [question])[0]?.effect).toBe("ask")
  })

  it.each([
    { name: "a wider one", from: {}, to: "files(*)", effect: "allow" },
    { name: "one without conditions", from: { when }, to: "files(write_*)", effect: "allow" },
    { name: "another one", from: {}, to: "web(*)", effect: "ask" },
  ] as const)("an allow replaced by $name: $effect until that is accepted", ({ from, to, effect }) => {
    const current = { ...emptyPolicy, rules: [rule("allow", "files(write_*)", from)] }
    const next = { ...emptyPolicy, rules: [rule("allow", to), rule("deny", "mail")] }
    const [decision] = decisions(tightenedPolicy(current, next), [], [ask({ args: { path: "/x/f" } })])
    expect(decision?.effect).toBe(effect)
  })
})
