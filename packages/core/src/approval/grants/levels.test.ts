import { describe, expect, it } from "vitest"
import type { Breadth } from "../../policy/rules/remembered.ts"
import type { Grant, Level } from "./grant.ts"
import { allowedPatterns, allPermissions, deniedPatterns, isAllowed, levelOf, sessionGrants } from "./levels.ts"
import { type SetLevel, setLevel } from "./set-level.ts"

const now = 1_000_000
const s1 = { principal: "agent", id: "s1", named: true }
const s2 = { principal: "agent", id: "s2", named: true }
const read: Breadth = { kind: "tool", server: "files", tool: "read" }
const whole: Breadth = { kind: "server", server: "files", access: "all" }

function grant(breadth: Breadth, changes: Partial<Grant> = {}): Grant {
  const id = changes.id ?? "g"
  return {
    id,
    effect: "allow",
    breadth,
    createdAt: 1,
    createdBy: "ann",
    from: null,
    lastUsedAt: null,
    timesUsed: 0,
    ...changes,
  }
}

const forS1 = { session: { principal: "agent", id: "s1" } }

describe("levelOf", () => {
  it.each<{ name: string; grants: readonly Grant[]; tool?: string | null; level: Level }>([
    { name: "R43: nothing is remembered", grants: [], level: "Ask" },
    { name: "R47: allowed for good", grants: [grant(read)], level: "AllowAlways" },
    { name: "R46: allowed for this session", grants: [grant(read, forS1)], level: "AllowSession" },
    { name: "R44: allowed once", grants: [grant(read, { usesLeft: 1 })], level: "AllowOnce" },
    { name: "R48: denied for good", grants: [grant(read, { effect: "deny" })], level: "DenyAlways" },
    {
      name: "a denial beats what allows",
      grants: [grant(read), grant(whole, { effect: "deny" })],
      level: "DenyAlways",
    },
    {
      name: "what lasts longest is told",
      grants: [grant(read, { usesLeft: 1 }), grant(read), grant(read, forS1)],
      level: "AllowAlways",
    },
    { name: "another tool", grants: [grant({ ...read, tool: "write" })], level: "Ask" },
    { name: "R51: another server", grants: [grant({ ...read, server: "mail" })], level: "Ask" },
    {
      name: "denied in the session that is only the agent",
      grants: [grant(read, { effect: "deny", session: { principal: "agent", id: "agent" } })],
      level: "DenyAlways",
    },
    {
      name: "allowed in the session that is only the agent",
      grants: [grant(read, { session: { principal: "agent", id: "agent" } })],
      level: "Ask",
    },
    {
      name: "R52: another session",
      grants: [grant(read, { session: { principal: "agent", id: "s2" } })],
      level: "Ask",
    },
    { name: "R58: ended a millisecond ago", grants: [grant(read, { until: now - 1 })], level: "Ask" },
    { name: "R58: ends now", grants: [grant(read, { until: now })], level: "Ask" },
    { name: "R58: ends in a millisecond", grants: [grant(read, { until: now + 1 })], level: "AllowAlways" },
    { name: "R59: used up", grants: [grant(read, { usesLeft: 0 })], level: "Ask" },
    { name: "R49: the whole server covers its tools", grants: [grant(whole)], level: "AllowAlways" },
    {
      name: "one of the frozen reads",
      grants: [grant({ kind: "reads", server: "files", tools: ["read"] })],
      level: "AllowAlways",
    },
    { name: "R33: a pattern", grants: [grant({ kind: "pattern", server: "files", tool: "r*" })], level: "AllowAlways" },
    { name: "R42: by access alone", grants: [grant({ ...whole, access: "read" } as Breadth)], level: "Ask" },
    {
      name: "allowed under conditions",
      grants: [grant({ ...read, when: [{ key: "p", op: "equals", value: 1 }] })],
      level: "Ask",
    },
    {
      name: "denied in part",
      grants: [grant(read), grant({ ...whole, access: "write" } as Breadth, { effect: "deny" })],
      level: "Ask",
    },
    {
      name: "denied by a pattern of servers",
      grants: [grant({ kind: "pattern", server: "f*", tool: "*" }, { effect: "deny" })],
      level: "DenyAlways",
    },
    {
      name: "allowed by a pattern of servers, which an allow never is",
      grants: [grant({ kind: "pattern", server: "f*", tool: "*" })],
      level: "Ask",
    },
    { name: "R31: a server", grants: [grant(whole)], tool: null, level: "AllowAlways" },
    { name: "R31: a server of which one tool is allowed", grants: [grant(read)], tool: null, level: "Ask" },
    {
      name: "R31: a server of which one tool is denied",
      grants: [grant(whole), grant(read, { effect: "deny" })],
      tool: null,
      level: "AllowAlways",
    },
    {
      name: "R29: server(*) is the server",
      grants: [grant({ kind: "pattern", server: "files", tool: "*" })],
      tool: null,
      level: "AllowAlways",
    },
    { name: "a tool named like an object's own", grants: [grant(read)], tool: "constructor", level: "Ask" },
  ])("$name: $level", ({ grants, tool = "read", level }) => {
    const lookup = { server: "files", tool, session: s1, now }
    expect(levelOf(grants, lookup)).toBe(level)
    expect(isAllowed(grants, lookup)).toBe(level.startsWith("Allow"))
  })

  it("R52: without a session no session's grant counts", () => {
    expect(levelOf([grant(read, forS1)], { server: "files", tool: "read", now })).toBe("Ask")
  })
})

describe("patterns", () => {
  const grants = [
    grant(read, { id: "1" }),
    grant({ kind: "server", server: "@scope/mail", access: "all" }, { id: "2" }),
    grant({ kind: "reads", server: "db", tools: ["get", "list*"] }, { id: "3" }),
    grant({ kind: "pattern", server: "web", tool: "get_*" }, { id: "4", ...forS1 }),
    grant({ kind: "tool", server: "x", tool: "once" }, { id: "5", usesLeft: 1 }),
    grant({ kind: "tool", server: "x", tool: "some", when: [{ key: "p", op: "equals", value: 1 }] }, { id: "6" }),
    grant(
      { kind: "tool", server: "x", tool: "part", when: [{ key: "p", op: "equals", value: 1 }] },
      { id: "7", effect: "deny" },
    ),
    grant({ kind: "pattern", server: "*", tool: "rm_*" }, { id: "8", effect: "deny" }),
    grant({ kind: "tool", server: "x", tool: "old" }, { id: "9", until: now }),
  ]

  it("R32, R64: lists what is wholly allowed, literal names escaped", () => {
    expect(allowedPatterns(grants, now)).toEqual(["@scope/mail", "db(get)", "db(list[*])", "files(read)"])
    expect(allowedPatterns(grants, now, s1)).toContain("web(get_*)")
    expect(allowedPatterns(grants, now, s2)).not.toContain("web(get_*)")
  })

  it("R32, R64: lists what is denied, also in part", () => {
    expect(deniedPatterns(grants, now)).toEqual(["*(rm_*)", "x(part)"])
  })

  it("R57, R64: lists every permission that still counts, a line per pattern", () => {
    const lines = allPermissions(grants, now).map(
      ({ pattern, level, partly }) => `${pattern} ${level}${partly ? " in part" : ""}`,
    )
    expect(lines).toEqual([
      "*(rm_*) DenyAlways",
      "@scope/mail AllowAlways",
      "db(get) AllowAlways",
      "db(list[*]) AllowAlways",
      "files(read) AllowAlways",
      "web(get_*) AllowSession",
      "x(once) AllowOnce",
      "x(part) DenyAlways in part",
      "x(some) AllowAlways in part",
    ])
    expect(allPermissions([grant(whole, { until: now + 5, lastUsedAt: 4 })], now)).toEqual([
      {
        grant: "g",
        pattern: "files",
        server: "files",
        tool: null,
        level: "AllowAlways",
        partly: false,
        expiresAt: now + 5,
        createdAt: 1,
        lastUsedAt: 4,
      },
    ])
  })
})

it("R53, R54, C19: what a session was given dies with it, and nothing else does", () => {
  const grants = [
    grant(read, { id: "own", ...forS1 }),
    grant(read, { id: "always" }),
    grant(read, { id: "sibling", session: { principal: "agent", id: "s2" } }),
    grant(read, { id: "namesake", session: { principal: "other", id: "s1" } }),
  ]
  expect(sessionGrants(grants, s1).map(({ id }) => id)).toEqual(["own"])
})

describe("setLevel", () => {
  const set = (grants: readonly Grant[], wanted: Partial<SetLevel>) => {
    const change = setLevel(grants, {
      server: "files",
      tool: "read",
      level: "Ask",
      id: "new",
      by: "ann",
      at: now,
      ...wanted,
    })
    if (!change.ok) throw new Error(change.code)
    return change
  }

  it.each<{ level: Level; expected: object | undefined }>([
    { level: "Ask", expected: undefined },
    { level: "AllowOnce", expected: { effect: "allow", usesLeft: 1, session: { principal: "agent", id: "s1" } } },
    { level: "AllowSession", expected: { effect: "allow", session: { principal: "agent", id: "s1" } } },
    { level: "AllowAlways", expected: { effect: "allow" } },
    { level: "DenyAlways", expected: { effect: "deny" } },
  ])("R43, R64: $level holds afterwards, whatever was there", ({ level, expected }) => {
    for (const before of [[], [grant(read)], [grant(read, { effect: "deny" })], [grant(read, forS1)]]) {
      const { puts, removes, inForce } = set(before, { level, session: s1 })
      expect(inForce).toBe(level)
      expect(removes).toEqual(before.map(({ id }) => id))
      if (expected === undefined) expect(puts).toEqual([])
      else expect(puts).toMatchObject([{ id: "new", breadth: read, createdBy: "ann", from: null, ...expected }])
    }
  })

  it("AllowAlways and DenyAlways are for every session", () => {
    for (const level of ["AllowAlways", "DenyAlways"] as const) {
      expect(set([], { level, session: s1 }).puts[0]).not.toHaveProperty("session")
    }
  })

  it("AllowSession needs a session", () => {
    const wanted = { server: "files", tool: "read", level: "AllowSession", id: "new", by: "ann", at: now } as const
    expect(setLevel([], wanted)).toEqual({ ok: false, code: "no-session" })
  })

  it("R52: for one session, other sessions' grants stay", () => {
    const others = [grant(read, { id: "other", session: { principal: "agent", id: "s2" } })]
    expect(set(others, { session: s1 }).removes).toEqual([])
    expect(set(others, {}).removes).toEqual(["other"])
  })

  it("for one session, other agents' grants stay; a no for the agent of that session goes", () => {
    const of = (agent: string) => [grant(read, { id: "other", effect: "deny", agent })]
    expect(set(of("someone"), { session: s1 }).removes).toEqual([])
    expect(set(of("agent"), { session: s1 }).removes).toEqual(["other"])
  })

  it("R31, R129: null is the whole server", () => {
    const { puts, inForce } = set([], { tool: null, level: "DenyAlways" })
    expect(puts).toMatchObject([{ breadth: whole, effect: "deny" }])
    expect(inForce).toBe("DenyAlways")
  })

  it("R55, R56: Ask for a whole server takes back every permission on it, and no denial of a tool", () => {
    const grants = [
      grant(whole, { id: "server" }),
      grant(read, { id: "tool" }),
      grant({ kind: "reads", server: "files", tools: ["a"] }, { id: "reads" }),
      grant(read, { id: "denied", effect: "deny" }),
      grant({ ...read, server: "mail" }, { id: "mail" }),
    ]
    expect(set(grants, { tool: null }).removes).toEqual(["server", "tool", "reads"])
    expect(set(grants, { tool: null, level: "AllowAlways" }).removes).toEqual(["server"])
  })

  it("a tool leaves a frozen list, which goes on serving the others", () => {
    const two = grant({ kind: "reads", server: "files", tools: ["read", "list"] })
    expect(set([two], {})).toMatchObject({
      puts: [{ id: "g", breadth: { tools: ["list"] } }],
      removes: [],
      inForce: "Ask",
    })
    const one = grant({ kind: "reads", server: "files", tools: ["read"] })
    expect(set([one], {})).toMatchObject({ puts: [], removes: ["g"] })
  })

  it("says what still holds where a wider grant says otherwise", () => {
    expect(set([grant(whole)], {})).toMatchObject({ puts: [], removes: [], inForce: "AllowAlways" })
    expect(set([grant(whole, { effect: "deny" })], { level: "AllowAlways" }).inForce).toBe("DenyAlways")
  })
})
