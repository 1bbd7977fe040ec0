import { describe, expect, it } from "vitest"
import type { ToolFacts } from "../../policy/decide/decision.ts"
import type { Breadth } from "../../policy/rules/remembered.ts"
import type { PendingApproval } from "../approval.ts"
import { freezeReads } from "../freeze-reads.ts"
import { newApproval } from "../new-approval.ts"
import type { Grant } from "./grant.ts"
import { type GrantInput, grantCovers, makeGrant } from "./make-grant.ts"
import { newGrant, unnamedSessionMs } from "./new-grant.ts"

const at = 1_000_000

function waiting(tool: string, changes: Partial<PendingApproval> = {}): PendingApproval {
  const made = newApproval({
    id: `waiting ${tool}`,
    call: {
      tool: { server: "files", tool },
      args: { path: "/ws/a.txt" },
      principal: { id: "agent" },
      session: { principal: "agent", id: "s1", named: true },
    },
    at,
    access: "write",
    callDigest: "d0",
    fingerprint: "f0",
    policyVersion: "p1",
    why: "no rule matches",
    rule: null,
    remember: "allowed",
    needs: { approvals: 1, groups: [], selfApproval: false },
    caller: null,
    wait: null,
  })
  return { ...made, ...changes }
}

function tool(access: "read" | "write", accessCounts = true): ToolFacts {
  return { definition: null, fingerprint: "f0", pin: "accepted", access, accessFrom: "classify", accessCounts }
}

const facts = new Map<string, ToolFacts>([
  ["read_file", tool("read")],
  ["list_dir", tool("read")],
  ["get_env", tool("read", false)],
  ["write_file", tool("write")],
])

const write: Breadth = { kind: "tool", server: "files", tool: "write_file" }
const reads: Breadth = { kind: "reads", server: "files", tools: ["read_file", "list_dir", "get_env", "gone"] }
const under: Breadth = { ...write, when: [{ key: "path", op: "glob", pattern: "/ws/*" }] }

function make(name: string, breadth: Breadth, changes: Partial<GrantInput> = {}) {
  const remember = { scope: "always", breadth } as const
  return makeGrant({ id: "g1", approval: waiting(name), kind: "approve", remember, by: "ann", at, facts, ...changes })
}

function made(name: string, breadth: Breadth, changes: Partial<GrantInput> = {}): Grant {
  const grant = make(name, breadth, changes)
  if ("code" in grant) throw new Error(grant.code)
  return grant
}

describe("makeGrant", () => {
  it("I4: for the agent of a run is for all runs of its starter, and for nobody else's", () => {
    const ofRun = (id: string, starter?: string) =>
      waiting("write_file", {
        session: { principal: "run", id, named: true },
        ...(starter === undefined ? {} : { starter }),
      })
    const remember = { scope: "agent", breadth: write } as const
    const grant = made("write_file", write, { remember, approval: ofRun("r1", "runner ci") })
    expect(grant).toMatchObject({ agent: "run", starter: "runner ci" })
    const covers = (starter?: string) => grantCovers(grant, ofRun("r2", starter), tool("write"))
    const starters = ["runner ci", "runner stranger", "reviewer ci", undefined]
    expect(starters.map(covers)).toEqual([true, false, false, false])
  })

  it("I4: for this agent only is for all its sessions, without end, and for no other agent", () => {
    const grant = made("write_file", write, { remember: { scope: "agent", breadth: write } })
    expect(grant).toMatchObject({ agent: "agent" })
    expect(grant).not.toHaveProperty("session")
    expect(grant).not.toHaveProperty("until")
    const covers = (principal: string) =>
      grantCovers(grant, waiting("write_file", { session: { principal, id: "s9", named: true } }), tool("write"))
    expect([covers("agent"), covers("other")]).toEqual([true, false])
  })

  it("R47, R57, R151: keeps what it is, who gave it, when and for which call, and starts unused", () => {
    expect(made("write_file", write, { reason: "drafts only" })).toEqual({
      id: "g1",
      effect: "allow",
      breadth: write,
      createdAt: at,
      createdBy: "ann",
      from: "waiting write_file",
      reason: "drafts only",
      lastUsedAt: null,
      timesUsed: 0,
    })
  })

  it("R48, R50, C7: a remembered denial denies", () => {
    expect(made("write_file", write, { kind: "deny" }).effect).toBe("deny")
  })

  it("R46, R52: what is given for the session is bound to it", () => {
    const remember = { scope: "session", breadth: write } as const
    const grant = made("write_file", write, { remember })
    expect(grant.session).toEqual({ principal: "agent", id: "s1" })
    expect(grant.until).toBeUndefined()
  })

  it("where the session is only the principal, it ends after 30 minutes and is bound all the same", () => {
    const session = { principal: "agent", id: "agent", named: false }
    const approval = waiting("write_file", { session })
    const breadth = write
    expect(made("write_file", write, { approval, remember: { scope: "session", breadth } })).toMatchObject({
      session: { principal: "agent", id: "agent" },
      until: at + unnamedSessionMs,
    })
    const until = at + 5
    expect(made("write_file", write, { approval, remember: { scope: "session", breadth, until } }).until).toBe(until)
    const far = at + 10 * unnamedSessionMs
    expect(made("write_file", write, { approval, remember: { scope: "session", breadth, until: far } }).until).toBe(
      at + unnamedSessionMs,
    )
  })

  it.each([
    { name: "is only the principal", session: { principal: "agent", id: "agent", named: false } },
    { name: "is named like its principal", session: { principal: "agent", id: "agent", named: true } },
    { name: "has no name", session: { principal: "agent", id: "x", named: false } },
  ])("I4: a no for a session that $name is for the agent in all its sessions, for 30 minutes", ({ session }) => {
    const approval = waiting("write_file", { session })
    const remember = { scope: "session", breadth: write } as const
    const grant = made("write_file", write, { approval, remember, kind: "deny" })
    expect(grant).toMatchObject({ agent: "agent", until: at + unnamedSessionMs })
    expect(grant).not.toHaveProperty("session")
  })

  it.each([
    { effect: "deny", covers: true },
    { effect: "allow", covers: false },
  ] as const)(
    "I4: an $effect kept for the session that is only the agent covers the agent's other sessions: $covers",
    (of) => {
      const session = { principal: "agent", id: "agent" }
      const kept = { id: "old", effect: of.effect, breadth: write, session }
      expect(grantCovers(kept, waiting("write_file"), facts.get("write_file"))).toBe(of.covers)
      expect(grantCovers({ ...kept, session: { principal: "b", id: "b" } }, waiting("write_file"), undefined)).toBe(
        false,
      )
    },
  )

  it("R58, R59: may end by time and by uses", () => {
    const remember = { scope: "always", breadth: write, until: at + 1, uses: 5 } as const
    expect(made("write_file", write, { remember })).toMatchObject({ until: at + 1, usesLeft: 5 })
  })

  it.each([
    { name: "ends now", limit: { until: at } },
    { name: "ended a millisecond ago", limit: { until: at - 1 } },
    { name: "ends at no time", limit: { until: Number.NaN } },
    { name: "has no uses", limit: { uses: 0 } },
    { name: "has half a use", limit: { uses: 0.5 } },
    { name: "has endless uses", limit: { uses: Number.POSITIVE_INFINITY } },
  ])("a grant that $name is refused", ({ limit }) => {
    const remember = { scope: "always", breadth: write, ...limit } as const
    expect(make("write_file", write, { remember })).toMatchObject({ code: "grant-lapsed" })
  })

  it.each([
    { name: "an approval that must be asked every time", changes: { remember: "never" }, kind: "approve" },
    { name: "a denial that must be asked every time", changes: { remember: "never" }, kind: "deny" },
    {
      name: "one reviewer's yes where two are needed",
      changes: { needs: { approvals: 2, groups: [], selfApproval: false } },
      kind: "approve",
    },
  ] as const)("I2: $name is not remembered", ({ changes, kind }) => {
    const approval = waiting("write_file", changes)
    expect(make("write_file", write, { approval, kind })).toEqual({ code: "never-remember" })
  })

  it.each([
    { name: "another server", call: "write_file", breadth: { ...write, server: "mail" } },
    { name: "a pattern of every server", call: "write_file", breadth: { kind: "pattern", server: "*", tool: "*" } },
    { name: "another tool", call: "read_file", breadth: write },
    {
      name: "a pattern that misses",
      call: "write_file",
      breadth: { kind: "pattern", server: "files", tool: "read_*" },
    },
    { name: "reads, given with a write", call: "write_file", breadth: reads },
    { name: "reads, given with what is only called a read", call: "get_env", breadth: reads },
    { name: "a list of reads without it", call: "list_dir", breadth: { ...reads, tools: ["read_file"] } },
    {
      name: "R42: this server's reads by access, given with a write",
      call: "write_file",
      breadth: { kind: "server", server: "files", access: "read" },
    },
    {
      name: "conditions it does not meet",
      call: "write_file",
      breadth: { ...write, when: [{ key: "path", op: "equals", value: "/etc" }] },
    },
    {
      name: "conditions on what it lacks",
      call: "write_file",
      breadth: { ...write, when: [{ key: "size", op: "atMost", value: 1 }] },
    },
  ] as const)("I1, R51: $name does not cover the call", ({ call, breadth }) => {
    expect(make(call, breadth)).toMatchObject({ code: "breadth-mismatch" })
  })

  it.each([
    { name: "the whole server", call: "write_file", breadth: { kind: "server", server: "files", access: "all" } },
    { name: "its writes", call: "write_file", breadth: { kind: "server", server: "files", access: "write" } },
    { name: "a pattern", call: "write_file", breadth: { kind: "pattern", server: "files", tool: "write_*" } },
    { name: "conditions it meets", call: "write_file", breadth: under },
  ] as const)("I1: $name covers the call", ({ call, breadth }) => {
    expect(made(call, breadth).breadth).toEqual(breadth)
  })

  it("I1, R51: a denial is for one server as well", () => {
    const everywhere: Breadth = { kind: "pattern", server: "*", tool: "*" }
    expect(make("write_file", everywhere, { kind: "deny" })).toMatchObject({ code: "breadth-mismatch" })
  })

  it("conditions are judged by the arguments that were approved", () => {
    const args = { path: "/etc/passwd" }
    expect(make("write_file", under, { args })).toMatchObject({ code: "breadth-mismatch" })
    expect(make("write_file", under, { approval: waiting("write_file", { editedArgs: args }) })).toMatchObject({
      code: "breadth-mismatch",
    })
  })

  it("I3: reads are frozen to those shown that count as reads now", () => {
    expect(made("read_file", reads).breadth).toEqual({ ...reads, tools: ["read_file", "list_dir"] })
    expect(made("read_file", { ...reads, tools: ["read_file"] }).breadth).toHaveProperty("tools", ["read_file"])
  })
})

it("I3: freezeReads lists the tools that count as reads, by name", () => {
  expect(freezeReads("files", facts)).toEqual({ kind: "reads", server: "files", tools: ["list_dir", "read_file"] })
})

describe("grantCovers", () => {
  const forServer = made("write_file", { kind: "server", server: "files", access: "all" })
  const forSession = made("write_file", write, { remember: { scope: "session", breadth: write } })
  const denial = made("write_file", write, { kind: "deny" })

  it.each([
    { name: "a waiting call it is about", grant: forServer, call: waiting("read_file"), covers: true },
    {
      name: "R51: another server's",
      grant: forServer,
      call: waiting("x", { tool: { server: "mail", tool: "x" } }),
      covers: false,
    },
    {
      name: "one that must be asked every time",
      grant: forServer,
      call: waiting("x", { remember: "never" }),
      covers: false,
    },
    {
      name: "a denial of one that must be asked every time",
      grant: denial,
      call: waiting("write_file", { remember: "never" }),
      covers: true,
    },
    { name: "the same session's", grant: forSession, call: waiting("write_file"), covers: true },
    {
      name: "I4, R52: another session's",
      grant: forSession,
      call: waiting("write_file", { session: { principal: "agent", id: "s2", named: true } }),
      covers: false,
    },
    {
      name: "I4, R52: another principal's session of that name",
      grant: forSession,
      call: waiting("write_file", { session: { principal: "other", id: "s1", named: true } }),
      covers: false,
    },
    {
      name: "one whose arguments are no longer kept",
      grant: made("write_file", under),
      call: waiting("write_file", { args: null }),
      covers: false,
    },
    { name: "what is not a tool", grant: forServer, call: waiting("x", { kind: "resource" }), covers: false },
  ])("$name: $covers", ({ grant, call, covers }) => {
    expect(grantCovers(grant, call, facts.get(call.tool.tool))).toBe(covers)
  })

  it("settles nothing that does not wait", () => {
    const { expiresAt, ...held } = waiting("read_file")
    const settled = { ...held, status: "cancelled", settledAt: at, detail: "left" } as const
    expect(expiresAt).toBeNull()
    expect(grantCovers(forServer, settled, facts.get("read_file"))).toBe(false)
  })
})

it("a grant written by hand names no call", () => {
  expect(newGrant({ id: "g", effect: "allow", breadth: write, from: null, by: "ann", at })).toMatchObject({
    from: null,
  })
})
