import fc from "fast-check"
import { describe, it } from "vitest"
import { type ConditionContext, compileConditions, type Judgement } from "./conditions/condition.ts"
import { createPathLookup } from "./conditions/path-lookup.ts"
import { compilePolicy, matcherOf } from "./decide/compile-policy.ts"
import { decide } from "./decide/decide.ts"
import type { Because, Decision, Question } from "./decide/decision.ts"
import { accessOfGrant, indexGrants, isAbout } from "./decide/index-grants.ts"
import { conditionsOf } from "./decide/plan.ts"
import { rule } from "./fixtures/questions.ts"
import { anyArgs, anyGrants, anyPolicy, anyQuestion, anyRules } from "./fixtures/random-policy.ts"
import { accessClassOf } from "./rules/access-class.ts"
import type { Remembered } from "./rules/remembered.ts"
import { type Condition, type Effect, emptyPolicy, type Policy, type Rule } from "./rules/rule.ts"

/** A no for a session that is only its agent is one for the agent. */
function isServed({ effect, session: only, agent }: Remembered, session: Question["session"]): boolean {
  if (agent !== undefined) return agent === session.principal
  if (only === undefined) return true
  const isOfAgent = effect === "deny" && only.id === only.principal
  return only.principal === session.principal && (isOfAgent || only.id === session.id)
}

/** Principals of the small world and the globs of its rules, one by one: `strict` for what hides, denies or asks. */
const agentsOf: Readonly<Record<string, { readonly strict: readonly string[]; readonly allow: readonly string[] }>> = {
  "a*": { strict: ["ann"], allow: ["ann"] },
  bot: { strict: ["bot", "bot:x"], allow: ["bot"] },
  "*x": { strict: ["bot:x", "ci:ax"], allow: [] },
  "bot:x": { strict: ["bot:x"], allow: ["bot:x"] },
  "*:x": { strict: ["bot:x"], allow: ["bot:x"] },
  "bot:*": { strict: ["bot:x"], allow: ["bot:x"] },
}

function isFor(glob: string, effect: Effect, principal: string): boolean {
  return agentsOf[glob]?.[effect === "allow" ? "allow" : "strict"].includes(principal) === true
}

/** The order of the design, read aloud, without an index or a plan. */
function effectByTheBook(policy: Policy, grants: readonly Remembered[], question: Question): Effect {
  const { target, args, session, state, tool: facts } = question
  const access = target.kind === "tool" ? accessClassOf(facts) : "unknown"
  const server = policy.servers.find(({ id }) => id === target.server)
  const { cwd, folders } = server ?? {}
  const homes = [cwd ?? "", ...(folders ?? [])]
  const unstarted = folders === undefined ? {} : { folders }
  const context: ConditionContext =
    cwd === undefined ? unstarted : { bases: [...homes, ...(server?.starts ?? [])], folders: homes }
  const lookup = createPathLookup(context, question.hasRoots)
  const judged = (when: readonly Condition[], effect: "allow" | "deny" | "ask"): Judgement =>
    when.length > 0 && args === undefined
      ? { unjudged: "" }
      : compileConditions(when, effect, context)(args ?? {}, lookup)
  const about = policy.rules.filter(
    ({ principal, ...one }, order) =>
      matcherOf(one, order).applies(target, question.principal.id, access) &&
      (principal === undefined || isFor(principal, one.effect, question.principal.id)),
  )
  const rulesThat = (effect: Effect, answer: string) =>
    about.filter((one) => {
      if (one.effect !== effect) return false
      const judgement = one.effect === "hide" ? "holds" : judged(conditionsOf(one), one.effect)
      return (typeof judgement === "string" ? judgement : "unjudged") === answer
    })
  const fits = (when: readonly Condition[]) =>
    when.length === 0 || facts?.check === undefined || facts.check(args ?? {}).length === 0
  const grantsThat = (effect: "allow" | "deny", answer: string) =>
    grants.filter((grant) => {
      const own = isServed(grant, session)
      const live = (grant.until ?? Number.POSITIVE_INFINITY) > question.now && grant.usesLeft !== 0
      if (grant.effect !== effect || !own || !live || !isAbout(grant, target) || !accessOfGrant(grant).includes(access))
        return false
      const when = "when" in grant.breadth ? (grant.breadth.when ?? []) : []
      const judgement = judged(when, effect)
      if (effect === "allow" && !fits(when)) return false
      return (typeof judgement === "string" ? judgement : "unjudged") === answer
    })
  const some = (list: readonly unknown[]) => list.length > 0
  const allowedMode = policy.forbiddenModes.includes(state.mode) ? "ask" : state.mode
  const mode = policy.unattended === true && target.server !== "byleave" ? "unattended" : allowedMode
  const asks: Effect = mode === "unattended" ? "deny" : "ask"

  if (some(rulesThat("hide", "holds"))) return "hide"
  if (
    target.kind === "tool" &&
    server?.offer !== undefined &&
    !server.offer.some(
      (glob) => ({ "read_*": target.name.startsWith("read_"), "*": true })[glob] ?? glob === target.name,
    )
  )
    return "hide"
  const isNamed = policy.methods.some(
    ({ server, name }) => server === target.server && (name === "vendor/*" || name === target.name),
  )
  if (target.kind === "method" && !isNamed) return "hide"
  if (some(rulesThat("deny", "holds")) || some(grantsThat("deny", "holds"))) return "deny"
  if (some(rulesThat("deny", "unjudged")) || some(rulesThat("ask", "unjudged")) || some(grantsThat("deny", "unjudged")))
    return asks
  const asking = rulesThat("ask", "holds")
  if (asking.some((one) => one.effect === "ask" && isStrict(one))) return asks
  const allowed = rulesThat("allow", "holds").some((one) => fits(conditionsOf(one)))
  if (target.kind !== "tool" && some(asking)) return asks
  if (target.kind === "method" && !allowed) return policy.default === "ask" ? asks : policy.default
  if (target.kind !== "tool") return "allow"
  const granted = some(grantsThat("allow", "holds"))
  const explicit = !granted && some(asking)
  const word = granted ? "allow" : explicit ? "ask" : allowed ? "allow" : policy.default
  if (word === "deny") return "deny"
  if (facts?.pin === "changed" || facts?.pin === "new") return asks
  const runs =
    word === "allow" ||
    (explicit ? mode === "observe" && policy.observeAll : mode === "autonomous" || mode === "observe")
  if (!runs) return asks
  const { usage } = state
  const { limits } = policy
  const beyond =
    (usage.coolDownUntil ?? 0) > question.now ||
    usage.autoAllowedInSession >= (limits.autoAllowedPerSession ?? Number.POSITIVE_INFINITY) ||
    usage.autoAllowedInDay >= (limits.autoAllowedPerDay ?? limits.autoAllowedPerSession ?? Number.POSITIVE_INFINITY) ||
    usage.autoAllowedInMinute >= (limits.autoAllowedPerMinute ?? Number.POSITIVE_INFINITY) ||
    (access !== "read" && usage.writesInWindow >= (limits.bulk?.writes ?? Number.POSITIVE_INFINITY))
  return beyond ? asks : "allow"
}

function innermost(because: Because): Because {
  return because.kind === "mode" ? innermost(because.instead) : because
}

function isStrict(rule: Extract<Rule, { effect: "ask" }>): boolean {
  return rule.remember === "never" || (rule.approvals ?? 1) > 1 || (rule.reviewers ?? []).length > 0
}

describe("properties", () => {
  const anyCase = fc.record({ policy: anyPolicy, grants: anyGrants, question: anyQuestion })
  const run = { numRuns: 1_500 }
  const holds = (
    test: (policy: Policy, grants: readonly Remembered[], question: Question, decision: Decision) => boolean,
  ) =>
    fc.assert(
      fc.property(anyCase, ({ policy, grants, question }) =>
        test(policy, grants, question, decide(compilePolicy(policy), indexGrants(grants), question)),
      ),
      run,
    )

  it("decides as the design's order says, and as without an index (I1 of compile-policy)", () => {
    holds((policy, grants, question, decision) => decision.effect === effectByTheBook(policy, grants, question))
  })

  it("I1: with a denying grant nothing runs, whatever else is granted", () => {
    const deny: Remembered = { id: "deny", effect: "deny", breadth: { kind: "pattern", server: "*", tool: "*" } }
    holds((policy, grants, question) => {
      const { effect } = decide(compilePolicy(policy), indexGrants([...grants, deny]), question)
      return question.target.kind !== "tool" || effect === "deny" || effect === "hide"
    })
  })

  it("I2: nothing runs while a rule that restricts it cannot be judged", () => {
    const doubtful = (effect: "deny" | "ask") =>
      rule(effect, "*(*)", { when: [{ key: "nobody.sends.this", op: "equals", value: 1 }] })
    holds((policy, grants, question) =>
      (["deny", "ask"] as const).every((effect) => {
        const compiled = compilePolicy({ ...policy, rules: [...policy.rules, doubtful(effect)] })
        return question.target.kind !== "tool" || decide(compiled, indexGrants(grants), question).effect !== "allow"
      }),
    )
  })

  it("I3, I1 of index-grants, R52: grants of other sessions change nothing, even beside one of its own", () => {
    holds((policy, _grants, question) => {
      const { principal, id } = question.session
      const given = (
        name: string,
        effect: "allow" | "deny",
        session: { principal: string; id: string },
      ): Remembered => ({
        id: name,
        effect,
        breadth: { kind: "server", server: question.target.server, access: "all" },
        session,
      })
      const spent = { ...given("own", "allow", { principal, id }), until: question.now }
      const decided = (others: readonly Remembered[]) =>
        decide(compilePolicy(policy), indexGrants([spent, ...others]), question).effect
      return (["allow", "deny"] as const).every((effect) => {
        const others = [given("a", effect, { principal: "else", id }), given("b", effect, { principal, id: "else" })]
        return decided(others) === decided([])
      })
    })
  })

  it("I4: no allow covers a tool that changed or appeared", () => {
    holds(
      (_policy, _grants, { tool: facts }, { effect }) =>
        !(effect === "allow" && (facts?.pin === "changed" || facts?.pin === "new")),
    )
  })

  it("I5: under an unattended policy nobody is asked, whatever the session's mode", () => {
    holds((policy, grants, question) => {
      const unattended = compilePolicy({ ...policy, unattended: true })
      return decide(unattended, indexGrants(grants), question).effect !== "ask"
    })
  })

  it("I5: an unattended session is never asked", () => {
    holds(
      (policy, _grants, { state }, { effect }) =>
        state.mode !== "unattended" || policy.forbiddenModes.includes("unattended") || effect !== "ask",
    )
  })

  it("I6: the order of rules and grants changes neither effect nor demands", () => {
    holds((policy, grants, question, decision) => {
      const turned = compilePolicy({ ...policy, rules: policy.rules.toReversed() })
      const again = decide(turned, indexGrants(grants.toReversed()), question)
      const demands = ({ effect, remember, approvals, reviewers, wait, wouldAsk }: Decision) =>
        JSON.stringify([effect, remember, approvals, reviewers, wait, wouldAsk])
      return demands(again) === demands(decision)
    })
  })

  it("I7: an empty policy asks about every tool", () => {
    holds((_policy, _grants, question) => {
      const attended = { ...question, state: { ...question.state, mode: "ask" as const } }
      return (
        question.target.kind !== "tool" ||
        decide(compilePolicy(emptyPolicy), indexGrants([]), attended).effect === "ask"
      )
    })
  })

  it("I8: an allow with conditions rests on arguments that fit", () => {
    holds((policy, grants, question) => {
      if (question.tool === undefined) return true
      const tool = { ...question.tool, check: () => ["does not fit"] }
      const { effect, because } = decide(compilePolicy(policy), indexGrants(grants), { ...question, tool })
      if (effect !== "allow") return true
      if (because.kind === "rule") return conditionsOf(because.rule).length === 0
      if (because.kind !== "grant" || !("when" in because.grant.breadth)) return true
      return (because.grant.breadth.when ?? []).length === 0
    })
  })

  it.each([{ remember: "never" as const }, { approvals: 2 }, { reviewers: ["ops"] }])(
    "I9: an ask that says %o is asked every time",
    (demand) => {
      const never = rule("ask", "*(*)", demand)
      holds((policy, grants, question) => {
        const { effect, remember } = decide(
          compilePolicy({ ...policy, rules: [...policy.rules, never] }),
          indexGrants(grants),
          question,
        )
        return question.target.kind !== "tool" || (effect !== "allow" && (effect !== "ask" || remember === "never"))
      })
    },
  )

  it("I10: a read that is only a label satisfies no allow by access", () => {
    const allowReads = rule("allow", "*(*)", { access: "read" })
    const grantReads = (server: string): Remembered => ({
      id: "reads",
      effect: "allow",
      breadth: { kind: "server", server, access: "read" },
    })
    holds((policy, grants, question) => {
      if (question.tool === undefined) return true
      const labelled = { ...question, tool: { ...question.tool, access: "read" as const, accessCounts: false } }
      const decided = (rules: readonly Rule[], remembered: readonly Remembered[]) =>
        decide(compilePolicy({ ...policy, rules }), indexGrants(remembered), labelled).effect
      const plain = decided(policy.rules, grants)
      return (
        decided([...policy.rules, allowReads], grants) === plain &&
        decided(policy.rules, [...grants, grantReads(question.target.server)]) === plain
      )
    })
  })

  it("I11: a forbidden mode is no mode", () => {
    holds((policy, grants, question) => {
      const compiled = compilePolicy({ ...policy, forbiddenModes: ["autonomous", "unattended", "observe"] })
      const asked = { ...question, state: { ...question.state, mode: "ask" as const } }
      const index = indexGrants(grants)
      return decide(compiled, index, question).effect === decide(compiled, index, asked).effect
    })
  })

  it("I12: beyond a limit no tool runs unasked", () => {
    holds((policy, grants, question) => {
      const usage = { ...question.state.usage, coolDownUntil: question.now + 1 }
      const { effect } = decide(compilePolicy(policy), indexGrants(grants), {
        ...question,
        state: { ...question.state, usage },
      })
      return question.target.kind !== "tool" || effect !== "allow"
    })
  })

  it("I13: a mode never lowers what an ask demands", () => {
    holds((policy, grants, question, decision) => {
      const attended = { ...question, state: { ...question.state, mode: "ask" as const } }
      const asked = decide(compilePolicy(policy), indexGrants(grants), attended)
      if (asked.effect !== "ask") return true
      return (
        decision.approvals === asked.approvals &&
        decision.reviewers.join() === asked.reviewers.join() &&
        decision.wait === asked.wait &&
        (decision.remember === "never" || asked.remember === "allowed")
      )
    })
  })

  it("offers to remember only what a grant would answer, limits aside", () => {
    holds((policy, _grants, question, decision) => {
      if (decision.effect !== "ask" || decision.remember === "never") return true
      const { server, name } = question.target
      const grant: Remembered = { id: "new", effect: "allow", breadth: { kind: "tool", server, tool: name } }
      const { effect, because } = decide(compilePolicy(policy), indexGrants([grant]), question)
      return effect === "allow" || because.kind === "limit"
    })
  })

  it("names as reason a rule of the policy", () => {
    holds((policy, grants, _question, decision) => {
      const because = innermost(decision.because)
      if (because.kind === "grant") return grants.includes(because.grant)
      return because.kind !== "rule" || policy.rules.includes(because.rule)
    })
  })

  it("answers the same however much was asked before", () => {
    fc.assert(
      fc.property(anyPolicy, anyGrants, fc.array(anyQuestion, { maxLength: 6 }), (policy, grants, questions) => {
        const compiled = compilePolicy(policy)
        const index = indexGrants(grants)
        return questions.every(
          (question) =>
            decide(compiled, index, question).effect ===
            decide(compilePolicy(policy), indexGrants(grants), question).effect,
        )
      }),
      { numRuns: 200 },
    )
  })

  it("many rules about one tool are judged as if each stood alone", () => {
    fc.assert(
      fc.property(
        fc.array(anyRules, { minLength: 4, maxLength: 8 }),
        fc.array(anyArgs, { minLength: 1 }),
        anyQuestion,
        (lists, several, question) => {
          const rules = lists.flat().map((one, index) => ({ ...one, id: `rules[${index}]` }))
          const policy = { ...emptyPolicy, rules }
          const compiled = compilePolicy(policy)
          return several.every((args) => {
            const asked = { ...question, args }
            return decide(compiled, indexGrants([]), asked).effect === effectByTheBook(policy, [], asked)
          })
        },
      ),
      { numRuns: 300 },
    )
  })
})
