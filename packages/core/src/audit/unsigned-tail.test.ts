import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nodeHasher as hasher } from "../node/hasher.ts"
import { ed25519Signer, newSigningKey } from "../node/signer.ts"
import { emptyChain, headOf, linkRecord, signHead } from "./chain.ts"
import type { Checkpoint } from "./checkpoints.ts"
import { openingDraft, sessionEndedDraft } from "./drafts.ts"
import type { AuditRecord, ChainHead, SignedHead } from "./record.ts"
import { createRedactor } from "./redact.ts"
import { watchTail } from "./unsigned-tail.ts"

const signer = ed25519Signer(newSigningKey())
const promiseMs = 30_000
const dayMs = 24 * 60 * 60_000

function next(head: ChainHead, at: number): AuditRecord {
  const session = { principal: "ann", id: "s1", named: true }
  return linkRecord(head, sessionEndedDraft(session, at, { redactor: createRedactor() }), hasher)
}

/** The stored records and head of one chain, and the checkpoints that other chains recorded of it. */
type Kept = { readonly records: AuditRecord[]; head: SignedHead; readonly anchors: Checkpoint[] }

function opened(signedWithin?: number): Kept {
  const first = linkRecord(emptyChain("w1"), openingDraft([], "k", 0, signedWithin), hasher)
  return { records: [first], head: signHead(headOf(first), 0, signer), anchors: [] }
}

const endOf = ({ records }: Kept): ChainHead => headOf(records.at(-1) as AuditRecord)

function problemOf(kept: Kept) {
  const watch = watchTail(kept.head, kept.anchors)
  for (const record of kept.records) watch.pass(record)
  return watch.problem()
}

function anchor(kept: Kept, at: number): void {
  kept.anchors.push({ ...endOf(kept), at, witness: { kind: "anchor", by: "w2" } })
}

type Deed = { readonly what: "record" | "flush" | "anchor"; readonly afterMs: number; readonly stalledMs: number }

const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(
  fc.record({
    what: fc.constantFrom("record", "record", "flush", "anchor"),
    afterMs: fc.oneof(fc.nat(50), fc.nat(2 * promiseMs), fc.nat(2 * dayMs)),
    stalledMs: fc.oneof(fc.constant(0), fc.nat(60_000)),
  }),
  { maxLength: 20 },
)

/** A process that keeps its promise until it is killed. Gives when that was. */
function live(kept: Kept, history: readonly Deed[]): number {
  let now = 0
  for (const { what, afterMs, stalledMs } of history) {
    now += afterMs
    if (what === "record") {
      const at = Math.max(0, now - stalledMs)
      kept.records.push(next(endOf(kept), at))
      if (at > kept.head.at + promiseMs) kept.head = signHead(endOf(kept), now, signer)
    } else if (what === "flush") kept.head = signHead(endOf(kept), now, signer)
    else anchor(kept, now)
  }
  return now
}

describe("watchTail", () => {
  it("I1: what the killed process of an honest store left behind is no problem", () => {
    fc.assert(
      fc.property(deeds, (history) => {
        const kept = opened(promiseMs)
        live(kept, history)
        return problemOf(kept) === undefined
      }),
      { numRuns: 300 },
    )
  })

  it("I2: once others have written well after a chain's end, nothing can be put in at its end without the key", () => {
    fc.assert(
      fc.property(deeds, fc.nat(dayMs), fc.integer({ min: -3 * dayMs, max: 3 * dayMs }), (history, later, offset) => {
        const kept = opened(promiseMs)
        const end = live(kept, history)
        anchor(kept, end + promiseMs + 60_000 + 1 + later)
        kept.records.push(next(endOf(kept), end + offset))
        return problemOf(kept)?.seq === kept.records.length
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    {
      name: "dated when it would have been signed",
      promise: promiseMs,
      at: promiseMs + 1,
      says: "more than 30 seconds after it",
    },
    { name: "of a chain whose every commit is signed", promise: 0, at: 1, says: "more than 0 seconds after it" },
    { name: "dated before the head", promise: undefined, at: -60_001, says: "dated before what had been recorded" },
  ])("names a record $name", ({ promise, at, says }) => {
    const kept = opened(promise)
    kept.records.push(next(endOf(kept), at), next(next(endOf(kept), at), at))
    const problem = problemOf(kept)
    expect(problem).toMatchObject({ code: "unsigned-tail", writer: "w1", seq: 2 })
    expect(problem?.sentence).toContain(says)
  })

  it("a chain that promises nothing may be idle for days before its process is killed", () => {
    const kept = opened()
    kept.records.push(next(endOf(kept), dayMs))
    expect(problemOf(kept)).toBeUndefined()
  })
})
