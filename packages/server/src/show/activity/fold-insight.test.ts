import type { AuditRecord, AuditType, JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { foldInsight } from "./fold-insight.ts"

const since = 1_800_000_000_000
const hour = 60 * 60_000
const span = { since, until: since + 60 * hour }

function record(type: AuditType, subject: string, at: number, body: JsonObject = {}): AuditRecord {
  const known = { server: "files", tool: "write", by: null, refusal: null, ...body }
  return {
    writer: "w",
    seq: 0,
    type,
    subject,
    step: 0,
    at: since + at,
    hash: "",
    text: JSON.stringify({ body: known }),
  }
}

const keyOf = ({ principal, id }: { readonly principal: string; readonly id: string }): string => `${principal}/${id}`
const noWords = () => null

function folded(records: readonly AuditRecord[]) {
  const fold = foldInsight(span, keyOf)
  for (const each of records.toSorted((a, b) => b.at - a.at)) fold.take(each)
  return fold
}

describe("insight", () => {
  it("R150: counts calls by decision in bars that cover the time", () => {
    const { step, byDecision } = folded([
      record("call.allowed", "a", 0),
      record("call.allowed", "b", 30 * 60_000),
      record("call.asked", "c", hour),
      record("call.denied", "d", 59 * hour + 5),
      record("call.hidden", "e", 59 * hour + 5),
    ]).view(noWords)
    expect(step).toBe(hour)
    expect(byDecision.length).toBeGreaterThanOrEqual(60)
    const totals = byDecision.filter(({ allow, ask, deny, hide }) => allow + ask + deny + hide > 0)
    expect(totals).toEqual([
      { at: byDecision[0]?.at, allow: 2, ask: 0, deny: 0, hide: 0 },
      { at: byDecision[1]?.at, allow: 0, ask: 1, deny: 0, hide: 0 },
      { at: byDecision[59]?.at, allow: 0, ask: 0, deny: 1, hide: 1 },
    ])
    for (const { at } of byDecision) expect(at % hour).toBe(0)
  })

  it.each([
    { days: 1, bars: [48, 62] },
    { days: 7, bars: [48, 62] },
    { days: 90, bars: [40, 62] },
    { days: 3650, bars: [40, 62] },
  ])("has about sixty bars, of whole minutes, hours or days, over $days days", ({ days, bars: [least, most] }) => {
    const { byDecision } = foldInsight({ since, until: since + days * 24 * hour }, keyOf).view(noWords)
    expect(byDecision.length).toBeGreaterThanOrEqual(least ?? 0)
    expect(byDecision.length).toBeLessThanOrEqual(most ?? 0)
  })

  it("R150: tells how long people took, what is asked most, and who decides", () => {
    const { timeToDecide, asked, deciders } = folded([
      record("call.asked", "a", 0),
      record("approval.approved", "a", 4_000, { by: "ana" }),
      record("call.asked", "b", 0),
      record("approval.denied", "b", 20_000, { by: "ana", refusal: "denied-by-reviewer" }),
      record("call.asked", "c", 0),
      record("approval.approved", "c", 9 * hour, { by: "ben" }),
      record("call.asked", "d", 0, { tool: "read" }),
      record("call.asked", "e", 0, { tool: "read" }),
      record("approval.expired", "e", hour, { refusal: "expired" }),
    ]).view(noWords)
    expect(timeToDecide.medianMs).toBe(20_000)
    expect(timeToDecide.p95Ms).toBe(9 * hour)
    expect(timeToDecide.bars.filter(({ calls }) => calls > 0)).toEqual([
      { upToMs: 5_000, calls: 1 },
      { upToMs: 30_000, calls: 1 },
      { upToMs: null, calls: 1 },
    ])
    expect(asked).toEqual([
      { tool: { server: "files", tool: "write" }, approved: 2, denied: 1, open: 0 },
      { tool: { server: "files", tool: "read" }, approved: 0, denied: 0, open: 2 },
    ])
    expect(deciders).toEqual([
      { reviewer: "ana", approved: 1, denied: 1 },
      { reviewer: "ben", approved: 1, denied: 0 },
    ])
  })

  it("counts denials by their reason, of policy and of people alike", () => {
    const { denials } = folded([
      record("call.denied", "a", 0, { refusal: "denied-by-rule" }),
      record("call.denied", "b", 1, { refusal: "denied-by-rule" }),
      record("call.asked", "c", 0),
      record("approval.denied", "c", 2, { refusal: "denied-by-reviewer", by: "ana" }),
    ]).view(noWords)
    expect(denials.map(({ code, calls }) => [code, calls])).toEqual([
      ["denied-by-rule", 2],
      ["denied-by-reviewer", 1],
    ])
    expect(denials.every(({ words }) => words !== "")).toBe(true)
  })

  it("R150: counts a denial with its call: what was asked before the time is none of it, however late it was refused", () => {
    const { denials } = folded([
      record("approval.expired", "before", 1, { refusal: "expired" }),
      record("call.asked", "a", 2),
      record("approval.expired", "a", 3, { refusal: "expired" }),
    ]).view(noWords)
    expect(denials).toMatchObject([{ code: "expired", calls: 1 }])
  })

  it("a permit that ran out was approved, once, and did not run because it ran out", () => {
    const { asked, denials } = folded([
      record("call.asked", "a", 0),
      record("approval.approved", "a", 1, { by: "ana" }),
      record("approval.expired", "a", 2, { refusal: "expired" }),
    ]).view(noWords)
    expect(asked).toMatchObject([{ approved: 1, denied: 0, open: 0 }])
    expect(denials).toMatchObject([{ code: "expired", calls: 1 }])
  })

  it("says which calls were asked about and not answered within the time, and takes their answers later", () => {
    const fold = folded([record("call.asked", "a", 0), record("call.asked", "b", 0)])
    expect(fold.unanswered()).toEqual(["a", "b"])
    fold.take(record("approval.denied", "a", 100 * hour, { by: "ana", refusal: "denied-by-reviewer" }))
    expect(fold.unanswered()).toEqual(["b"])
    expect(fold.view(noWords)).toMatchObject({
      asked: [{ denied: 1, open: 1 }],
      deciders: [{ reviewer: "ana" }],
      denials: [{ code: "denied-by-reviewer", calls: 1 }],
    })
  })
})

describe("who calls most", () => {
  const by = (principal: string, session: string, more: JsonObject = {}): JsonObject => ({
    principal,
    session,
    ...more,
  })

  it("counts calls by agent, by session and by server, those with most first", () => {
    const { agents, sessions, servers } = folded([
      record("call.allowed", "a", 0, by("laptop", "s1")),
      record("call.allowed", "b", 1, by("laptop", "s2")),
      record("call.asked", "c", 2, by("laptop", "s2", { server: "mail" })),
      record("call.denied", "d", 3, by("ci", "s1")),
      record("call.hidden", "e", 4, by("inbox:ana", "inbox:ana")),
    ]).view(noWords)
    expect(agents).toEqual([
      { principal: "laptop", allow: 2, ask: 1, deny: 0, hide: 0 },
      { principal: "ci", allow: 0, ask: 0, deny: 1, hide: 0 },
    ])
    expect(sessions.map(({ sessionKey, allow, ask, deny }) => [sessionKey, allow, ask, deny])).toEqual([
      ["laptop/s2", 1, 1, 0],
      ["ci/s1", 0, 0, 1],
      ["laptop/s1", 1, 0, 0],
    ])
    expect(servers).toEqual([
      { server: "files", allow: 2, ask: 0, deny: 1, hide: 0 },
      { server: "mail", allow: 0, ask: 1, deny: 0, hide: 0 },
    ])
  })

  it("counts failures by tool with the call of the newest, and none whose call was made before the time", () => {
    const fold = folded([
      record("run.failed", "before", 1),
      record("call.allowed", "a", 1),
      record("run.failed", "a", 2),
      record("call.asked", "b", 3),
      record("approval.approved", "b", 4, { by: "ana" }),
      record("run.failed", "b", 5),
      record("call.allowed", "c", 3, { tool: "read" }),
      record("run.failed", "c", 9),
      record("call.allowed", "d", 3, { tool: "list" }),
    ])
    expect(fold.lastFailures()).toEqual(["b", "c"])
    expect(fold.view((call) => (call === "b" ? "disk full" : null)).failures).toEqual([
      { tool: { server: "files", tool: "write" }, calls: 2, words: "disk full" },
      { tool: { server: "files", tool: "read" }, calls: 1, words: null },
    ])
  })
})
