import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../call/json/json.ts"
import { allSteps } from "../../call/steps.ts"
import { compilePolicy } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import { indexGrants } from "../decide/index-grants.ts"
import { ruleText } from "../decide/sentences.ts"
import { ask, rule, writes } from "../fixtures/questions.ts"
import { emptyPolicy, type Policy, type Rule } from "../rules/rule.ts"
import type { AnsweredCall } from "./answered-call.ts"
import { type ObservedCall, type ObservedReport, reportObserved } from "./observed-report.ts"

const hour = 3_600_000
const day = 24 * hour
const policyOf = (rules: readonly Rule[]): Policy => ({
  ...emptyPolicy,
  rules,
  servers: [{ id: "files", trust: "none", pin: "full", folders: ["/srv/ws"] }],
})

let count = 0
const call = (args: JsonObject | null, rest: Partial<ObservedCall> = {}): ObservedCall => {
  count += 1
  return {
    ...{ id: `c${count}`, at: count * hour, tool: { server: "files", tool: "write_file" } },
    ...{ principal: "ann", session: "s1", args },
    ...rest,
  }
}
const at = (path: string): JsonObject => ({ path: `/srv/ws/${path}` })
const denied = (args: JsonObject): AnsweredCall => ({
  ...call(args),
  ...{ answer: "deny", remember: "allowed", alone: true },
})

function report(
  observed: readonly ObservedCall[],
  { rules = [], answered = [] }: { readonly rules?: readonly Rule[]; readonly answered?: readonly AnsweredCall[] } = {},
): ObservedReport {
  const input = { observed, answered, policy: policyOf(rules), grants: [], factsOf: () => writes, now: count * hour }
  return allSteps(reportObserved(input))
}
const texts = (...input: Parameters<typeof report>) => report(...input).rules.map(({ rule }) => ruleText(rule))
const docs = ["docs/a.md", "docs/b.md", "docs/c.md"]
const allowDocs =
  'allow: "files(write_file)" principal ann when path directlyIn "/srv/ws/docs" and path glob "*.md" and * sensitive false and * only path'

describe("R37: reportObserved", () => {
  it("counts what would have been asked by tool, agent, day and session", () => {
    const observed = [
      call(at("a"), { at: 0 }),
      call(at("b"), { at: day, principal: "bob", session: "s2" }),
      call(at("c"), { at: day + 1, principal: "bob", session: "s2", tool: { server: "files", tool: "edit_file" } }),
    ]
    expect(report(observed)).toMatchObject({
      ...{ wouldAsk: 3, stillAsk: 3, spared: 0, rules: [] },
      tools: [
        { tool: { server: "files", tool: "write_file" }, calls: 2 },
        { tool: { server: "files", tool: "edit_file" }, calls: 1 },
      ],
      agents: [
        { agent: "bob", calls: 2 },
        { agent: "ann", calls: 1 },
      ],
      days: [
        { day: 0, calls: 1 },
        { day, calls: 2 },
      ],
      sessions: [
        { principal: "bob", id: "s2", calls: 2, lastAt: day + 1 },
        { principal: "ann", id: "s1", calls: 1, lastAt: 0 },
      ],
    })
  })

  it("proposes rules also from one session, with the calls that they would allow", () => {
    const observed = docs.map((path) => call(at(path)))
    expect(texts(observed)).toEqual([allowDocs])
    expect(report(observed)).toMatchObject({
      spared: 3,
      rules: [{ covers: observed.map(({ id }) => id), calls: 3, sessions: 1, agents: 1, agent: "ann" }],
    })
  })

  it("I3: stops at half, with the rule that spares most", () => {
    const more = ["d", "e", "f", "g"].map((name) => call(at(`notes/${name}.txt`)))
    expect(texts([...docs.map((path) => call(at(path))), ...more])).toEqual([
      allowDocs.replace("/srv/ws/docs", "/srv/ws/notes").replace("*.md", "*.txt"),
    ])
  })

  it("I2: proposes nothing for what looks sensitive, even where only that was observed", () => {
    const secrets = [".env", ".env", ".env"].map((path) => call(at(path)))
    expect(report(secrets)).toMatchObject({ wouldAsk: 3, delicate: 3, rules: [], spared: 0 })
    const removal = docs.map((path) => call(at(path), { tool: { server: "files", tool: "delete_file" } }))
    expect(report(removal)).toMatchObject({ delicate: 3, rules: [] })
  })

  it("I2: proposes nothing for what a person denied, and counts nobody's yes", () => {
    const observed = docs.map((path) => call(at(path)))
    expect(texts(observed, { answered: [denied(at("docs/a.md"))] })).toEqual([])
    const yes: AnsweredCall = { ...denied(at("docs/a.md")), answer: "approve" }
    expect(texts(observed.slice(1), { answered: [yes] })).toEqual([])
  })

  it("tells what rules answer by now, and proposes only for what is left", () => {
    const observed = docs.map((path) => call(at(path)))
    expect(report(observed, { rules: [rule("allow", "files(write_file)")] })).toMatchObject({
      ...{ wouldAsk: 3, stillAsk: 0, spared: 0, rules: [] },
    })
  })

  it("counts calls whose arguments are gone, and proposes nothing for them", () => {
    expect(report(docs.map(() => call(null)))).toMatchObject({ wouldAsk: 3, stillAsk: 3, delicate: 0, rules: [] })
  })
})

const anyPath = fc
  .tuple(
    fc.constantFrom("docs", "docs/api", "src", "notes", "people/bob", ".git", "infra"),
    fc.constantFrom("a.md", "b.md", "c.md", "d.ts", "e.ts", "f.ts", ".env", "id_rsa", "tokens.json"),
  )
  .map(([folder, name]) => `${folder}/${name}`)
const anyObserved = fc
  .array(
    fc.record({
      path: anyPath,
      tool: fc.constantFrom("write_file", "edit_file", "delete_file"),
      principal: fc.constantFrom("ann", "bob"),
      session: fc.constantFrom("s1", "s2"),
      at: fc.integer({ min: 0, max: 5 * day }),
    }),
    { maxLength: 40 },
  )
  .map((calls) =>
    calls.map(({ path, tool, ...rest }, id) => ({
      ...rest,
      id: `c${id}`,
      tool: { server: "files", tool },
      args: at(path),
    })),
  )
const anyDenied = fc.array(anyPath, { maxLength: 4 }).map((paths) => paths.map((path) => denied(at(path))))

function allowedWith(
  rules: readonly Rule[],
): (call: Pick<ObservedCall, "tool" | "principal"> & { readonly args: JsonObject }) => boolean {
  const policy = compilePolicy(policyOf(rules))
  return ({ tool, principal, args }) =>
    decide(
      policy,
      indexGrants([]),
      ask({ target: { server: tool.server, kind: "tool", name: tool.tool }, args, principal: { id: principal } }),
    ).effect === "allow"
}

describe("whatever is observed", () => {
  it("I2: the proposed rules allow nothing sensitive and nothing denied; they allow what they say", () => {
    fc.assert(
      fc.property(anyObserved, anyDenied, (observed, answered) => {
        const { rules, spared } = report(observed, { answered })
        const isAllowed = allowedWith(rules.map((one) => one.rule))
        expect(observed.filter(isAllowed)).toHaveLength(spared)
        const sensitive = [".env", "id_rsa", "tokens.json", ".git/config"].flatMap((name) =>
          ["", "docs/", "src/", "notes/", "infra/"].map((folder) => at(`${folder}${name}`)),
        )
        for (const args of [...sensitive, ...answered.flatMap((one) => (one.args === null ? [] : [one.args]))])
          for (const principal of ["ann", "bob"])
            expect(isAllowed({ tool: { server: "files", tool: "write_file" }, principal, args })).toBe(false)
      }),
    )
  })

  it("I3: no fewer of the possible rules spare half", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const { rules, stillAsk, spared } = report(observed)
        const withoutLast = new Set(rules.slice(0, -1).flatMap(({ covers }) => covers))
        expect(rules.length === 0 || withoutLast.size < stillAsk / 2).toBe(true)
        // They cover different calls, and come with those that spare most first: any other choice of fewer spares less.
        expect(rules.reduce((sum, { covers }) => sum + covers.length, 0)).toBe(spared)
        const sizes = rules.map(({ covers }) => covers.length)
        expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
      }),
    )
  })

  it("I4: the order of the calls changes nothing", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        expect(report(observed.toReversed())).toEqual(report(observed))
      }),
    )
  })
})
