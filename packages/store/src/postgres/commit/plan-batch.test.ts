import {
  type Approval,
  type Change,
  emptyChain,
  forgetCountsAt,
  type Grant,
  type PrincipalCounts,
  type SessionTotal,
} from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  agentRun,
  begin,
  change,
  document,
  draft,
  grant,
  hold,
  line,
  lines,
  moveRun,
  pausedRun,
  pending,
  start,
} from "../../contract/samples.ts"
import { anyRunChange } from "../../fixtures/any-run-change.ts"
import { anyUse } from "../../fixtures/any-use.ts"
import { applyChange } from "../../memory/apply-change.ts"
import { newMemoryDatabase } from "../../memory/memory-database.ts"
import { countKeys } from "./lock-counts.ts"
import { type CountWrite, type Locked, planBatch } from "./plan-batch.ts"

const writer = "writer"
const ids = fc.constantFrom("a", "b", "c")
const approvalWrite = fc.record({ id: ids, replaces: fc.constantFrom(null, 1, 2) }).map(({ id, replaces }) => {
  const next: Approval = pending(id, { version: (replaces ?? 0) + 1 })
  return { next, replaces }
})
const grantWrite = fc.oneof(
  fc.record({ id: ids, usesLeft: fc.nat(2) }).map(({ id, usesLeft }) => ({ put: grant(id, { usesLeft }) })),
  ids.map((remove) => ({ remove })),
)
const documentWrite = fc.oneof(
  fc
    .record({ id: ids, replaces: fc.constantFrom(null, 1), expiresAt: fc.constantFrom(null, start + 5) })
    .map((made) => {
      const { id, replaces, expiresAt } = made
      return { put: document("token", id, { version: (replaces ?? 0) + 1, expiresAt }), replaces }
    }),
  fc.record({ remove: fc.record({ kind: fc.constant("token"), id: ids }), replaces: fc.constantFrom(null, 1) }),
)
const anyOtherChange = fc.record(
  {
    at: fc.integer({ min: start, max: start + 9 }),
    approvals: fc.array(approvalWrite, { maxLength: 2 }),
    grants: fc.array(grantWrite, { maxLength: 2 }),
    grantUses: fc.array(fc.record({ grant: ids, counted: fc.boolean() }), { maxLength: 3 }),
    documents: fc.array(documentWrite, { maxLength: 2 }),
    use: anyUse,
    records: fc.array(
      ids.map((id) => draft("call.allowed", id)),
      { maxLength: 3 },
    ),
    events: fc.array(
      ids.map((subject) => ({ type: "grant.changed" as const, subject })),
      { maxLength: 2 },
    ),
    epoch: fc.nat(2),
    durability: fc.constant("full" as const),
  },
  { requiredKeys: ["at", "records", "events", "durability"] },
)
const anyChange: fc.Arbitrary<Change> = fc
  .tuple(anyOtherChange, anyRunChange)
  .map(([other, ofRuns]) => ({ ...other, ...ofRuns }))

const nothing: Locked = {
  epoch: 0,
  versions: new Map(),
  grants: new Map<string, Grant>(),
  documents: new Map(),
  waiting: null,
  counts: { principals: new Map(), sessions: new Map() },
  ofRuns: { runs: new Map(), lines: [] },
}

const rowsOf = <Row>(writes: ReadonlyMap<string, CountWrite<Row>>): ReadonlyMap<string, Row> =>
  new Map([...writes].map(([key, { row }]) => [key, row]))
const byTotal = (a: SessionTotal, b: SessionTotal): number => a.total - b.total || a.forgetAt - b.forgetAt

describe("a planned batch", () => {
  it("I1 I2: answers and writes what the changes would one after the other", () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 8 }), (changes) => {
        const plan = planBatch(changes, nothing, emptyChain(writer), nodeHasher)
        const model = newMemoryDatabase()
        const chain = { head: emptyChain(writer), records: [], aliveUntil: 0 }
        expect(plan.results).toEqual(changes.map((each) => applyChange(model, chain, each, nodeHasher)))
        expect(plan.epoch).toBe(model.epoch)
        expect(plan.head).toEqual(chain.head)
        expect(plan.writes.records).toEqual(chain.records)
        expect(new Map([...plan.writes.approvals].map(([id, { approval }]) => [id, approval]))).toEqual(model.approvals)
        expect(new Map([...plan.writes.grants].filter(([, kept]) => kept !== null))).toEqual(model.grants)
        const documents = [...plan.writes.documents].map(([key, { document: kept }]) => [key, kept] as const)
        expect(new Map(documents.filter(([, kept]) => kept !== null))).toEqual(model.documents)
        expect(new Map([...plan.writes.runs].flatMap(([id, { run }]) => (run === null ? [] : [[id, run]])))).toEqual(
          model.runs,
        )
        for (const [run, { lines }] of plan.writes.journals) {
          expect([...lines].sort((a, b) => a.seq - b.seq)).toEqual(model.journals.get(run) ?? [])
        }
        // Counts that are over go at once in memory, and in PostgreSQL when the batch is written.
        const last = Math.max(...changes.map(({ at }) => at))
        const going = (rows: ReadonlyMap<string, PrincipalCounts>) =>
          [...rows.values()].filter((counts) => forgetCountsAt(counts) > last).length
        expect(going(rowsOf(plan.writes.principalCounts))).toBe(going(model.principalCounts))
        for (const [name, counts] of model.principalCounts) {
          expect(rowsOf(plan.writes.principalCounts).get(countKeys({ principal: name }, nodeHasher).principal)).toEqual(
            counts,
          )
        }
        expect([...rowsOf(plan.writes.sessionTotals).values()].sort(byTotal)).toEqual(
          [...model.sessionTotals.values()].sort(byTotal),
        )
        expect(plan.writes.events.map(({ subject }) => subject)).toEqual(model.events.map(({ subject }) => subject))
        expect(plan.writes.latest).toBe(model.latest)
      }),
      { numRuns: 300 },
    )
  })

  it("tells what is new from what replaces", () => {
    const locked = { ...nothing, versions: new Map([["old", 1]]) }
    const moved = change({ approvals: [{ next: pending("old", { version: 2 }), replaces: 1 }] })
    const { writes } = planBatch([hold(pending("new")), moved], locked, emptyChain(writer), nodeHasher)
    expect([...writes.approvals].map(([id, { isNew }]) => [id, isNew])).toEqual([
      ["new", true],
      ["old", false],
    ])
  })

  it("judges by what is locked of runs, until the batch itself has changed it", () => {
    const there = line("a", 1)
    const ofRuns = { runs: new Map([["a", { version: 1, owner: "p1" }]]), lines: [there] }
    const changes = [
      begin(agentRun("a")),
      change(lines("a", "p2", line("a", 2))),
      change(lines("a", "p1", there)),
      moveRun(pausedRun(agentRun("a")), lines("a", "p1", line("a", 2))),
      change(lines("a", "p1", line("a", 3))),
      change({ runs: [{ remove: "a", replaces: 2 }] }),
      begin(agentRun("a"), lines("a", "p1", there)),
    ]
    const { results, writes } = planBatch(changes, { ...nothing, ofRuns }, emptyChain(writer), nodeHasher)
    expect(results.map((result) => result.ok)).toEqual([false, false, false, true, false, true, true])
    expect(writes.runs.get("a")).toEqual({ run: agentRun("a"), isNew: false })
    expect(writes.journals.get("a")).toEqual({ isEmptied: true, lines: [there] })
  })

  it("I1: leaves no trace of a change that cannot be written", () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const bad = { ...hold(pending("bad")), records: [draft("call.asked", "bad", { body: circular as never })] }
    const plan = planBatch([bad, hold(pending("good"))], nothing, emptyChain(writer), nodeHasher)
    expect(plan.results.map(({ ok }) => ok)).toEqual([false, true])
    expect([...plan.writes.approvals.keys()]).toEqual(["good"])
    expect(plan.writes.records).toHaveLength(1)
  })
})
