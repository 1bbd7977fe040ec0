import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Approval, ApprovalStatus, PendingApproval } from "./approval.ts"
import type { ApprovalEvent, Demands, Edit, Transition, TransitionRefusal } from "./approval-event.ts"
import { newApproval } from "./new-approval.ts"
import { longestPermitMs } from "./permit-expiry.ts"
import { transition } from "./transition.ts"
import { isCarried } from "./votes.ts"

type EventOf<Type extends ApprovalEvent["type"]> = Extract<ApprovalEvent, { type: Type }>

const minute = 60_000
const start = 1_000_000
const ann = { id: "ann", groups: ["ops"] }
const bob = { id: "bob", groups: ["dev"] }
const cat = { id: "cat", groups: ["ops", "dev"] }
const dan = { id: "dan", groups: [] }

function pending(changes: Partial<PendingApproval> = {}): PendingApproval {
  const made = newApproval({
    id: "a1",
    call: {
      tool: { server: "files", tool: "write_file" },
      args: { path: "/a" },
      principal: { id: "agent", owner: "dan" },
      session: { principal: "agent", id: "s1", named: true },
    },
    at: start,
    access: "write",
    callDigest: "d0",
    fingerprint: "f0",
    policyVersion: "p1",
    why: "held for approval because no rule matches",
    rule: null,
    remember: "allowed",
    needs: { approvals: 1, groups: [], selfApproval: false },
    caller: "c1",
    wait: 60 * minute,
  })
  return { ...made, ...changes }
}

const base = { at: start + minute }
const approve = (changes: Partial<EventOf<"verdict">> = {}): EventOf<"verdict"> => ({
  type: "verdict",
  kind: "approve",
  reviewer: ann,
  digest: "d0",
  permitMs: 10 * minute,
  ...base,
  ...changes,
})
const deny = (changes: Partial<EventOf<"verdict">> = {}) => approve({ kind: "deny", ...changes })
const edit = (digest: string): Edit => ({ args: { path: `/${digest}` }, digest })
const demands = (needs: Partial<Demands["needs"]>, remember: Demands["remember"] = "allowed"): Demands => ({
  needs: { approvals: 1, groups: [], selfApproval: true, ...needs },
  remember,
})
const claim = (changes: Partial<EventOf<"claim">> = {}): EventOf<"claim"> => ({
  type: "claim",
  caller: "c1",
  owner: "o1",
  leaseUntil: start + 2 * minute,
  fingerprint: "f0",
  ...base,
  ...changes,
})
const runNow = {
  type: "run-now",
  reviewer: ann,
  owner: "o1",
  leaseUntil: start + 2 * minute,
  fingerprint: "f0",
} as const
const settle = (changes: Partial<EventOf<"settle">> = {}): EventOf<"settle"> => ({
  type: "settle",
  owner: "o1",
  outcome: { kind: "succeeded", result: { ok: true } },
  ...base,
  ...changes,
})
const detach: ApprovalEvent = { type: "detach", caller: "c1", permitMs: 10 * minute, ...base }
const refusal = { by: "policy", code: "denied-by-rule", reason: "not here" } as const

const oneOfEach: { readonly [Type in ApprovalEvent["type"]]: EventOf<Type> } = {
  verdict: approve(),
  attach: { type: "attach", caller: "c9", ...base },
  detach,
  extend: { type: "extend", reviewer: ann, until: start + 120 * minute, ...base },
  "renew-permit": { type: "renew-permit", permitMs: 30 * minute, ...base },
  claim: claim(),
  "run-now": { ...runNow, ...base },
  "renew-lease": { type: "renew-lease", owner: "o1", leaseUntil: start + 9 * minute, ...base },
  "take-over": { type: "take-over", from: "o1", owner: "o2", leaseUntil: start + 9 * minute, ...base },
  settle: settle(),
  lose: { type: "lose", detail: "the process died", ...base },
  expire: { type: "expire", ...base },
  cancel: { type: "cancel", detail: "withdrawn", ...base },
  revoke: { type: "revoke", reviewer: ann, ...base },
  forbid: { type: "forbid", refusal, ...base },
  supersede: { type: "supersede", detail: "changed", ...base },
  deliver: { type: "deliver", caller: "c1", ...base },
  miss: { type: "miss", caller: "c1", ...base },
}

function after(approval: Approval, ...events: readonly ApprovalEvent[]): Approval {
  return events.reduce((current, event) => {
    const result = transition(current, event)
    return result.kind === "moved" ? result.next : current
  }, approval)
}

function codeOf(result: Transition): TransitionRefusal["code"] | "unchanged" | "moved" {
  return result.kind === "refused" ? result.refusal.code : result.kind
}

const oneInEach: { readonly [Status in ApprovalStatus]: Approval } = {
  pending: pending(),
  approved: after(pending(), approve()),
  running: after(pending(), approve(), claim()),
  succeeded: after(pending(), approve(), claim(), settle()),
  failed: after(pending(), approve(), claim(), settle({ outcome: { kind: "failed", error: "no" } })),
  unknown: after(pending(), approve(), claim(), settle({ outcome: { kind: "unknown", detail: "cut off" } })),
  denied: after(pending(), deny()),
  expired: after(pending(), { type: "expire", at: start + 60 * minute }),
  cancelled: after(pending(), oneOfEach.cancel),
  superseded: after(pending(), oneOfEach.supersede),
}

describe("every event in every status", () => {
  const settled = {
    verdict: "already-settled",
    attach: "already-settled",
    detach: "already-settled",
    extend: "already-settled",
    "renew-permit": "already-settled",
    claim: "already-settled",
    "run-now": "already-settled",
    "renew-lease": "already-settled",
    "take-over": "already-settled",
    settle: "already-settled",
    lose: "already-settled",
    expire: "already-settled",
    cancel: "already-settled",
    revoke: "already-settled",
    forbid: "already-settled",
    supersede: "already-settled",
    deliver: "already-settled",
    miss: "already-settled",
  } as const
  const table: { readonly [Status in ApprovalStatus]: { readonly [Type in ApprovalEvent["type"]]: string } } = {
    pending: {
      verdict: "approved",
      attach: "has-caller",
      detach: "pending",
      extend: "pending",
      "renew-permit": "not-approved",
      claim: "not-approved",
      "run-now": "not-approved",
      "renew-lease": "not-the-owner",
      "take-over": "not-the-owner",
      settle: "not-the-owner",
      lose: "not-due",
      expire: "not-due",
      cancel: "cancelled",
      revoke: "not-approved",
      forbid: "denied",
      supersede: "superseded",
      deliver: "not-due",
      miss: "not-due",
    },
    approved: {
      verdict: "unchanged",
      attach: "has-caller",
      detach: "approved",
      extend: "not-pending",
      "renew-permit": "approved",
      claim: "running",
      "run-now": "has-caller",
      "renew-lease": "not-the-owner",
      "take-over": "not-the-owner",
      settle: "not-the-owner",
      lose: "not-due",
      expire: "not-due",
      cancel: "cancelled",
      revoke: "has-caller",
      forbid: "denied",
      supersede: "superseded",
      deliver: "not-due",
      miss: "not-due",
    },
    running: {
      verdict: "unchanged",
      attach: "has-caller",
      detach: "running",
      extend: "not-pending",
      "renew-permit": "not-approved",
      claim: "not-approved",
      "run-now": "not-approved",
      "renew-lease": "running",
      "take-over": "running",
      settle: "succeeded",
      lose: "not-due",
      expire: "not-pending",
      cancel: "running",
      revoke: "not-approved",
      forbid: "not-pending",
      supersede: "not-pending",
      deliver: "not-due",
      miss: "not-due",
    },
    succeeded: { ...settled, verdict: "unchanged", attach: "has-caller", deliver: "succeeded", miss: "succeeded" },
    failed: { ...settled, verdict: "unchanged", attach: "has-caller", deliver: "failed", miss: "failed" },
    unknown: { ...settled, verdict: "unchanged" },
    denied: { ...settled, verdict: "conflict" },
    expired: settled,
    cancelled: settled,
    superseded: settled,
  }
  const cases = Object.entries(table).flatMap(([status, row]) =>
    Object.entries(row).map(([type, expected]) => ({ status, type, expected })),
  )

  it.each(cases)("$status + $type gives $expected", ({ status, type, expected }) => {
    const result = transition(oneInEach[status as ApprovalStatus], oneOfEach[type as ApprovalEvent["type"]])
    expect(result.kind === "moved" ? result.next.status : codeOf(result)).toBe(expected)
  })
})

describe("a verdict", () => {
  it("R44, R94: an approval tells the caller and keeps who gave it", () => {
    const result = transition(pending(), approve({ reason: "fine" }))
    expect(result).toMatchObject({
      kind: "moved",
      next: {
        status: "approved",
        by: "ann",
        grant: null,
        runDigest: "d0",
        votes: [{ reviewer: "ann", reason: "fine" }],
      },
      effects: [{ type: "tell-caller", caller: "c1" }],
    })
  })

  it("R45, R95, R96: a denial tells the caller why", () => {
    expect(transition(pending(), deny({ reason: "wrong folder" }))).toMatchObject({
      next: {
        status: "denied",
        by: "ann",
        refusal: { by: "reviewer", code: "denied-by-reviewer", reason: "wrong folder" },
      },
      effects: [{ type: "tell-caller", caller: "c1" }],
    })
  })

  it("C14: a denial needs no reason", () => {
    expect(after(pending(), deny())).toMatchObject({
      status: "denied",
      refusal: { reason: "" },
    })
  })

  it.each([
    { name: "approve of other arguments", event: approve({ digest: "d1" }) },
    { name: "deny of other arguments", event: deny({ digest: "d1" }) },
    { name: "edit of other arguments", event: approve({ digest: "d1", edit: edit("d2") }) },
  ])("I2: $name is refused", ({ event }) => {
    expect(transition(pending(), event)).toMatchObject({ refusal: { code: "digest-mismatch", expected: "d0" } })
  })

  it.each([
    { name: "the same approval", start: after(pending(), approve()), event: approve(), code: "unchanged" },
    {
      name: "another's approval of the same",
      start: after(pending(), approve()),
      event: approve({ reviewer: bob }),
      code: "unchanged",
    },
    {
      name: "the same edit",
      start: after(pending(), approve({ edit: edit("d1") })),
      event: approve({ edit: edit("d1") }),
      code: "unchanged",
    },
    {
      name: "another edit",
      start: after(pending(), approve({ edit: edit("d1") })),
      event: approve({ edit: edit("d2") }),
      code: "edit-after-vote",
    },
    {
      name: "an approval of what stood before the edit",
      start: after(pending(), approve({ edit: edit("d1") })),
      event: approve(),
      code: "digest-mismatch",
    },
    {
      name: "a denial of what was approved",
      start: after(pending(), approve()),
      event: deny({ reviewer: bob }),
      code: "conflict",
    },
    { name: "the same denial", start: after(pending(), deny()), event: deny(), code: "unchanged" },
    {
      name: "an approval of what was denied",
      start: after(pending(), deny()),
      event: approve({ reviewer: bob }),
      code: "conflict",
    },
    { name: "a denial of what ran", start: oneInEach.succeeded, event: deny(), code: "conflict" },
    {
      name: "agreement by one who may not approve",
      start: after(pending(), approve()),
      event: approve({ reviewer: dan }),
      code: "self-approval",
    },
  ])("I5: $name gives $code", ({ start, event, code }) => {
    expect(codeOf(transition(start, event))).toBe(code)
  })

  it("I6: the token's owner may not approve, may deny, and may approve where policy says so", () => {
    const allowed = pending({ needs: { approvals: 1, groups: [], selfApproval: true } })
    expect(codeOf(transition(pending(), approve({ reviewer: dan })))).toBe("self-approval")
    expect(after(pending(), deny({ reviewer: dan })).status).toBe("denied")
    expect(after(allowed, approve({ reviewer: dan })).status).toBe("approved")
  })

  describe("by several reviewers", () => {
    const two = pending({ needs: { approvals: 2, groups: ["ops"], selfApproval: false } })

    it("I7: two different members of the group approve together", () => {
      const once = after(two, approve())
      expect(once.status).toBe("pending")
      expect(after(once, approve({ reviewer: cat }))).toMatchObject({ status: "approved", by: "cat" })
    })

    it("I7: one person does not count twice", () => {
      expect(codeOf(transition(after(two, approve()), approve()))).toBe("unchanged")
    })

    it("I7: not even where stored votes say so twice, or were of other arguments", () => {
      const vote = { reviewer: "ann", groups: ["ops"], kind: "approve", digest: "d0", at: start } as const
      const again = { ...vote, at: start + 1 }
      const other = { ...vote, reviewer: "eve", digest: "d9" }
      expect(isCarried({ ...two, votes: [vote, again, other] })).toBe(false)
      expect(isCarried({ ...two, votes: [vote, { ...vote, reviewer: "cat" }] })).toBe(true)
    })

    it("I7: who is in none of the groups does not count, and may deny", () => {
      expect(transition(two, approve({ reviewer: bob }))).toMatchObject({
        refusal: { code: "not-in-group", groups: ["ops"] },
      })
      expect(after(two, approve(), deny({ reviewer: bob })).status).toBe("denied")
    })

    it("I7: who approved may still deny while nothing is decided", () => {
      expect(after(two, approve(), deny()).status).toBe("denied")
    })

    it("I7, C16: an edit starts the count anew and both versions are kept", () => {
      const edited = after(two, approve(), approve({ reviewer: cat, edit: edit("d1") }))
      expect(edited).toMatchObject({
        status: "pending",
        args: { path: "/a" },
        editedArgs: { path: "/d1" },
        callDigest: "d0",
        runDigest: "d1",
      })
      expect(edited.votes.map(({ reviewer, digest }) => [reviewer, digest])).toEqual([["cat", "d1"]])
      expect(after(edited, approve({ digest: "d1" })).status).toBe("approved")
    })

    it("I7: a yes raises what is needed to what policy demands now, for its own vote as well, and never lowers it", () => {
      const fay = { id: "fay", groups: ["finance"] }
      const strict = { edit: edit("d1"), demands: demands({ approvals: 2, groups: ["finance"] }, "never") }
      expect(transition(pending(), approve(strict))).toMatchObject({ refusal: { code: "not-in-group" } })
      const raised = after(pending(), approve({ reviewer: fay, ...strict }))
      expect(raised).toMatchObject({
        status: "pending",
        remember: "never",
        needs: { approvals: 2, groups: ["finance"] },
      })
      const lax = after(raised, approve({ reviewer: fay, digest: "d1", edit: edit("d2"), demands: demands({}) }))
      expect(lax).toMatchObject({ status: "pending", remember: "never", needs: { approvals: 2, groups: ["finance"] } })
    })

    it("I7: an earlier vote of somebody who may not approve any more does not count", () => {
      const ofAnyone = after(pending({ needs: demands({ approvals: 2 }).needs }), approve({ reviewer: bob }))
      const reviewer = { id: "gus", groups: ["finance"] }
      expect(after(ofAnyone, approve({ reviewer })).status).toBe("approved")
      const inGroup = approve({ reviewer, demands: demands({ groups: ["finance"] }) })
      expect(after(ofAnyone, inGroup).status).toBe("pending")
    })

    it("I6: who owns the calling token approves no more once policy says so", () => {
      const own = pending({ principal: { id: "agent", owner: "ann" }, needs: demands({}).needs })
      expect(after(own, approve()).status).toBe("approved")
      const refused = transition(own, approve({ demands: demands({ selfApproval: false }) }))
      expect(refused).toMatchObject({ refusal: { code: "self-approval" } })
    })

    it("an edit back to what the caller sent is no edit", () => {
      const back = after(two, approve({ edit: edit("d1") }), approve({ reviewer: cat, digest: "d1", edit: edit("d0") }))
      expect(back).toMatchObject({ editedArgs: null, runDigest: "d0" })
    })
  })
})

describe("the two clocks", () => {
  const end = start + 60 * minute

  it.each([
    { name: "a verdict a millisecond before", event: approve({ at: end - 1 }), code: "moved" },
    { name: "a verdict at the moment", event: approve({ at: end }), code: "past-expiry" },
    { name: "a denial after", event: deny({ at: end + 1 }), code: "past-expiry" },
    { name: "an extension after", event: { ...oneOfEach.extend, at: end }, code: "past-expiry" },
    { name: "expiry before", event: { type: "expire", at: end - 1 } as const, code: "not-due" },
    { name: "expiry at the moment", event: { type: "expire", at: end } as const, code: "moved" },
  ])("I8, R152, R153, C1: $name gives $code", ({ event, code }) => {
    expect(codeOf(transition(pending(), event))).toBe(code)
  })

  const everyType = Object.keys(oneOfEach) as readonly ApprovalEvent["type"][]
  it.each(everyType)("I8: past its expiry, %s does no more than end the call", (type) => {
    const waiting = pending({ caller: null })
    for (const open of [waiting, pending(), after(waiting, approve()), after(pending(), approve())]) {
      const result = transition(open, { ...oneOfEach[type], at: end })
      const ends = ["expire", "cancel", "forbid", "supersede"].includes(type)
      expect(result.kind).toBe(ends ? "moved" : "refused")
    }
  })

  it("R155, C1: a call without a deadline waits for weeks", () => {
    const weeks = start + 60 * 24 * 60 * minute
    const forever = pending({ expiresAt: null })
    expect(codeOf(transition(forever, { type: "expire", at: weeks }))).toBe("not-due")
    expect(after(forever, approve({ at: weeks })).status).toBe("approved")
  })

  it("R154: expiry is its own state, and the caller is told", () => {
    expect(transition(pending(), { type: "expire", at: end })).toMatchObject({
      next: { status: "expired", settledAt: end },
      effects: [{ type: "tell-caller", caller: "c1" }],
    })
  })

  it("a deadline that is not a number has passed", () => {
    expect(codeOf(transition(pending({ expiresAt: Number.NaN }), approve()))).toBe("past-expiry")
  })

  it.each([
    { name: "later", until: end + 1, result: "moved" },
    { name: "never", until: null, result: "moved" },
    { name: "sooner than it stands", until: end - 1, result: "unchanged" },
    { name: "already past", until: start, result: "past-expiry" },
    { name: "not a number", until: Number.NaN, result: "past-expiry" },
  ])("an extension to $name gives $result", ({ until, result }) => {
    expect(codeOf(transition(pending(), { ...oneOfEach.extend, until }))).toBe(result)
  })
})

it.each(["pending", "approved", "running"] as const)("who does not wait on a %s call cannot leave it", (status) => {
  expect(codeOf(transition(oneInEach[status], { ...oneOfEach.detach, caller: "c2" }))).toBe("not-the-caller")
  const alone = { ...oneInEach[status], caller: null }
  expect(codeOf(transition(alone, oneOfEach.detach))).toBe("unchanged")
  expect(after(alone, oneOfEach.attach)).toMatchObject({ status, caller: "c9" })
})

describe("a permit", () => {
  const alone = pending({ caller: null })
  const permit = after(alone, approve())

  it("tells nobody and lives for its time", () => {
    expect(transition(alone, approve())).toMatchObject({ next: { expiresAt: base.at + 10 * minute }, effects: [] })
  })

  it("lives on with its session's signs of life, at most eight hours", () => {
    const sign = (at: number, permitMs = 10 * minute): ApprovalEvent => ({ type: "renew-permit", permitMs, at })
    expect(after(permit, sign(base.at + 5 * minute))).toMatchObject({ expiresAt: base.at + 15 * minute })
    expect(after(permit, sign(base.at + minute, 99 * longestPermitMs))).toMatchObject({
      expiresAt: base.at + longestPermitMs,
    })
    expect(after(alone, approve({ permitMs: 99 * longestPermitMs }))).toMatchObject({
      expiresAt: base.at + longestPermitMs,
    })
  })

  it("begins when the caller leaves an approved call", () => {
    const left = after(pending(), approve(), { ...detach, at: base.at + 3 * minute })
    expect(left).toMatchObject({ status: "approved", caller: null, expiresAt: base.at + 13 * minute })
  })

  it("I10: is claimed by a caller that was not there before, who is attached by it", () => {
    expect(after(permit, claim({ caller: "c2" }))).toMatchObject({ status: "running", caller: "c2", approvedBy: "ann" })
  })

  it("I8: is not claimed when its time has come", () => {
    const end = base.at + 10 * minute
    expect(codeOf(transition(permit, claim({ at: end })))).toBe("past-expiry")
    expect(after(permit, { type: "expire", at: end }).status).toBe("expired")
  })
})

describe("a run", () => {
  const running = after(pending(), approve(), claim())

  it("I9: another definition supersedes instead", () => {
    expect(transition(oneInEach.approved, claim({ fingerprint: "f1" }))).toMatchObject({
      next: { status: "superseded" },
      effects: [{ type: "tell-caller", caller: "c1" }],
    })
  })

  it("I10: another caller does not get it", () => {
    expect(codeOf(transition(oneInEach.approved, claim({ caller: "c2", fingerprint: "f1" })))).toBe("has-caller")
  })

  it.each([
    { name: "settled by another", event: settle({ owner: "o2" }), code: "not-the-owner" },
    { name: "lost within its lease", event: { ...oneOfEach.lose, at: start + 2 * minute - 1 }, code: "not-due" },
    { name: "lost after its lease", event: { ...oneOfEach.lose, at: start + 2 * minute }, code: "moved" },
    { name: "lease renewed by another", event: { ...oneOfEach["renew-lease"], owner: "o2" }, code: "not-the-owner" },
    {
      name: "lease renewed to an earlier time",
      event: { ...oneOfEach["renew-lease"], leaseUntil: start },
      code: "unchanged",
    },
  ])("I12: $name gives $code", ({ event, code }) => {
    expect(codeOf(transition(running, event))).toBe(code)
  })

  it("I15: it is not taken over from another than its owner", () => {
    expect(codeOf(transition(running, { ...oneOfEach["take-over"], from: "o2" }))).toBe("not-the-owner")
  })

  it("I15: taken over, it does not run anew, and only its new owner settles it", () => {
    const taken = transition(running, oneOfEach["take-over"])
    expect(taken).toMatchObject({ kind: "moved", next: { status: "running", owner: "o2", caller: "c1" }, effects: [] })
    const now = after(running, oneOfEach["take-over"])
    expect(codeOf(transition(now, settle()))).toBe("not-the-owner")
    expect(after(now, settle({ owner: "o2" })).status).toBe("succeeded")
  })

  it("I12: a cancel is passed on once, and the outcome still settles it", () => {
    const cancelled = transition(running, oneOfEach.cancel)
    expect(cancelled).toMatchObject({
      next: { cancelAsked: true },
      effects: [{ type: "cancel-upstream", owner: "o1" }],
    })
    const asked = after(running, oneOfEach.cancel)
    expect(codeOf(transition(asked, oneOfEach.cancel))).toBe("unchanged")
    expect(after(asked, settle()).status).toBe("succeeded")
  })

  it("I1: an outcome nobody received is given away once and changes in nothing else", () => {
    const unheard = after(running, detach, settle())
    expect(unheard).toMatchObject({ status: "succeeded", delivered: false, caller: null })
    const given = after(unheard, oneOfEach.attach, { type: "deliver", caller: "c9", ...base })
    expect(given).toEqual({ ...unheard, version: unheard.version + 2, caller: "c9", delivered: true })
    for (const event of [oneOfEach.attach, oneOfEach.deliver, oneOfEach.miss]) {
      expect(codeOf(transition(given, event))).toBe("already-settled")
    }
  })

  it("I14: settling delivers nothing; the caller it is given to has the word, and when it was gone the next one", () => {
    const given = after(running, settle())
    expect(given).toMatchObject({ status: "succeeded", delivered: false, caller: "c1" })
    expect(codeOf(transition(given, { type: "deliver", caller: "c9", ...base }))).toBe("not-the-caller")
    expect(codeOf(transition(given, { type: "miss", caller: "c9", ...base }))).toBe("not-the-caller")
    const missed = after(given, oneOfEach.miss)
    expect(missed).toEqual({ ...given, version: given.version + 1, caller: null })
    expect(codeOf(transition(missed, oneOfEach.deliver))).toBe("not-the-caller")
    expect(after(missed, oneOfEach.attach)).toMatchObject({ caller: "c9", delivered: false })
  })

  it("keeps nothing of the statuses before", () => {
    const { succeeded, running: ran } = oneInEach
    for (const key of ["expiresAt", "owner", "leaseUntil", "cancelAsked", "by", "grant", "at"]) {
      expect(succeeded).not.toHaveProperty(key)
    }
    expect(ran).not.toHaveProperty("expiresAt")
  })
})

describe("an approval that nobody has used", () => {
  const revoke = oneOfEach.revoke

  it("is taken back by a reviewer, and then runs no more", () => {
    const revoked = after(pending(), approve(), detach, revoke)
    expect(revoked).toMatchObject({
      status: "cancelled",
      detail: "ann revoked the approval before it was used.",
    })
    expect(codeOf(transition(revoked, claim()))).toBe("already-settled")
  })

  it("is not taken back from an agent that waits for it, nor once it runs", () => {
    expect(codeOf(transition(after(pending(), approve()), revoke))).toBe("has-caller")
    expect(codeOf(transition(after(pending(), approve(), claim()), revoke))).toBe("not-approved")
  })
})

describe("an approved call run on a reviewer's word", () => {
  const permit = after(pending(), approve(), detach)
  const at = start + 2 * minute

  it("I16: runs with nobody attached, keeps who had it run, and its outcome as long as the permit would have been good", () => {
    const running = after(permit, { ...runNow, at })
    const kept = { by: "ann", keptUntil: "expiresAt" in permit ? permit.expiresAt : null }
    expect(running).toMatchObject({ status: "running", caller: null, approvedBy: "ann", owner: "o1", runNow: kept })
    expect(after(running, settle())).toMatchObject({
      status: "succeeded",
      delivered: false,
      caller: null,
      runNow: kept,
    })
  })

  it("I9: a changed definition supersedes it", () => {
    expect(after(permit, { ...runNow, fingerprint: "f1", at })).toMatchObject({ status: "superseded" })
  })

  it("is the agent's to wait for while it runs, and the agent's claim does not run it again", () => {
    const back = after(permit, { ...runNow, at }, { type: "attach", caller: "c2", at })
    expect(back).toMatchObject({ status: "running", caller: "c2" })
    expect(codeOf(transition(back, claim({ caller: "c2", at })))).toBe("not-approved")
  })
})

describe("whatever events arrive", () => {
  const soon = fc.integer({ min: 0, max: 90 }).map((minutes) => start + minutes * minute)
  const digest = fc.constantFrom("d0", "d0", "d0", "d1", "d2")
  const caller = fc.constantFrom("c1", "c1", "c2")
  const owner = fc.constantFrom("o1", "o1", "o2")
  const reviewer = fc.constantFrom(ann, bob, cat, dan)
  const permitMs = fc.integer({ min: 1, max: 12 * 60 * minute })
  const kind = fc.oneof({ weight: 12, arbitrary: fc.constant("approve" as const) }, fc.constant("deny" as const))
  const anyEdit = fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    fc.constantFrom("d0", "d1", "d2").map(edit),
  )
  const verdict = fc
    .record({ kind, reviewer, digest, anyEdit, permitMs, at: soon })
    .map(({ anyEdit, ...fields }) => approve({ ...fields, ...(anyEdit === undefined ? {} : { edit: anyEdit }) }))
  const outcome = fc.constantFrom(
    { kind: "succeeded", result: 1 } as const,
    { kind: "failed", error: "no" } as const,
    { kind: "unknown", detail: "cut off" } as const,
  )
  const of = <Type extends ApprovalEvent["type"]>(type: Type) => ({ type: fc.constant(type), at: soon })
  const often = (weight: number, arbitrary: fc.Arbitrary<ApprovalEvent>) => ({ weight, arbitrary })
  const fingerprint = fc.constantFrom("f0", "f0", "f0", "f1")
  // Weighted so that many walks come to run, and few end before.
  const anyEvent: fc.Arbitrary<ApprovalEvent> = fc.oneof(
    often(12, verdict),
    often(10, fc.record({ ...of("claim"), caller, owner, leaseUntil: soon, fingerprint })),
    often(3, fc.record({ ...of("run-now"), reviewer, owner, leaseUntil: soon, fingerprint })),
    often(6, fc.record({ ...of("settle"), owner, outcome })),
    often(3, fc.record({ ...of("attach"), caller })),
    often(3, fc.record({ ...of("detach"), caller, permitMs })),
    often(2, fc.record({ ...of("extend"), reviewer, until: fc.option(soon, { nil: null }) })),
    often(2, fc.record({ ...of("renew-permit"), permitMs })),
    often(2, fc.record({ ...of("renew-lease"), owner, leaseUntil: soon })),
    often(2, fc.record({ ...of("take-over"), from: owner, owner, leaseUntil: soon })),
    often(2, fc.record({ ...of("deliver"), caller })),
    often(1, fc.record({ ...of("miss"), caller })),
    often(1, fc.record({ ...of("lose"), detail: fc.constant("silent") })),
    often(1, fc.record({ ...of("expire") })),
    often(1, fc.record({ ...of("cancel"), detail: fc.constant("left") })),
    often(1, fc.record({ ...of("revoke"), reviewer })),
    often(1, fc.record({ ...of("forbid"), refusal: fc.constant(refusal) })),
    often(1, fc.record({ ...of("supersede"), detail: fc.constant("changed") })),
  )
  const anyPending = fc
    .record({
      approvals: fc.constantFrom(1, 1, 2, 3),
      groups: fc.constantFrom<readonly string[]>([], [], ["ops"], ["ops", "dev"]),
      selfApproval: fc.boolean(),
      caller: fc.option(caller),
      expiresAt: fc.option(
        soon.map((at) => at + 45 * minute),
        { freq: 1 },
      ),
    })
    .map(({ caller, expiresAt, ...needs }) => pending({ caller, expiresAt, needs }))

  type Step = { readonly before: Approval; readonly event: ApprovalEvent; readonly result: Transition }

  const anyWalk = fc
    .tuple(anyPending, fc.array(anyEvent, { minLength: 1, maxLength: 40, size: "max" }))
    .map(([first, events]) => {
      const steps: Step[] = []
      let before: Approval = first
      for (const event of events) {
        const result = transition(before, event)
        steps.push({ before, event, result })
        if (result.kind === "moved") before = result.next
      }
      return steps
    })

  const runs = { numRuns: 1_000 }
  const always = (holds: (steps: readonly Step[]) => void) => fc.assert(fc.property(anyWalk, holds), runs)
  const eachStep = (holds: (step: Step) => void) => always((steps) => steps.forEach(holds))
  const eachMove = (holds: (before: Approval, event: ApprovalEvent, next: Approval) => void) =>
    eachStep(({ before, event, result }) => {
      if (result.kind === "moved") holds(before, event, result.next)
    })
  const isOpen = ({ status }: Approval) => status === "pending" || status === "approved" || status === "running"

  it("these walks reach every status, and many of them run", () => {
    const walks = fc.sample(anyWalk, { seed: 7, numRuns: 1_000 })
    const reached = walks.flatMap((steps) => steps.map(({ before }) => before.status))
    expect(new Set(reached)).toEqual(new Set(Object.keys(oneInEach)))
    expect(walks.filter((steps) => steps.some(({ before }) => before.status === "running")).length).toBeGreaterThan(100)
  })

  it("I1, I14: a settled approval never changes, but for who is given its outcome until one of them received it", () => {
    eachMove((before, event, next) => {
      if (isOpen(before)) return
      expect(before).toHaveProperty("delivered", false)
      const { version } = before
      const delivered = event.type === "deliver"
      expect(next).toEqual({ ...before, version: version + 1, caller: next.caller, delivered })
      if (delivered) expect([before.caller, next.caller]).toEqual([event.caller, event.caller])
    })
  })

  it("I2: what is approved is what the reviewer saw or wrote", () => {
    eachMove((before, event, next) => {
      if (next.status !== "approved" || before.status !== "pending") return
      if (event.type !== "verdict") throw new Error(`approved by ${event.type}`)
      expect(event.digest).toBe(before.runDigest)
      expect(next.runDigest).toBe(event.edit?.digest ?? event.digest)
    })
  })

  it("I3, I4: a call runs at most once, and never after it was refused", () => {
    always((steps) => {
      const running = steps.filter(
        ({ result }) => result.kind === "moved" && result.effects.some(({ type }) => type === "run-call"),
      )
      expect(running.length).toBeLessThanOrEqual(1)
      for (const { before, result } of running) {
        expect(before.status).toBe("approved")
        expect(result).toHaveProperty("next.status", "running")
      }
    })
  })

  it("I5: a verdict given again changes nothing, and its opposite is refused once it has decided", () => {
    eachMove((_, event, next) => {
      if (event.type !== "verdict" || next.status === "pending") return
      expect(transition(next, event).kind).toBe("unchanged")
      const opposite = { ...event, kind: event.kind === "deny" ? "approve" : "deny" } as const
      expect(codeOf(transition(next, opposite))).toBe("conflict")
    })
  })

  it("I6, I7: enough different people who may approve have approved what runs", () => {
    eachMove((before, _, next) => {
      if (next.status !== "approved" || before.status !== "pending") return
      const { approvals, groups, selfApproval } = next.needs
      const voters = new Set(next.votes.map((vote) => vote.reviewer))
      expect(voters.size).toBeGreaterThanOrEqual(approvals)
      for (const vote of next.votes) {
        expect(vote).toMatchObject({ kind: "approve", digest: next.runDigest })
        if (!selfApproval) expect(vote.reviewer).not.toBe("dan")
        if (groups.length > 0) expect(groups.some((group) => vote.groups.includes(group))).toBe(true)
      }
    })
  })

  it("I8: past its expiry a call only ends", () => {
    eachMove((before, event, next) => {
      if (before.status !== "pending" && before.status !== "approved") return
      if (before.expiresAt === null || event.at < before.expiresAt) expect(next.status).not.toBe("expired")
      else expect(["expired", "cancelled", "denied", "superseded"]).toContain(next.status)
    })
  })

  it("I9, I10: a claim runs what it was approved as, for the caller that is there", () => {
    eachMove((before, event, next) => {
      if (event.type !== "claim") return
      expect(before.status).toBe("approved")
      expect([null, event.caller]).toContain(before.caller)
      expect(next.caller).toBe(event.caller)
      expect(next.status).toBe(event.fingerprint === before.fingerprint ? "running" : "superseded")
    })
  })

  it("I16: a reviewer runs only what is approved and nobody is attached to", () => {
    eachMove((before, event, next) => {
      if (event.type !== "run-now") return
      expect([before.status, before.caller, next.caller]).toEqual(["approved", null, null])
      expect(next.status).toBe(event.fingerprint === before.fingerprint ? "running" : "superseded")
    })
  })

  it("I11: no caller takes another's place", () => {
    eachMove((before, _, next) => {
      if (before.caller !== null) expect([null, before.caller]).toContain(next.caller)
    })
  })

  it("I12: a run ends by its owner, or lost after its lease", () => {
    eachMove((before, event, next) => {
      if (before.status !== "running" || next.status === "running") return
      if (event.type === "settle") expect(event.owner).toBe(before.owner)
      else {
        expect(event.type).toBe("lose")
        expect(event.at).toBeGreaterThanOrEqual(before.leaseUntil)
        expect(next.status).toBe("unknown")
      }
    })
  })

  it("I13: every move raises the version by one and keeps what was asked", () => {
    eachMove((before, _, next) => {
      expect(next.version).toBe(before.version + 1)
      const { id, tool, session, principal, callDigest, args, fingerprint, needs } = before
      expect(next).toMatchObject({ id, tool, session, principal, callDigest, args, fingerprint, needs })
    })
  })

  it("R97, R98: what becomes of one call leaves another alone", () => {
    const [a, b] = [pending({ id: "a" }), pending({ id: "b" })]
    expect([after(a, approve()).status, after(b, deny()).status, a.status, b.status]).toEqual([
      "approved",
      "denied",
      "pending",
      "pending",
    ])
  })
})
