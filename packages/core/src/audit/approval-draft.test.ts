import { describe, expect, it } from "vitest"
import type { Approval, Held, PendingApproval } from "../approval/approval.ts"
import type { ApprovalEvent } from "../approval/approval-event.ts"
import { newApproval } from "../approval/new-approval.ts"
import { transition } from "../approval/transition.ts"
import { nodeHasher as hasher } from "../node/hasher.ts"
import { approvalDraft } from "./approval-draft.ts"
import { createLifeCycleVerifier } from "./life-cycle-verifier.ts"
import { createRedactor } from "./redact.ts"

const token = "ghp_16C7e42F292c6912"
const tools = { hasher, digestKey: "key", redactor: createRedactor({ values: [token] }) }

function pendingWith(needs: Partial<Held["needs"]> = {}): PendingApproval {
  return newApproval({
    id: "a1",
    call: {
      tool: { server: "files", tool: "write_file" },
      args: { path: "/x" },
      principal: { id: "claude" },
      session: { principal: "claude", id: "s1", named: true },
    },
    access: "write",
    callDigest: "d1",
    fingerprint: "f1",
    policyVersion: "v1",
    why: "no rule",
    rule: null,
    remember: "allowed",
    needs: { approvals: 1, groups: [], selfApproval: false, ...needs },
    at: 0,
    wait: 1_000,
    caller: "w1/c1",
  })
}

const reviewer = (id: string) => ({ id, groups: [] })
const verdict = (by: string, more: object = {}): ApprovalEvent => ({
  type: "verdict",
  kind: "approve",
  reviewer: reviewer(by),
  digest: "d1",
  permitMs: 100,
  at: 5,
  ...more,
})
const claim: ApprovalEvent = { type: "claim", caller: "w1/c1", owner: "w1", leaseUntil: 50, fingerprint: "f1", at: 6 }
const settle = (outcome: object): ApprovalEvent => ({ type: "settle", owner: "w1", outcome, at: 7 }) as ApprovalEvent

/** The records of these events, one entry per event. */
function recordsOf(events: readonly ApprovalEvent[], start: PendingApproval = pendingWith()) {
  let approval: Approval = start
  return events.map((event) => {
    const move = transition(approval, event)
    if (move.kind !== "moved") throw new Error(`${event.type}: ${JSON.stringify(move)}`)
    const draft = approvalDraft(
      approval,
      move.next,
      event.at,
      tools,
      event.type === "extend" ? event.reviewer.id : undefined,
    )
    approval = move.next
    return draft
  })
}

describe("approvalDraft", () => {
  it("records nothing of a new approval: its judgement is the record", () => {
    expect(approvalDraft(null, pendingWith(), 0, tools)).toBeNull()
  })

  it("R145: records a held call's life at the approval's versions", () => {
    const drafts = recordsOf([
      verdict("ann", { reason: "fine" }),
      claim,
      settle({ kind: "succeeded", result: { text: `see ${token}`, secret: "abc" } }),
    ])
    expect(drafts.map((draft) => draft && [draft.type, draft.subject, draft.step])).toEqual([
      ["approval.approved", "a1", 1],
      ["run.started", "a1", 2],
      ["run.succeeded", "a1", 3],
    ])
    expect(drafts[0]?.body).toMatchObject({
      server: "files",
      tool: "write_file",
      by: "ann",
      reason: "fine",
      edited: false,
    })
    expect(drafts[1]?.body).toMatchObject({ approvedBy: "ann", owner: "w1" })
    expect(drafts[2]?.payload).toBe('{"text":"see ‹secret, 20 characters›","secret":"‹secret, 3 characters›"}')
  })

  it("records nothing of leases and of a late delivery", () => {
    const drafts = recordsOf([
      verdict("ann"),
      claim,
      { type: "renew-lease", owner: "w1", leaseUntil: 90, at: 7 },
      { type: "detach", caller: "w1/c1", permitMs: 100, at: 7 },
      settle({ kind: "succeeded", result: null }),
      { type: "attach", caller: "w1/c2", at: 8 },
      { type: "miss", caller: "w1/c2", at: 8 },
      { type: "attach", caller: "w1/c3", at: 9 },
      { type: "deliver", caller: "w1/c3", at: 9 },
    ])
    const silent = [false, false, true, true, false, true, true, true, true]
    expect(drafts.map((draft) => draft === null)).toEqual(silent)
  })

  it("records votes, also one that edits and so drops the one before", () => {
    const needs = { approvals: 1, groups: [] }
    const edit = { args: { path: "/y", token }, digest: "d2", needs, remember: "allowed" as const }
    const drafts = recordsOf(
      [verdict("ann"), verdict("bob", { edit }), verdict("cyd", { digest: "d2" })],
      pendingWith({ approvals: 2 }),
    )
    expect(drafts.map((draft) => draft?.type)).toEqual(["approval.voted", "approval.voted", "approval.approved"])
    expect(drafts.map((draft) => draft?.body.by)).toEqual(["ann", "bob", "cyd"])
    expect(drafts[1]?.body).toMatchObject({ edited: true, votes: 1 })
    expect(drafts[1]?.payload).toBe('{"path":"/y","token":"‹secret, 20 characters›"}')
  })

  it("records who extended it, and nothing of coming and going", () => {
    const drafts = recordsOf([
      { type: "detach", caller: "w1/c1", permitMs: 100, at: 1 },
      { type: "attach", caller: "w2/c2", at: 2 },
      { type: "extend", reviewer: reviewer("ann"), until: null, at: 3 },
    ])
    expect(drafts.map((draft) => draft?.type)).toEqual([undefined, undefined, "approval.extended"])
    expect(drafts[2]?.body).toMatchObject({ by: "ann", until: null })
  })

  it.each<{ event: ApprovalEvent; type: string; body: object }>([
    {
      event: verdict("ann", { kind: "deny", reason: `no ${token}` }),
      type: "approval.denied",
      body: { by: "ann", refusal: "denied-by-reviewer", reason: "no ‹secret, 20 characters›" },
    },
    {
      event: verdict("ann", { kind: "deny" }),
      type: "approval.denied",
      body: { by: "ann", refusal: "denied-by-reviewer", reason: null },
    },
    {
      event: { type: "forbid", refusal: { by: "policy", code: "denied-by-rule", reason: "new rule" }, at: 5 },
      type: "approval.denied",
      body: { by: null, refusal: "denied-by-rule", reason: "new rule" },
    },
    {
      event: { type: "expire", at: 2_000 },
      type: "approval.expired",
      body: { by: null, refusal: "expired", reason: null },
    },
    {
      event: { type: "cancel", detail: "gone", at: 5 },
      type: "approval.cancelled",
      body: { refusal: "cancelled", reason: "gone" },
    },
    {
      event: { type: "supersede", detail: "new", at: 5 },
      type: "approval.superseded",
      body: { refusal: "superseded" },
    },
  ])("R145: $type says who and why", ({ event, type, body }) => {
    expect(recordsOf([event])).toMatchObject([{ type, body }])
  })

  it.each<{ name: string; events: readonly ApprovalEvent[] }>([
    { name: "a run", events: [verdict("ann"), claim, settle({ kind: "failed", error: "no" })] },
    { name: "a lost run", events: [verdict("ann"), claim, { type: "lose", detail: "crash", at: 99 }] },
    { name: "a changed tool", events: [verdict("ann"), { ...claim, fingerprint: "f2" } as ApprovalEvent] },
    { name: "a permit that ran out", events: [verdict("ann"), { type: "expire", at: 500 }] },
  ])("what it records of $name is a life cycle that verifies", ({ events }) => {
    const verifier = createLifeCycleVerifier()
    verifier.push([{ subject: "a1", step: 0, type: "call.asked" }])
    verifier.push(recordsOf(events).filter((draft) => draft !== null))
    expect(verifier.end()).toMatchObject({ problems: [], unfinished: 0 })
  })
})
