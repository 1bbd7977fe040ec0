import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nodeHasher } from "../node/hasher.ts"
import { ed25519Signer, newSigningKey } from "../node/signer.ts"
import type { AuditProblemCode } from "./audit-problem.ts"
import { emptyChain, headOf, linkRecord, recordHash, signHead, signRoster } from "./chain.ts"
import { anchoringDraft, openingDraft } from "./drafts.ts"
import type { AuditDraft, AuditRecord, AuditType, ChainHead, SignedHead, SignedRoster } from "./record.ts"
import { type AuditSource, type VerifyOptions, verifyAudit } from "./verify-audit.ts"

const hasher = nodeHasher
const signer = ed25519Signer(newSigningKey())
const stranger = ed25519Signer(newSigningKey())

/** The audit data in a store. */
type Trail = {
  readonly records: readonly AuditRecord[]
  readonly heads: readonly SignedHead[]
  readonly roster: SignedRoster | undefined
}

let clock = 1_000

function headIn(records: readonly AuditRecord[], writer: string): ChainHead {
  const last = records.filter((record) => record.writer === writer).at(-1)
  return last === undefined ? emptyChain(writer) : headOf(last)
}

function append(records: AuditRecord[], writer: string, draft: Omit<AuditDraft, "at">): void {
  records.push(linkRecord(headIn(records, writer), { ...draft, at: clock++ }, hasher))
}

function about(subject: string, step: number, type: AuditType): Omit<AuditDraft, "at"> {
  return { type, subject, step, body: { reason: `step ${step} of "${subject}"` } }
}

function open(records: AuditRecord[], writer: string): void {
  const others = [...new Set(records.map((record) => record.writer))].map((other) => headIn(records, other))
  append(records, writer, openingDraft(others, signer.keyId, 0))
}

function signed(records: readonly AuditRecord[]): Trail {
  const writers = [...new Set(records.map((record) => record.writer))]
  const heads = writers.map((writer) => signHead(headIn(records, writer), clock, signer))
  return { records, heads, roster: signRoster(writers, signer) }
}

/** Three chains that name each other; w3 is the last to be opened, so nobody names it. */
function honestTrail(): Trail & { records: AuditRecord[] } {
  const records: AuditRecord[] = []
  open(records, "w1")
  for (let call = 0; call < 5; call++) {
    append(records, "w1", about(`auto-${call}`, 0, "call.allowed"))
    append(records, "w1", about(`auto-${call}`, 1, "run.succeeded"))
  }
  open(records, "w2")
  append(records, "w2", about("held", 0, "call.asked"))
  append(records, "w1", about("held", 1, "approval.voted"))
  append(records, "w1", about("held", 3, "approval.approved"))
  append(records, "w2", about("held", 4, "run.started"))
  append(records, "w2", about("held", 5, "run.succeeded"))
  append(records, "w2", about("refused", 0, "call.asked"))
  append(records, "w1", about("refused", 1, "approval.denied"))
  append(records, "w1", anchoringDraft([headIn(records, "w2")], 0))
  open(records, "w3")
  append(records, "w3", about("waiting", 0, "call.asked"))
  append(records, "w3", about("hidden", 0, "call.hidden"))
  return { ...signed(records), records }
}

function sourceOf(trail: Trail, batchSize = 4): AuditSource {
  async function* batches<T>(items: readonly T[]): AsyncIterable<readonly T[]> {
    for (let at = 0; at < items.length; at += batchSize) yield items.slice(at, at + batchSize)
  }
  const place = (record: AuditRecord): string => `${record.writer} ${String(record.seq).padStart(9, "0")}`
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return {
    chains: () => batches(trail.records.toSorted((a, b) => byText(place(a), place(b)))),
    lifeCycles: () =>
      batches(
        trail.records
          .filter((record) => record.subject !== null)
          .toSorted((a, b) => byText(a.subject ?? "", b.subject ?? "") || a.step - b.step),
      ),
    heads: async () => trail.heads,
    roster: async () => trail.roster,
    records: async ({ types, after, limit }) => {
      const newestFirst = trail.records.filter(({ type }) => types.includes(type)).toSorted((a, b) => b.at - a.at)
      return newestFirst.filter(({ at }) => after === undefined || at < after.at).slice(0, limit)
    },
  }
}

async function verify(trail: Trail, options: Partial<VerifyOptions> = {}) {
  return verifyAudit(sourceOf(trail), { hasher, signer, ...options })
}

async function codesOf(trail: Trail, options: Partial<VerifyOptions> = {}): Promise<readonly AuditProblemCode[]> {
  return [...new Set((await verify(trail, options)).problems.map((problem) => problem.code))]
}

const without = (trail: Trail, writer: string, seq?: number): AuditRecord[] =>
  trail.records.filter((record) => record.writer !== writer || (seq !== undefined && record.seq !== seq))

function changed(trail: Trail, writer: string, seq: number, change: (record: AuditRecord) => AuditRecord): Trail {
  const isIt = (record: AuditRecord): boolean => record.writer === writer && record.seq === seq
  return { ...trail, records: trail.records.map((record) => (isIt(record) ? change(record) : record)) }
}

/** Makes a chain fit again after a change, as anyone can who has no key. */
function rehashed(trail: Trail, writer: string): Trail {
  let previous = emptyChain(writer).hash
  const records = trail.records.map((record) => {
    if (record.writer !== writer) return record
    previous = recordHash(previous, record.text, hasher)
    return { ...record, hash: previous }
  })
  return { ...trail, records }
}

const denialToLeave = (record: AuditRecord): AuditRecord => ({
  ...record,
  type: "approval.voted",
  text: record.text.replace("approval.denied", "approval.voted"),
})

describe("verifyAudit", () => {
  it("I3: finds nothing wrong with an honest trail, counts what is open and gives the heads to keep", async () => {
    const trail = honestTrail()
    const report = await verify(trail)
    expect(report).toMatchObject({ ok: true, chains: 3, problems: [], problemCount: 0, unsigned: 0, unfinished: 1 })
    expect(report.records).toBe(trail.records.length)
    expect((await verify(trail, { expectedHeads: report.heads })).ok).toBe(true)
  })

  it("finds nothing wrong with an empty store", async () => {
    expect(await verify({ records: [], heads: [], roster: undefined })).toMatchObject({ ok: true, records: 0 })
  })

  it("I3: counts records after the signed head instead of holding them against the store", async () => {
    const trail = honestTrail()
    append(trail.records, "w1", about("late", 0, "call.allowed"))
    append(trail.records, "w1", about("late", 1, "run.failed"))
    const report = await verify(trail)
    expect(report).toMatchObject({ ok: true, unsigned: 2 })
    // The reported head leaves out records that a power cut may still remove.
    expect(report.heads.find(({ writer }) => writer === "w1")?.seq).toBe(headIn(trail.records, "w1").seq - 2)
  })

  it("I3: a chain that is opened while others are read is no problem", async () => {
    const before = honestTrail()
    const after: Trail = (() => {
      const records = [...before.records]
      open(records, "w4")
      return signed(records)
    })()
    let reads = 0
    const source = {
      ...sourceOf(after),
      heads: async () => before.heads,
      roster: async () => (reads++ ? after : before).roster,
    }
    expect(await verifyAudit(source, { hasher, signer })).toMatchObject({ ok: true, chains: 4, unsigned: 1 })
  })

  /** A chain that promises to sign everything dated after its head, and a record that follows it. */
  function withTail(): Trail {
    const records: AuditRecord[] = []
    append(records, "w1", openingDraft([], signer.keyId, 0, 0))
    const trail = signed(records)
    clock += 10
    append(records, "w1", about("late", 0, "call.allowed"))
    return trail
  }

  it("I2 of the unsigned tail: notices a record put in without the key, and counts it", async () => {
    const report = await verify(withTail())
    expect(report).toMatchObject({
      ok: false,
      unsigned: 1,
      problems: [{ code: "unsigned-tail", writer: "w1", seq: 2 }],
    })
  })

  it.each([
    { name: "is no problem where its process signs it meanwhile", by: signer, codes: [] },
    { name: "is one where somebody else does", by: stranger, codes: ["unsigned-tail"] },
  ])("I3: a record after the signed head $name", async ({ by, codes }) => {
    const trail = withTail()
    const now = [signHead(headIn(trail.records, "w1"), clock, by)]
    let reads = 0
    const source = { ...sourceOf(trail), heads: async () => (reads++ ? now : trail.heads) }
    expect((await verifyAudit(source, { hasher, signer })).problems.map(({ code }) => code)).toEqual(codes)
  })

  it("says what was removed in words", async () => {
    const trail = honestTrail()
    const { seq } = headIn(trail.records, "w1")
    const report = await verify({ ...trail, records: without(trail, "w1", seq) })
    expect(report.problems.map((problem) => problem.sentence)).toContain(
      `The chain w1 ends at record ${seq - 1}, but its signed head says ${seq}: 1 record was removed from its end.`,
    )
    expect(report.ok).toBe(false)
  })

  const tampered: ReadonlyArray<{ name: string; code: AuditProblemCode; tamper: (trail: Trail) => Trail }> = [
    {
      name: "the last record of a chain is removed",
      code: "tail-removed",
      tamper: (t) => ({ ...t, records: without(t, "w3", headIn(t.records, "w3").seq) }),
    },
    {
      name: "a middle record is removed",
      code: "records-missing",
      tamper: (t) => ({ ...t, records: without(t, "w1", 5) }),
    },
    {
      name: "the first record is removed",
      code: "records-missing",
      tamper: (t) => ({ ...t, records: without(t, "w3", 1) }),
    },
    { name: "a whole chain is removed", code: "chain-removed", tamper: (t) => ({ ...t, records: without(t, "w2") }) },
    {
      name: "a chain that no other names is removed with its head",
      code: "chain-removed",
      tamper: (t) => ({ ...t, records: without(t, "w3"), heads: t.heads.filter(({ writer }) => writer !== "w3") }),
    },
    {
      name: "a chain is removed with its head, and an older roster put back",
      code: "chain-removed",
      tamper: (t) => ({
        records: without(t, "w2"),
        heads: t.heads.filter(({ writer }) => writer !== "w2"),
        roster: signRoster(["w1", "w3"], signer),
      }),
    },
    {
      name: "a tail is removed that another chain names, and an older head put back",
      code: "tail-removed",
      tamper: (t) => {
        const records = t.records.filter(({ writer, seq }) => writer !== "w2" || seq < 3)
        const heads = t.heads.map((head) => (head.writer === "w2" ? signHead(headIn(records, "w2"), 1, signer) : head))
        return { ...t, records, heads }
      },
    },
    {
      name: "a head is removed, so that a tail could be",
      code: "head-missing",
      tamper: (t) => ({ ...t, heads: t.heads.slice(1) }),
    },
    { name: "the roster is removed", code: "roster-missing", tamper: (t) => ({ ...t, roster: undefined }) },
    {
      name: "a text is changed",
      code: "hash-broken",
      tamper: (t) => changed(t, "w1", 4, (record) => ({ ...record, text: record.text.replace("reason", "treason") })),
    },
    {
      name: "a text and its own hash are changed",
      code: "hash-broken",
      tamper: (t) =>
        changed(t, "w1", 4, (record) => ({ ...record, hash: recordHash("0".repeat(64), record.text, hasher) })),
    },
    {
      name: "a column is changed",
      code: "columns-differ",
      tamper: (t) => changed(t, "w1", 3, (record) => ({ ...record, type: "run.failed" })),
    },
    {
      name: "two records are swapped",
      code: "columns-differ",
      tamper: (t) => {
        const other = (seq: number): AuditRecord =>
          t.records.find((r) => r.writer === "w1" && r.seq === seq) as AuditRecord
        const [second, third] = [other(2), other(3)]
        const swapped = changed(t, "w1", 2, (record) => ({ ...record, text: third.text, hash: third.hash }))
        return changed(swapped, "w1", 3, (record) => ({ ...record, text: second.text, hash: second.hash }))
      },
    },
    {
      name: "a record is there twice",
      code: "record-doubled",
      tamper: (t) => ({ ...t, records: [...t.records, t.records[3] as AuditRecord] }),
    },
    {
      name: "a record is changed and the chain hashed anew, without the key",
      code: "history-rewritten",
      tamper: (t) => {
        const denial = t.records.find(({ type }) => type === "approval.denied") as AuditRecord
        return rehashed(changed(t, "w1", denial.seq, denialToLeave), "w1")
      },
    },
    {
      name: "a signature is replaced",
      code: "signature-bad",
      tamper: (t) => ({
        ...t,
        heads: t.heads.map((head) => ({ ...head, signature: (t.heads[0] as SignedHead).signature })),
      }),
    },
    {
      name: "a signature is no signature",
      code: "signature-bad",
      tamper: (t) => ({ ...t, heads: t.heads.map((head) => ({ ...head, signature: "?" })) }),
    },
    {
      name: "a head is signed by a stranger",
      code: "key-foreign",
      tamper: (t) => ({ ...t, heads: t.heads.map((head) => signHead(head, head.at, stranger)) }),
    },
    {
      name: "the roster is signed by a stranger",
      code: "key-foreign",
      tamper: (t) => ({ ...t, roster: signRoster(["w1", "w2", "w3"], stranger) }),
    },
    {
      name: "a name is taken off the roster without the key",
      code: "signature-bad",
      tamper: (t) => ({ ...t, roster: { ...(t.roster as SignedRoster), writers: ["w1", "w2"] } }),
    },
    {
      name: "a chain is put in from elsewhere",
      code: "chain-unlisted",
      tamper: (t) => {
        const records = [...t.records]
        open(records, "w9")
        return { ...t, records }
      },
    },
    {
      name: "a chain does not begin with its opening",
      code: "wrong-opening",
      tamper: (t) => {
        const records = [...t.records]
        append(records, "w4", about("x", 0, "call.allowed"))
        return signed(records)
      },
    },
    {
      name: "an anchor cannot be read",
      code: "anchor-unreadable",
      tamper: (t) => {
        const records = [...t.records]
        append(records, "w1", { type: "heads.anchored", subject: null, step: 0, body: { anchors: [{ writer: "w2" }] } })
        return signed(records)
      },
    },
  ]
  it.each(tampered)("I1, I2: notices when $name", async ({ tamper, code }) => {
    expect(await codesOf(tamper(honestTrail()))).toContain(code)
  })

  const misdeeds: ReadonlyArray<{
    name: string
    code: AuditProblemCode
    drafts: ReadonlyArray<Omit<AuditDraft, "at">>
  }> = [
    { name: "a run after a denial", code: "run-after-refusal", drafts: [about("refused", 2, "run.started")] },
    { name: "a second run", code: "second-run", drafts: [about("held", 6, "run.started")] },
    { name: "a second start at the same step", code: "second-run", drafts: [about("held", 4, "run.started")] },
    { name: "a run that nobody decided about", code: "run-without-leave", drafts: [about("wild", 0, "run.started")] },
    { name: "a run that was only asked for", code: "run-without-leave", drafts: [about("waiting", 1, "run.started")] },
  ]
  it.each(misdeeds)("notices $name in chains that are whole and signed", async ({ drafts, code }) => {
    const { records } = honestTrail()
    for (const draft of drafts) append(records, "w3", draft)
    expect(await codesOf(signed(records))).toEqual([code])
  })

  it("only a head kept elsewhere shows that the whole store was put back to an earlier day", async () => {
    const earlier = honestTrail()
    const records = [...earlier.records]
    append(records, "w2", about("forgotten", 0, "call.denied"))
    const { heads } = await verify(signed(records))
    expect((await verify(earlier)).ok).toBe(true)
    const report = await verify(earlier, { expectedHeads: heads })
    expect(report.problems.map(({ sentence }) => sentence)).toEqual([expect.stringContaining("the head you kept says")])
    expect(await codesOf({ records: [], heads: [], roster: undefined }, { expectedHeads: heads })).toEqual([
      "chain-removed",
    ])
  })

  it("one changed record is one problem, and a store that is wrong everywhere gives the first hundred and a count", async () => {
    const one = changed(honestTrail(), "w1", 4, (record) => ({ ...record, text: `${record.text} ` }))
    expect((await verify(one)).problemCount).toBe(1)
    const records: AuditRecord[] = []
    open(records, "w1")
    for (let call = 0; call < 300; call++) append(records, "w1", about(`c${call}`, 0, "call.denied"))
    const trail = signed(records)
    const report = await verify({ ...trail, records: records.map((record) => ({ ...record, at: record.at + 1 })) })
    expect(report.problemCount).toBe(records.length)
    expect(report.problems).toHaveLength(100)
  })

  it("I1, and I1 and I2 of the chain: notices any change of any character of a signed record", async () => {
    const trail = honestTrail()
    const anyChange = fc.record({
      index: fc.nat(trail.records.length - 1),
      column: fc.constantFrom("text", "hash", "writer", "type", "subject", "seq", "step", "at" as const),
      at: fc.nat(),
      code: fc.integer({ min: 32, max: 0x24f }),
    })
    await fc.assert(
      fc.asyncProperty(anyChange, async ({ index, column, at, code }) => {
        const record = trail.records[index] as AuditRecord
        const value = mutated(record[column as keyof AuditRecord], at, code)
        fc.pre(value !== record[column as keyof AuditRecord])
        const records = trail.records.with(index, { ...record, [column]: value } as AuditRecord)
        return !(await verify({ ...trail, records })).ok
      }),
      { numRuns: 400 },
    )
  })

  it("I1: notices any records taken out, in any number", async () => {
    const trail = honestTrail()
    await fc.assert(
      fc.asyncProperty(fc.subarray([...trail.records]), async (records) => {
        return (await verify({ ...trail, records })).ok === (records.length === trail.records.length)
      }),
      { numRuns: 200 },
    )
  })
})

function mutated(value: string | number | null, at: number, code: number): string | number | null {
  if (value === null) return String.fromCharCode(code)
  if (typeof value === "number") return value + 1 + (at % 3)
  const place = at % value.length
  return value.slice(0, place) + String.fromCharCode(code) + value.slice(place + 1)
}
