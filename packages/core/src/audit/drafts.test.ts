import { describe, expect, it } from "vitest"
import type { Call } from "../call/call.ts"
import { nodeHasher as hasher } from "../node/hasher.ts"
import type { Decision } from "../policy/decide/decision.ts"
import type { Condition } from "../policy/rules/rule.ts"
import {
  accessDraft,
  definitionDraft,
  grantCreatedDraft,
  grantRevokedDraft,
  type JudgedCall,
  judgedDraft,
  keyedDigest,
  launchedDraft,
  liftedDraft,
  modeDraft,
  policyDraft,
  ranDraft,
  serverDraft,
  sessionEndedDraft,
} from "./drafts.ts"
import { createRedactor } from "./redact.ts"

const token = "ghp_16C7e42F292c6912"
const tools = { hasher, digestKey: "key", redactor: createRedactor({ values: [token] }) }

const call: Call = {
  tool: { server: "files", tool: "read_file" },
  args: { path: "/notes", password: "hunter2" },
  principal: { id: "claude" },
  session: { principal: "claude", id: "thread-1", named: true },
}

const allowed: Decision = {
  effect: "allow",
  because: { kind: "default" },
  remember: "allowed",
  approvals: 1,
  reviewers: [],
  wouldAsk: false,
  wait: null,
}

const judged: JudgedCall = {
  id: "c1",
  call,
  decision: allowed,
  rule: null,
  reason: "allowed by default",
  policy: "v1",
  mode: "ask",
  callDigest: "d1",
  fingerprint: "f1",
}

describe("judgedDraft", () => {
  it.each([
    { effect: "hide", type: "call.hidden" },
    { effect: "deny", type: "call.denied" },
    { effect: "ask", type: "call.asked" },
    { effect: "allow", type: "call.allowed" },
  ] as const)("R145, R149: a call that policy answers with $effect is recorded as $type", ({ effect, type }) => {
    const draft = judgedDraft({ ...judged, decision: { ...allowed, effect } }, 7, tools)
    expect(draft).toMatchObject({ type, subject: "c1", step: 0, at: 7 })
    expect(draft.body).toMatchObject({
      server: "files",
      tool: "read_file",
      kind: "tool",
      because: "default",
      policy: "v1",
    })
  })

  it("records a call refused by a limit as denied, though policy would have asked", () => {
    const draft = judgedDraft(
      { ...judged, decision: { ...allowed, effect: "ask" }, refusal: "too-many-waiting" },
      7,
      tools,
    )
    expect(draft.type).toBe("call.denied")
    expect(draft.body).toMatchObject({ refusal: "too-many-waiting" })
  })

  it("keeps arguments out of the body, and secrets and plain digests out of both", () => {
    const leaky = {
      ...judged,
      reason: `it said ${token}`,
      rule: token,
      call: { ...call, session: { ...call.session, id: token } },
    }
    const draft = judgedDraft(leaky, 7, tools)
    expect(draft.payload).toBe('{"path":"/notes","password":"‹secret, 7 characters›"}')
    expect(JSON.stringify(draft)).not.toContain(token)
    expect(JSON.stringify(draft.body)).not.toContain("/notes")
    expect(draft.body).toMatchObject({ digest: keyedDigest(hasher, "key", "d1") })
  })

  it("gives every body the same members in the same order", () => {
    const other = judgedDraft({ ...judged, refusal: "unattended", rerunOf: "c0", rule: "r" }, 7, tools)
    expect(Object.keys(other.body)).toEqual(Object.keys(judgedDraft(judged, 7, tools).body))
  })

  it("names the grant that decided, also where a mode turned its answer", () => {
    const grant = { id: "g1", effect: "allow", breadth: { kind: "tool", server: "s", tool: "t" } } as const
    const because = { kind: "mode", mode: "unattended", instead: { kind: "grant", grant } } as const
    expect(judgedDraft({ ...judged, decision: { ...allowed, because } }, 7, tools).body).toMatchObject({ grant: "g1" })
  })
})

describe("ranDraft", () => {
  it("records the outcome of an allowed call after its judgement", () => {
    const draft = ranDraft("c1", { kind: "failed", error: { token: "abc", text: "no" } }, 8, tools)
    expect(draft).toMatchObject({ type: "run.failed", subject: "c1", step: 1, at: 8 })
    expect(draft.payload).toBe('{"token":"‹secret, 3 characters›","text":"no"}')
  })

  it("says why nobody can tell", () => {
    expect(ranDraft("c1", { kind: "unknown", detail: `cut off at ${token}` }, 8, tools)).toMatchObject({
      type: "run.unknown",
      body: { detail: "cut off at ‹secret, 20 characters›" },
    })
  })
})

describe("R146: changes of permissions are recorded", () => {
  const session = call.session
  it.each([
    {
      draft: grantCreatedDraft(
        {
          id: "g1",
          effect: "allow",
          breadth: { kind: "tool", server: "s", tool: "t", when: [{ key: "k", op: "equals", value: token }] },
          createdAt: 1,
          createdBy: "ann",
          from: "a1",
          lastUsedAt: null,
          timesUsed: 0,
          usesLeft: 5,
        },
        9,
        tools,
      ),
      type: "grant.created",
      body: { id: "g1", uses: 5, until: null, session: null, by: "ann", from: "a1" },
    },
    { draft: grantRevokedDraft("g1", "ann", 9, tools), type: "grant.revoked", body: { id: "g1", by: "ann" } },
    {
      draft: modeDraft(session, { mode: "autonomous", until: 60, by: "ann" }, 9, tools),
      type: "mode.set",
      body: { principal: "claude", session: "thread-1", mode: "autonomous", until: 60, by: "ann" },
    },
    {
      draft: launchedDraft(session, ["--allow-all-tools"], 9, tools),
      type: "session.launched",
      body: { principal: "claude", session: "thread-1", switches: ["--allow-all-tools"] },
    },
    { draft: sessionEndedDraft(session, 9, tools), type: "session.ended", body: { session: "thread-1" } },
    {
      draft: liftedDraft(session, call.tool, "ann", 9, tools),
      type: "tool.lifted",
      body: { server: "files", tool: "read_file", by: "ann" },
    },
    {
      draft: definitionDraft(
        "definition.accepted",
        { ...call.tool, fingerprint: "f2", was: "f1", by: token },
        9,
        tools,
      ),
      type: "definition.accepted",
      body: { fingerprint: "f2", was: "f1", by: "‹secret, 20 characters›" },
    },
    {
      draft: policyDraft({ was: "v1", policy: "v2", by: null }, 9, tools),
      type: "policy.changed",
      body: { was: "v1", policy: "v2", by: null },
    },
    {
      draft: accessDraft({ what: "token", change: "added", name: `for ${token}`, by: token }, 9, tools),
      type: "access.changed",
      body: { what: "token", change: "added", name: "for ‹secret, 20 characters›", by: "‹secret, 20 characters›" },
    },
    {
      draft: serverDraft({ server: `for ${token}`, change: "stopped", by: token }, 9, tools),
      type: "server.changed",
      body: { server: "for ‹secret, 20 characters›", change: "stopped", by: "‹secret, 20 characters›" },
    },
  ])("$type", ({ draft, type, body }) => {
    expect(draft).toMatchObject({ type, subject: null, at: 9, body })
    expect(JSON.stringify(draft)).not.toContain(token)
  })

  it.each<{ condition: Condition; recorded: object }>([
    { condition: { key: "password", op: "equals", value: "hunter2" }, recorded: { value: "‹secret, 7 characters›" } },
    {
      condition: { key: "db.password", op: "oneOf", values: ["hunter2", 12] },
      recorded: { values: ["‹secret, 7 characters›", "‹secret, 2 characters›"] },
    },
    {
      condition: { key: "token.value", op: "glob", pattern: "hunter2*" },
      recorded: { pattern: "‹secret, 8 characters›" },
    },
    {
      condition: { key: "auth", op: "host", patterns: ["hunter2"] },
      recorded: { patterns: ["‹secret, 7 characters›"] },
    },
    { condition: { key: "secret", op: "under", folder: "/hunter2" }, recorded: { folder: "‹secret, 8 characters›" } },
    {
      condition: { key: "kennwort", op: "oneOf", values: ["hunter2"] },
      recorded: { values: ["‹secret, 7 characters›"] },
    },
    { condition: { key: "path", op: "glob", pattern: "/x/*" }, recorded: { pattern: "/x/*" } },
  ])("records no secret that a grant compares with: $condition.key", ({ condition, recorded }) => {
    const { key, op } = condition
    const breadth = { kind: "tool", server: "s", tool: "t", when: [condition] } as const
    const created = { createdAt: 1, createdBy: "ann", from: null, lastUsedAt: null, timesUsed: 0 }
    const { body } = grantCreatedDraft({ id: "g1", effect: "allow", breadth, ...created }, 9, {
      redactor: createRedactor({ keys: ["kennwort"] }),
    })
    expect(body).toMatchObject({ breadth: { kind: "tool", when: [{ key, op, ...recorded }] } })
    expect(JSON.stringify(body)).not.toContain("hunter2")
  })
})
