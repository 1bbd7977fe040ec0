import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { AuditProblemCode } from "./audit-problem.ts"
import { createLifeCycleVerifier, type LifeCycleRow } from "./life-cycle-verifier.ts"
import { type AuditType, auditTypes } from "./record.ts"

function verify(rows: readonly LifeCycleRow[]) {
  const verifier = createLifeCycleVerifier()
  for (const row of rows) verifier.push([row])
  return verifier.end()
}

function lifeOf(types: readonly AuditType[], subject = "c1"): LifeCycleRow[] {
  return types.map((type, step) => ({ subject, step, type }))
}

describe("createLifeCycleVerifier", () => {
  it.each<{ types: readonly AuditType[]; unfinished: number }>([
    { types: ["call.hidden"], unfinished: 0 },
    { types: ["call.denied"], unfinished: 0 },
    { types: ["call.allowed"], unfinished: 1 },
    { types: ["call.allowed", "run.unknown"], unfinished: 0 },
    { types: ["call.asked"], unfinished: 1 },
    { types: ["call.asked", "approval.extended", "approval.expired"], unfinished: 0 },
    { types: ["call.asked", "approval.voted", "approval.approved"], unfinished: 1 },
    { types: ["call.asked", "approval.approved", "approval.denied"], unfinished: 0 },
    { types: ["call.asked", "approval.approved", "run.started"], unfinished: 1 },
    { types: ["call.asked", "approval.approved", "run.started", "run.failed"], unfinished: 0 },
  ])("accepts $types", ({ types, unfinished }) => {
    expect(verify(lifeOf(types))).toEqual({ subjects: 1, problems: [], problemCount: 0, unfinished })
  })

  it.each<{ code: AuditProblemCode; types: readonly AuditType[] }>([
    { code: "run-without-leave", types: ["run.started"] },
    { code: "run-without-leave", types: ["call.asked", "run.started"] },
    { code: "run-without-leave", types: ["call.asked", "approval.voted", "run.succeeded"] },
    { code: "run-without-leave", types: ["call.asked", "approval.approved", "run.succeeded"] },
    { code: "run-after-refusal", types: ["call.hidden", "run.succeeded"] },
    { code: "run-after-refusal", types: ["call.denied", "run.succeeded"] },
    { code: "run-after-refusal", types: ["call.asked", "approval.denied", "run.started"] },
    { code: "run-after-refusal", types: ["call.asked", "approval.approved", "approval.expired", "run.started"] },
    { code: "run-after-refusal", types: ["call.asked", "approval.cancelled", "run.started"] },
    { code: "run-after-refusal", types: ["call.asked", "approval.superseded", "run.started"] },
    { code: "second-run", types: ["call.allowed", "run.succeeded", "run.succeeded"] },
    { code: "second-run", types: ["call.asked", "approval.approved", "run.started", "run.started"] },
    { code: "second-run", types: ["call.asked", "approval.approved", "run.started", "run.failed", "run.succeeded"] },
    { code: "decision-missing", types: ["approval.approved", "run.started", "run.succeeded"] },
    { code: "record-after-end", types: ["call.asked", "approval.denied", "approval.approved"] },
    { code: "record-after-end", types: ["call.allowed", "run.failed", "approval.denied"] },
    { code: "record-unexpected", types: ["call.asked", "call.allowed"] },
    { code: "record-unexpected", types: ["call.asked", "mode.set"] },
  ])("finds $code in $types, once", ({ code, types }) => {
    expect(verify(lifeOf(types)).problems.map((problem) => problem.code)).toEqual([code])
  })

  it("I4: finds two records of one step, and a judgement that is not the first step", () => {
    const rows: LifeCycleRow[] = [
      { subject: "a", step: 0, type: "call.asked" },
      { subject: "a", step: 1, type: "approval.voted" },
      { subject: "a", step: 1, type: "approval.voted" },
      { subject: "b", step: 2, type: "call.denied" },
    ]
    const codes = verify(rows).problems.map((problem) => [problem.subject, problem.code])
    expect(codes).toEqual([
      ["a", "step-doubled"],
      ["b", "decision-missing"],
    ])
  })

  it("does not let a subject's name confuse it", () => {
    const rows = ["", "__proto__", "constructor"].flatMap((subject) => lifeOf(["call.denied"], subject))
    expect(verify(rows)).toMatchObject({ subjects: 3, problemCount: 0 })
  })

  const beginnings: readonly (readonly AuditType[])[] = [
    [],
    ["call.allowed"],
    ["call.asked"],
    ["call.asked", "approval.approved"],
    ["call.asked", "approval.approved", "run.started"],
  ]
  const anyLife = fc
    .tuple(fc.constantFrom(...beginnings), fc.array(fc.constantFrom(...auditTypes), { maxLength: 3 }))
    .map(([beginning, rest]) => [...beginning, ...rest])

  it("I1, I2, I3: accepts no life in which anything runs twice, unapproved or after a no", () => {
    fc.assert(
      fc.property(anyLife, (types) => {
        if (verify(lifeOf(types)).problemCount > 0) return
        const count = (wanted: readonly AuditType[]): number => types.filter((type) => wanted.includes(type)).length
        const outcomes = count(["run.succeeded", "run.failed", "run.unknown"])
        expect(count(["run.started"])).toBeLessThanOrEqual(count(["approval.approved"]))
        expect(outcomes).toBeLessThanOrEqual(count(["run.started", "call.allowed"]))
        expect(count(["run.started", "call.allowed"])).toBeLessThanOrEqual(1)
        const refused = types.findIndex((type) => /hidden|denied|expired|cancelled|superseded/.test(type))
        if (refused >= 0) expect(types.slice(refused + 1)).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })
})
