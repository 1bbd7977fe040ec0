import { type AuditRecord, headOf, linkRecord, verifyAudit } from "@byleave/core"
import { ed25519Signer, nodeHasher } from "@byleave/core/node"
import { describe, expect, it } from "vitest"
import { type Adversary, letIn } from "./adversary.ts"
import { callTo, loggingRun, openFaultGate, reviewer } from "./fault-gate.ts"
import { durableKinds, missing, openFrom, type StoreSpec, scratchStore } from "./store-spec.ts"

type Deed = (adversary: Adversary, writer: string, last: number, records: readonly AuditRecord[]) => Promise<void>

const deeds: ReadonlyArray<{ readonly name: string; readonly deed: Deed }> = [
  { name: "the last record", deed: (adversary, writer, last) => adversary.removeRecords(writer, last, last) },
  { name: "a middle record", deed: (adversary, writer) => adversary.removeRecords(writer, 3, 3) },
  { name: "the first record", deed: (adversary, writer) => adversary.removeRecords(writer, 1, 1) },
  { name: "all records of a chain", deed: (adversary, writer, last) => adversary.removeRecords(writer, 1, last) },
  {
    name: "one whole chain, its head included",
    deed: async (adversary, writer, last) => {
      await adversary.removeRecords(writer, 1, last)
      await adversary.removeHead(writer)
    },
  },
]

describe.each(durableKinds)("an audit on %s", { timeout: 120_000 }, (kind) => {
  const why = missing(kind)

  it.for(deeds)("R145: notices when somebody removes $name", async ({ deed }, { skip }) => {
    skip(why !== null, why ?? "")
    for (const which of ["first", "second"] as const) expect((await verdictAfter(kind, which, deed)).ok).toBe(false)
  })

  it("notices a call that somebody without the key adds to the end of a chain later on", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const report = await verdictAfter(kind, "first", async (adversary, writer, last, records) => {
      const head = headOf(records.find((record) => record.writer === writer && record.seq === last) ?? noRecord())
      const at = Date.now() + 60 * 60_000
      const forged = { type: "call.allowed", subject: "forged", step: 0, at, body: {} } as const
      await adversary.append(linkRecord(head, forged, nodeHasher))
    })
    expect(report.problems.map(({ code }) => code)).toContain("unsigned-tail")
  })

  it("notices changed words, records that changed places and columns that say otherwise, and has nothing to say of an honest store", async ({
    skip,
  }) => {
    skip(why !== null, why ?? "")
    const altered = await verdictAfter(kind, "second", (adversary, writer) => adversary.alterText(writer, 2))
    expect(altered.problems.map(({ code }) => code)).toContain("hash-broken")
    const swapped = await verdictAfter(kind, "second", (adversary, writer) => adversary.swapRecords(writer, 3, 4))
    expect(swapped.problems.map(({ code }) => code)).toContain("hash-broken")
    for (const column of ["type", "subject"] as const) {
      const said = await verdictAfter(kind, "first", (adversary, writer) => adversary.alterColumn(writer, 3, column))
      expect(said.problems.map(({ code }) => code)).toContain("columns-differ")
    }
    expect(await verdictAfter(kind, "second", async () => {})).toMatchObject({ ok: true, problems: [] })
  })
})

/** Two processes write one after the other; then somebody meddles with the chain of one of them. */
async function verdictAfter(kind: StoreSpec["kind"], which: "first" | "second", deed: Deed) {
  const { spec, dispose } = scratchStore(kind)
  const writers = { first: await writeChain(spec, "first"), second: await writeChain(spec, "second") }
  const records = await recordsIn(spec)
  const adversary = await letIn(spec)
  await deed(adversary, writers[which], await adversary.lastSeq(writers[which]), records)
  await adversary.leave()
  const store = await openFrom(spec)
  const report = await verifyAudit(store, { hasher: nodeHasher, signer: ed25519Signer(spec.key) })
  await store.close()
  dispose()
  return report
}

function noRecord(): never {
  throw new Error("That chain has no such record.")
}

async function recordsIn(spec: StoreSpec): Promise<readonly AuditRecord[]> {
  const store = await openFrom(spec)
  const records = await store.records({ limit: 1_000 })
  await store.close()
  return records
}

async function writeChain(spec: StoreSpec, name: string): Promise<string> {
  const store = await openFrom(spec)
  const gate = await openFaultGate(store)
  for (let n = 0; n < 3; n++) {
    await gate.submit(callTo("read", `${name}-read-${n}`), loggingRun(spec))
    await gate.submit(callTo("write", `${name}-write-${n}`), loggingRun(spec), {
      onHeld: ({ id, runDigest }) => void gate.answer({ approval: id, kind: "approve", digest: runDigest, reviewer }),
    })
  }
  await gate.close()
  await store.close()
  return store.writer
}
