import { describe, expect, it } from "vitest"
import { ask, type idle, rule, writes } from "../fixtures/questions.ts"
import { now } from "../fixtures/random-policy.ts"
import type { Remembered } from "../rules/remembered.ts"
import { type Condition, type Effect, emptyPolicy, type Mode, type Policy, type Rule } from "../rules/rule.ts"
import { compilePolicy } from "./compile-policy.ts"
import { decide } from "./decide.ts"
import type { Decision, Question, ToolFacts } from "./decision.ts"
import { indexGrants } from "./index-grants.ts"

function decided(policy: Partial<Policy>, question = ask(), grants: readonly Remembered[] = []): Decision {
  return decide(compilePolicy({ ...emptyPolicy, ...policy }), indexGrants(grants), question)
}

const home: Condition = { key: "path", op: "under", folder: "/home/ann" }
const tool = "files(write_file)"
const allowAll: Remembered = {
  id: "g",
  effect: "allow",
  breadth: { kind: "tool", server: "files", tool: "write_file" },
}

it.each([
  { effect: "allow", wanted: "ask" },
  { effect: "deny", wanted: "deny" },
] as const)("a grant by a pattern too long to match with: $effect", ({ effect, wanted }) => {
  const breadth = { kind: "pattern", server: "files", tool: `write_file${"*a".repeat(501)}` } as const
  expect(decided({}, ask(), [{ id: "g", effect, breadth }]).effect).toBe(wanted)
})

describe("order", () => {
  it.each<{ name: string; rules: Rule[]; grants?: Remembered[]; effect: Effect }>([
    {
      name: "R3, R5: what matches neither list asks",
      rules: [rule("allow", "files(read_*)"), rule("hide", "*(admin_*)")],
      effect: "ask",
    },
    { name: "R9, R21: an allowed tool runs at once", rules: [rule("allow", "files(write_*)")], effect: "allow" },
    {
      name: "R22, C9: the block list wins over auto-approve",
      rules: [rule("allow", tool), rule("hide", "*(write_*)")],
      effect: "hide",
    },
    {
      name: "a deny beats an allow, wherever it stands",
      rules: [rule("deny", tool), rule("allow", tool)],
      effect: "deny",
    },
    { name: "a hide beats a deny", rules: [rule("deny", tool), rule("hide", tool)], effect: "hide" },
    { name: "a plain ask beats an allow", rules: [rule("allow", tool), rule("ask", tool)], effect: "ask" },
    { name: "R47: a grant answers a plain ask", rules: [rule("ask", tool)], grants: [allowAll], effect: "allow" },
    {
      name: "a grant does not answer `remember: never`",
      rules: [rule("ask", tool, { remember: "never" })],
      grants: [allowAll],
      effect: "ask",
    },
    { name: "I1: a grant does not beat a deny", rules: [rule("deny", tool)], grants: [allowAll], effect: "deny" },
    {
      name: "R48: a denying grant beats an allow",
      rules: [rule("allow", tool)],
      grants: [{ ...allowAll, effect: "deny" }],
      effect: "deny",
    },
    {
      name: "C9: a session's allow does not beat a stored denial",
      rules: [],
      grants: [
        { ...allowAll, id: "d", effect: "deny" },
        { ...allowAll, session: { principal: "ann", id: "s1" } },
      ],
      effect: "deny",
    },
    { name: "R29, R31: a bare server is all of its tools", rules: [rule("allow", "files")], effect: "allow" },
    { name: "R51: another server's rule is not this one's", rules: [rule("allow", "web(write_file)")], effect: "ask" },
    { name: "R38: an allow by path holds below it", rules: [rule("allow", tool, { when: [home] })], effect: "allow" },
    {
      name: "R38: and nowhere else",
      rules: [rule("allow", tool, { when: [{ ...home, folder: "/srv" }] })],
      effect: "ask",
    },
    {
      name: "a rule for another agent does not count",
      rules: [rule("allow", tool, { principal: "bot*" })],
      effect: "ask",
    },
    { name: "a rule for this agent counts", rules: [rule("allow", tool, { principal: "a*" })], effect: "allow" },
  ])("$name", ({ rules, grants = [], effect }) => {
    expect(decided({ rules }, ask(), grants).effect).toBe(effect)
  })

  it.each([
    { default: "ask", effect: "ask" },
    { default: "deny", effect: "deny" },
    { default: "allow", effect: "allow" },
  ] as const)("R2, R4: the default $default rules where nothing else does", ({ default: byDefault, effect }) => {
    expect(decided({ default: byDefault })).toMatchObject({ effect, because: { kind: "default" } })
  })

  it("R19: hides what a server does not offer, and says so", () => {
    const servers = [{ id: "files", trust: "none", pin: "full", offer: ["read_*"] }] as const
    const rules = [rule("allow", "*(*)")]
    expect(decided({ servers, rules })).toMatchObject({ effect: "hide", because: { kind: "offer", server: "files" } })
    const read = ask({ target: { server: "files", kind: "tool", name: "read_file" } })
    expect(decided({ servers, rules }, read).effect).toBe("allow")
  })

  it("names that mean something to objects are only names", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const target = { server: name, kind: "tool", name } as const
      expect(decided({ rules: [rule("allow", tool)] }, ask({ target }), [allowAll]).effect).toBe("ask")
    }
  })
})

describe("several asks", () => {
  it("demand the most approvals, the shortest wait and reviewers who satisfy each", () => {
    const rules = [
      rule("ask", tool, { approvals: 2, reviewers: ["ops", "legal"], wait: null }),
      rule("ask", "files", { reviewers: ["legal", "team"], wait: 5_000, when: [home] }),
    ]
    expect(decided({ rules })).toMatchObject({ approvals: 2, reviewers: ["legal"], wait: 5_000 })
  })

  it("I6: demand the same in either order, also where each has conditions", () => {
    const rules = [
      rule("ask", tool, { approvals: 2, when: [home] }),
      rule("ask", tool, { reviewers: ["legal"], when: [home] }),
    ]
    for (const list of [rules, rules.toReversed()]) {
      expect(decided({ rules: list })).toMatchObject({ approvals: 2, reviewers: ["legal"] })
    }
  })

  it("demand a group nobody has rather than drop one of two", () => {
    const rules = [rule("ask", tool, { reviewers: ["ops"] }), rule("ask", tool, { reviewers: ["legal", "team"] })]
    expect(decided({ rules }).reviewers).toEqual(["(legal or team) and (ops)"])
  })
})

describe("what cannot be judged", () => {
  const missing = ask({ args: {} })
  it.each([
    { name: "a deny asks", rules: [rule("deny", tool, { when: [home] }), rule("allow", tool)] },
    { name: "an ask asks", rules: [rule("ask", tool, { when: [home] }), rule("allow", tool)] },
  ])("$name, whatever is granted", ({ rules }) => {
    expect(decided({ rules }, missing, [allowAll])).toMatchObject({
      effect: "ask",
      remember: "never",
      because: { kind: "unjudged", why: 'the argument "path" is missing' },
    })
    expect(decided({ rules }, ask({ args: {}, mode: "unattended" }), [allowAll]).effect).toBe("deny")
    expect(decided({ rules }, ask({ args: {}, mode: "autonomous" })).effect).toBe("ask")
  })

  it("an allow does not count", () => {
    expect(decided({ rules: [rule("allow", tool, { when: [home] })] }, missing).because.kind).toBe("default")
  })

  it("a denying grant asks", () => {
    const grant: Remembered = {
      ...allowAll,
      effect: "deny",
      breadth: { kind: "tool", server: "files", tool: "write_file", when: [home] },
    }
    expect(decided({ rules: [rule("allow", tool)] }, missing, [grant])).toMatchObject({
      effect: "ask",
      because: { kind: "unjudged", rule: { id: "grant:g" } },
    })
  })

  it("a condition that throws is not judged", () => {
    const rules = [rule("deny", tool, { when: [home] }), rule("allow", tool)]
    const realPaths = () => {
      throw new Error("disk on fire")
    }
    const decision = decide(
      compilePolicy({ ...emptyPolicy, rules }, { realPaths }),
      indexGrants([]),
      ask({ args: { path: "/srv" } }),
    )
    expect(decision).toMatchObject({
      effect: "ask",
      because: { kind: "unjudged", why: expect.stringContaining("disk on fire") },
    })
  })

  it("all rules and grants of a judgement share one bounded look at paths", () => {
    let begun = 0
    let followed = 0
    const realPaths = () => {
      begun += 1
      return (path: string) => {
        followed += 1
        return [path]
      }
    }
    const folders = ["/srv", "/srv/a", "/srv/b", "/home"]
    const under = (folder: string) => [{ key: "path", op: "under" as const, folder }]
    const rules = folders.flatMap((folder) => [
      rule("ask", tool, { when: under(`${folder}/x`) }),
      rule("allow", tool, { when: under(folder) }),
    ])
    const policy = compilePolicy({ ...emptyPolicy, rules }, { realPaths })
    const path = (count: number) => Array.from({ length: count }, (_, at) => `/srv/a/${at}`)
    expect(decide(policy, indexGrants([]), ask({ args: { path: path(500) } })).effect).toBe("allow")
    expect(begun).toBe(1)
    expect(followed).toBeLessThanOrEqual(500 + rules.length)
    followed = 0
    expect(decide(policy, indexGrants([]), ask({ args: { path: path(5_000) } })).effect).toBe("ask")
    expect(followed).toBe(1_024)
  })

  it("an unjudged ask keeps what it demands", () => {
    const rules = [rule("ask", tool, { when: [home], approvals: 2, reviewers: ["ops"], remember: "never" })]
    expect(decided({ rules }, missing)).toMatchObject({ approvals: 2, reviewers: ["ops"], remember: "never" })
  })
})

describe("access (I10)", () => {
  const label: ToolFacts = { ...writes, access: "read", accessFrom: "name", accessCounts: false }
  const read: ToolFacts = { ...label, accessCounts: true }
  it.each([
    { effect: "allow", access: "read", tool: read, matches: true },
    { effect: "allow", access: "read", tool: label, matches: false },
    { effect: "allow", access: "read", tool: writes, matches: false },
    { effect: "allow", access: "write", tool: writes, matches: true },
    { effect: "allow", access: "write", tool: label, matches: false },
    { effect: "allow", access: "write", tool: undefined, matches: false },
    { effect: "allow", access: "all", tool: undefined, matches: true },
    { effect: "deny", access: "read", tool: label, matches: true },
    { effect: "deny", access: "write", tool: label, matches: true },
    { effect: "deny", access: "write", tool: undefined, matches: true },
    { effect: "deny", access: "write", tool: read, matches: false },
    { effect: "hide", access: "read", tool: writes, matches: false },
  ] as const)("R40, R42: $effect by access $access: $matches", ({ effect, access, tool: facts, matches }) => {
    const rules = [rule(effect, "files", { access })]
    expect(decided({ rules }, ask({ tool: facts })).effect).toBe(matches ? effect : "ask")
  })
})

it("I1 of index-grants: in a session with answers of its own, those for its agent count as well", () => {
  const inSession = { ...allowAll, id: "s", session: { principal: "ann", id: "s1" } }
  const noForAgent: Remembered = { ...allowAll, id: "a", effect: "deny", agent: "ann" }
  expect(decided({}, ask(), [inSession, noForAgent]).effect).toBe("deny")
})

describe("grants (I2 and I3 of index-grants)", () => {
  const asks = (grant: Partial<Remembered>, question = ask()) =>
    decided({}, question, [{ ...allowAll, ...grant }]).effect
  const reads: ToolFacts = { ...writes, access: "read" }

  it.each<{ name: string; grant: Partial<Remembered>; question?: Question; effect: Effect }>([
    {
      name: "R49, R56: a grant for a server covers its tools",
      grant: { breadth: { kind: "server", server: "files", access: "all" } },
      effect: "allow",
    },
    {
      name: "R51: and no other server",
      grant: { breadth: { kind: "server", server: "web", access: "all" } },
      effect: "ask",
    },
    {
      name: "R51: an allowing pattern names one server, not many",
      grant: { breadth: { kind: "pattern", server: "*", tool: "*" } },
      effect: "ask",
    },
    {
      name: "a denying pattern reaches as far as it can be read",
      grant: { effect: "deny", breadth: { kind: "pattern", server: "*", tool: "*" } },
      effect: "deny",
    },
    {
      name: "R42: a grant for reads covers no write",
      grant: { breadth: { kind: "server", server: "files", access: "read" } },
      effect: "ask",
    },
    {
      name: "R40: a grant for reads covers a read",
      grant: { breadth: { kind: "server", server: "files", access: "read" } },
      question: ask({ tool: reads }),
      effect: "allow",
    },
    {
      name: "frozen reads cover what they name",
      grant: { breadth: { kind: "reads", server: "files", tools: ["write_file"] } },
      question: ask({ tool: reads }),
      effect: "allow",
    },
    {
      name: "frozen reads cover nothing that appeared later",
      grant: { breadth: { kind: "reads", server: "files", tools: ["list"] } },
      question: ask({ tool: reads }),
      effect: "ask",
    },
    {
      name: "R42: frozen reads do not cover a tool since found to write",
      grant: { breadth: { kind: "reads", server: "files", tools: ["write_file"] } },
      effect: "ask",
    },
    { name: "its own agent, in any session", grant: { agent: "ann" }, effect: "allow" },
    { name: "another agent", grant: { agent: "bot" }, effect: "ask" },
    { name: "a no for this agent", grant: { agent: "ann", effect: "deny" }, effect: "deny" },
    { name: "R46: its own session", grant: { session: { principal: "ann", id: "s1" } }, effect: "allow" },
    { name: "R52, R53: another session", grant: { session: { principal: "ann", id: "s2" } }, effect: "ask" },
    {
      name: "R52: another principal's session of the same name",
      grant: { session: { principal: "bot", id: "s1" } },
      effect: "ask",
    },
    { name: "R58: its last millisecond", grant: { until: now + 1 }, effect: "allow" },
    { name: "R58: expired this moment", grant: { until: now }, effect: "ask" },
    { name: "R59: uses left", grant: { usesLeft: 1 }, effect: "allow" },
    { name: "R59: used up", grant: { usesLeft: 0 }, effect: "ask" },
    {
      name: "a grant by path",
      grant: { breadth: { kind: "tool", server: "files", tool: "write_file", when: [home] } },
      effect: "allow",
    },
    {
      name: "a grant by another path",
      grant: { breadth: { kind: "tool", server: "files", tool: "write_file", when: [{ ...home, folder: "/srv" }] } },
      effect: "ask",
    },
    {
      name: "a tool's name is no pattern",
      grant: { breadth: { kind: "tool", server: "files", tool: "*" } },
      effect: "ask",
    },
  ])("$name", ({ grant, question, effect }) => {
    expect(asks(grant, question)).toBe(effect)
  })

  it("uses an unlimited grant before a counted one", () => {
    const counted = { ...allowAll, id: "a", usesLeft: 5 }
    expect(decided({}, ask(), [counted, allowAll]).because).toMatchObject({ grant: { id: "g" } })
  })

  it("are judged anew when the policy knows another working folder", () => {
    const grants = indexGrants([
      { ...allowAll, breadth: { kind: "tool", server: "files", tool: "write_file", when: [home] } },
    ])
    const relative = ask({ args: { path: "a.txt" } })
    const at = (cwd: string) =>
      compilePolicy({ ...emptyPolicy, servers: [{ id: "files", trust: "none", pin: "full", cwd }] })
    expect(decide(at("/srv"), grants, relative).effect).toBe("ask")
    expect(decide(at("/home/ann"), grants, relative).effect).toBe("allow")
  })
})

describe("a relative path of an agent that names the server's folders", () => {
  const atHome = { id: "files", trust: "none", pin: "full", cwd: "/home/ann" } as const
  const servers = [atHome]
  const relative = { args: { path: "a.txt" } }
  const same = { key: "path", op: "equals", value: "a.txt" } as const
  it.each([
    { name: "an allow by folder", rules: [rule("allow", tool, { when: [home] })], effect: "ask" },
    { name: "an allow by text", rules: [rule("allow", tool, { when: [same] })], effect: "ask" },
    { name: "a deny by folder", rules: [rule("allow", tool), rule("deny", tool, { when: [home] })], effect: "ask" },
    { name: "a deny by text", rules: [rule("allow", tool), rule("deny", tool, { when: [same] })], effect: "deny" },
    { name: "an allow without conditions", rules: [rule("allow", tool)], effect: "allow" },
  ])("$name: $effect", ({ rules, effect }) => {
    expect(decided({ rules, servers }, ask({ ...relative, hasRoots: true })).effect).toBe(effect)
  })

  it.each([home, same])("a remembered yes by $op holds for others alone", (when) => {
    const grant: Remembered = {
      ...allowAll,
      breadth: { kind: "tool", server: "files", tool: "write_file", when: [when] },
    }
    expect(decided({ servers }, ask(relative), [grant]).effect).toBe("allow")
    expect(decided({ servers }, ask({ ...relative, hasRoots: true }), [grant]).effect).toBe("ask")
  })

  it("a remembered yes by text holds for others alone, whatever is known of the server", () => {
    const grant: Remembered = {
      ...allowAll,
      breadth: { kind: "tool", server: "files", tool: "write_file", when: [same] },
    }
    expect(decided({}, ask(relative), [grant]).effect).toBe("allow")
    expect(decided({}, ask({ ...relative, hasRoots: true }), [grant]).effect).toBe("ask")
  })

  it("is told from the folders among the server's arguments as well", () => {
    const rules = [rule("allow", tool, { when: [home] })]
    const given = (folders: readonly string[]) => [{ ...atHome, folders }]
    expect(decided({ rules, servers: given(["/home/ann/work"]) }, ask(relative)).effect).toBe("allow")
    expect(decided({ rules, servers: given(["/srv"]) }, ask(relative)).effect).toBe("ask")
  })
})

describe("an allow with conditions", () => {
  const rules = [rule("allow", tool, { when: [home] })]
  it.each([
    { name: "fits", check: () => [], effect: "allow" },
    { name: "does not fit", check: () => ["mode is not declared"], effect: "ask" },
    {
      name: "cannot be checked",
      check: () => {
        throw new Error("no")
      },
      effect: "ask",
    },
  ] as const)("I8: arguments that the schema says: $name", ({ check, effect }) => {
    const question = ask({ tool: { ...writes, check } })
    expect(decided({ rules }, question).effect).toBe(effect)
    const grant: Remembered = { ...allowAll, breadth: { ...allowAll.breadth, when: [home] } as Remembered["breadth"] }
    expect(decided({}, question, [grant]).effect).toBe(effect)
  })

  it("the schema is held against the arguments once, however many allows ask", () => {
    let checks = 0
    const check = () => {
      checks += 1
      return ["mode is not declared"]
    }
    const breadth = { ...allowAll.breadth, when: [home] } as Remembered["breadth"]
    const grants = ["a", "b", "c"].map((id): Remembered => ({ ...allowAll, id, breadth }))
    const question = ask({ tool: { ...writes, check }, mode: "autonomous-paths" })
    expect([decided({ rules }, question, grants).effect, checks]).toEqual(["ask", 1])
  })

  it("without conditions it needs no schema", () => {
    const question = ask({ tool: { ...writes, check: () => ["no"] } })
    expect(decided({ rules: [rule("allow", tool)] }, question).effect).toBe("allow")
  })
})

describe("modes", () => {
  const plain = { rules: [rule("ask", tool)] }
  const never = { rules: [rule("ask", tool, { remember: "never" })] }
  it.each<{ mode: Mode; policy: Partial<Policy>; effect: Effect; wouldAsk?: boolean; name: string }>([
    { name: "R66: asked by default", mode: "autonomous", policy: {}, effect: "allow" },
    { name: "C26: an explicit ask", mode: "autonomous", policy: plain, effect: "ask" },
    { name: "C26: a deny", mode: "autonomous", policy: { rules: [rule("deny", tool)] }, effect: "deny" },
    { name: "C26: forbidden by policy", mode: "autonomous", policy: { forbiddenModes: ["autonomous"] }, effect: "ask" },
    { name: "default deny", mode: "autonomous", policy: { default: "deny" }, effect: "deny" },
    { name: "R16: asked by default", mode: "unattended", policy: {}, effect: "deny" },
    { name: "allowed", mode: "unattended", policy: { rules: [rule("allow", tool)] }, effect: "allow" },
    { name: "asked by default", mode: "observe", policy: {}, effect: "allow", wouldAsk: true },
    { name: "an explicit ask", mode: "observe", policy: plain, effect: "ask" },
    {
      name: "an explicit ask, all observed",
      mode: "observe",
      policy: { ...plain, observeAll: true },
      effect: "allow",
      wouldAsk: true,
    },
    { name: "`remember: never`, all observed", mode: "observe", policy: { ...never, observeAll: true }, effect: "ask" },
  ])("$mode, $name: $effect", ({ mode, policy, effect, wouldAsk = false }) => {
    expect(decided(policy, ask({ mode }))).toMatchObject({ effect, wouldAsk })
  })

  it("unattended refusals say what would have asked", () => {
    expect(decided(plain, ask({ mode: "unattended" })).because).toMatchObject({
      mode: "unattended",
      instead: { kind: "rule" },
    })
  })
})

describe("pins", () => {
  it.each(["changed", "new"] as const)("I4: a %s tool asks once, whatever allows it", (pin) => {
    const question = (mode: Mode) => ask({ tool: { ...writes, pin }, mode })
    for (const policy of [{ rules: [rule("allow", tool)] }, { default: "allow" as const }, {}]) {
      const asked = { effect: "ask", because: { kind: "pin", pin }, remember: "never" }
      expect(decided(policy, question("ask"), [allowAll])).toMatchObject(asked)
      expect(decided(policy, question("autonomous"))).toMatchObject(asked)
      expect(decided({ ...policy, observeAll: true }, question("observe"))).toMatchObject(asked)
      expect(decided(policy, question("unattended")).effect).toBe("deny")
    }
  })

  it("I14: what is in quarantine is hidden and what was rejected is denied, whatever allows or asks about it", () => {
    const asksAlways = { rules: [rule("ask", tool, { remember: "never" })] }
    for (const policy of [{ rules: [rule("allow", tool)] }, { default: "allow" as const }, asksAlways, {}]) {
      for (const mode of ["ask", "autonomous", "unattended", "observe"] as const) {
        const question = (pin: "quarantined" | "rejected") => ask({ tool: { ...writes, pin }, mode })
        expect(decided(policy, question("quarantined"), [allowAll])).toMatchObject({
          effect: "hide",
          because: { kind: "pin" },
        })
        expect(decided(policy, question("rejected"), [allowAll])).toMatchObject({
          effect: "deny",
          because: { kind: "pin" },
        })
      }
    }
    expect(decided({}, { ...ask({}), isQuarantined: true }).effect).toBe("hide")
  })

  it("a changed tool that a rule asks about needs what the rule demands", () => {
    const rules = [rule("ask", tool, { approvals: 2 })]
    expect(decided({ rules }, ask({ tool: { ...writes, pin: "changed" } }), [allowAll])).toMatchObject({
      effect: "ask",
      approvals: 2,
    })
  })

  it("a changed tool is not asked about where the default denies", () => {
    expect(decided({ default: "deny" }, ask({ tool: { ...writes, pin: "changed" } })).effect).toBe("deny")
  })
})

describe("limits", () => {
  const limits = {
    ...emptyPolicy.limits,
    autoAllowedPerSession: 10,
    autoAllowedPerMinute: 5,
    bulk: { writes: 3, withinMs: 1 },
  }
  const policy = { limits, rules: [rule("allow", tool)] }
  it.each([
    { usage: {}, limit: null },
    { usage: { autoAllowedInSession: 9, autoAllowedInDay: 9, autoAllowedInMinute: 4, writesInWindow: 2 }, limit: null },
    { usage: { autoAllowedInSession: 10 }, limit: "autoAllowedPerSession" },
    { usage: { autoAllowedInDay: 10 }, limit: "autoAllowedPerDay" },
    { usage: { autoAllowedInMinute: 5 }, limit: "autoAllowedPerMinute" },
    { usage: { writesInWindow: 3 }, limit: "bulk" },
    { usage: { coolDownUntil: now }, limit: null },
    { usage: { coolDownUntil: now + 1 }, limit: "coolDown" },
  ])("I12: $usage: $limit", ({ usage, limit }) => {
    const decision = decided(policy, ask({ usage: usage as Partial<typeof idle> }))
    expect(decision).toMatchObject(
      limit === null ? { effect: "allow" } : { effect: "ask", because: { kind: "limit", limit } },
    )
  })

  it("I12: all sessions together may do in a day what one may, unless the policy says otherwise", () => {
    const limited = { ...policy, limits: { ...limits, autoAllowedPerDay: 20 } }
    expect(decided(limited, ask({ usage: { autoAllowedInDay: 19 } })).effect).toBe("allow")
    expect(decided(limited, ask({ usage: { autoAllowedInDay: 20 } })).because).toMatchObject({
      limit: "autoAllowedPerDay",
    })
  })

  it("reads are no bulk of writes; a label is no read", () => {
    const question = (accessCounts: boolean) =>
      ask({ usage: { writesInWindow: 3 }, tool: { ...writes, access: "read", accessCounts } })
    expect(decided(policy, question(true)).effect).toBe("allow")
    expect(decided(policy, question(false)).effect).toBe("ask")
  })

  it("a sensitive call starts a cool-down", () => {
    const coolDown = { after: [rule("ask", "*(drop_*)").target], forMs: 1 }
    const compiled = compilePolicy({ ...emptyPolicy, limits: { ...limits, coolDown } })
    expect(compiled.startsCoolDown({ server: "db", kind: "tool", name: "drop_table" })).toBe(true)
    expect(compiled.startsCoolDown({ server: "db", kind: "tool", name: "list" })).toBe(false)
  })

  it("a sensitive resource starts a cool-down in every spelling", () => {
    const coolDown = { after: [rule("ask", "files(resource:file:///etc/*)").target], forMs: 1 }
    const compiled = compilePolicy({ ...emptyPolicy, limits: { ...limits, coolDown } })
    const starts = (name: string) => compiled.startsCoolDown({ server: "files", kind: "resource", name })
    expect(["file:///etc/x", "file:///a/../etc/x", "file:///x%3F/%2e%2e/etc/x"].filter(starts)).toHaveLength(3)
    expect(starts("file:///home/x")).toBe(false)
  })
})

describe("what is not a tool", () => {
  const page = ask({
    target: { server: "files", kind: "resource", name: "file:///x" },
    tool: undefined,
    args: undefined,
  })
  it.each<{ name: string; policy: Partial<Policy>; mode?: Mode; effect: Effect }>([
    { name: "passes without a rule", policy: {}, effect: "allow" },
    { name: "passes whatever the default", policy: { default: "deny" }, effect: "allow" },
    { name: "is covered by a deny of the bare server", policy: { rules: [rule("deny", "files")] }, effect: "deny" },
    { name: "is not covered by an ask of the bare server", policy: { rules: [rule("ask", "files")] }, effect: "allow" },
    { name: "is asked about by its own rule", policy: { rules: [rule("ask", "files(resource:*)")] }, effect: "ask" },
    { name: "has no limits", policy: { limits: { ...emptyPolicy.limits, autoAllowedPerSession: 0 } }, effect: "allow" },
    {
      name: "is not asked about when nobody is there",
      policy: { rules: [rule("ask", "files(resource:*)")] },
      mode: "unattended",
      effect: "deny",
    },
  ])("$name", ({ policy, mode = "ask", effect }) => {
    expect(decided(policy, { ...page, state: { ...page.state, mode } }).effect).toBe(effect)
  })

  it("is denied where all of its server is denied by an answer", () => {
    const grant: Remembered = { id: "g", effect: "deny", breadth: { kind: "server", server: "files", access: "all" } }
    expect(decided({}, page, [grant]).effect).toBe("deny")
  })
})
