import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Change, Store } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { expect, it } from "vitest"
import {
  approved,
  change,
  collect,
  denied,
  document,
  draft,
  grant,
  pending,
  pin,
  session,
  start,
  succeeded,
} from "../contract/samples.ts"
import { anyRunChange } from "../fixtures/any-run-change.ts"
import { anyUse } from "../fixtures/any-use.ts"
import { openMemoryStore } from "../memory/open-memory-store.ts"
import { openSqliteStore } from "./open-sqlite-store.ts"

const id = fc.constantFrom("a", "b", "c")
const version = fc.integer({ min: 1, max: 3 })
const at = fc.integer({ min: start, max: start + 20 })

const approval = fc
  .tuple(id, version, at, fc.constantFrom("pending", "approved", "denied", "succeeded"))
  .map(([name, from, time, status]) => {
    const before = pending(name, { version: from, callDigest: "same", expiresAt: time })
    if (status === "pending") return before
    if (status === "approved") return approved(before, time)
    return status === "denied" ? denied(before, time) : succeeded(before, time)
  })

const anyChange: fc.Arbitrary<Change> = fc
  .record({
    at,
    approvals: fc.array(fc.record({ next: approval, replaces: fc.option(version) }), { maxLength: 2 }),
    grants: fc.array(
      fc.oneof(
        fc.tuple(id, fc.integer({ min: 0, max: 2 })).map(([name, usesLeft]) => ({ put: grant(name, { usesLeft }) })),
        id.map((name) => ({ put: grant(name) })),
        id.map((remove) => ({ remove })),
      ),
      { maxLength: 1 },
    ),
    grantUses: fc.array(fc.record({ grant: id, counted: fc.boolean() }), { maxLength: 2 }),
    pins: fc.array(
      fc.oneof(
        id.map((name) => ({ put: pin("files", name) })),
        id.map((tool) => ({ remove: { server: "files", tool } })),
      ),
      { maxLength: 1 },
    ),
    documents: fc.array(
      fc.oneof(
        fc.tuple(id, fc.option(version), fc.option(at)).map(([name, replaces, expiresAt]) => ({
          put: document("token", name, { version: (replaces ?? 0) + 1, expiresAt }),
          replaces,
        })),
        fc.tuple(id, fc.option(version)).map(([name, replaces]) => ({ remove: { kind: "token", id: name }, replaces })),
      ),
      { maxLength: 2 },
    ),
    sessions: fc.array(
      fc.tuple(id, at).map(([name, endedAt]) => session(name, { endedAt })),
      { maxLength: 1 },
    ),
    epoch: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 3 }),
    records: fc.array(
      fc.tuple(id, at).map(([subject, time]) => draft("call.asked", subject, { at: time, payload: "1" })),
      { maxLength: 2 },
    ),
    events: fc.array(
      id.map((subject) => ({ type: "approval.changed" as const, subject })),
      { maxLength: 2 },
    ),
    use: fc.option(anyUse),
    ofRuns: anyRunChange,
    durability: fc.constantFrom("full" as const, "soon" as const),
  })
  .map(({ epoch, use, ofRuns, ...rest }) =>
    change({ ...rest, ...ofRuns, ...(epoch === null ? {} : { epoch }), ...(use === null ? {} : { use }) }),
  )

it("answers any run of changes as the memory store does, alone or several in one tick", async () => {
  const folder = mkdtempSync(join(tmpdir(), "byleave-model-"))
  let file = 0
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyChange, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
        at,
        async (ticks, time) => {
          const ports = {
            hasher: nodeHasher,
            signer: ed25519Signer(newSigningKey()),
            newId: () => "writer",
            now: () => start,
            elapsed: () => 0,
          }
          const stores = [
            openMemoryStore(ports),
            await openSqliteStore({ ...ports, path: join(folder, `${file++}.db`) }),
          ]
          const [expected, found] = await Promise.all(stores.map((store) => everythingAfter(store, ticks, time)))
          for (const store of stores) await store.close()
          expect(found).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

async function everythingAfter(store: Store, ticks: ReadonlyArray<readonly Change[]>, time: number): Promise<unknown> {
  const results: unknown[] = []
  for (const tick of ticks) results.push(await Promise.all(tick.map((each) => store.commit(each))))
  const look = async (): Promise<unknown> => ({
    state: sorted(await store.decisionState()),
    approvals: await store.approvals({ limit: 9 }),
    settled: await store.countApprovals({ settledSince: time }),
    due: await store.due(time, 9),
    identical: await store.identical(
      { principal: "agent", session: "session", server: "files", tool: "write_file", callDigest: "same" },
      time,
    ),
    records: await store.records({ limit: 99 }),
    texts: (await collect(store.chains())).map((record) => record.text.replace(/"key":"\w+"/, "")),
    steps: (await collect(store.lifeCycles())).map(({ subject, step, type }) => ({ subject, step, type })),
    documents: await store.documents("token", { limit: 9, now: time }),
    kept: await store.documents("token", { limit: 9, now: 0 }),
    runs: await store.runs({ limit: 9 }),
    toTakeUp: await store.runsToTakeUp({ now: time, alive: ["p1"], limit: 9 }),
    journals: await Promise.all(["a", "b"].map((run) => store.journal(run, { after: 0, maxBytes: 20 }))),
    events: await store.events(0, 99),
    sessions: await Promise.all(["a", "b", "c"].map((name) => store.session({ principal: "agent", id: name }))),
    usage: await Promise.all(["a", "b", "c"].map((name) => store.commit(usageProbe(name, time)))),
    now: store.now(0),
  })
  const before = await look()
  const removed = await store.removePayloads(time)
  return { results, before, removed, after: withoutBlinded(await look()) }
}

/** Beyond its limit already, so that it changes nothing and says what was counted. */
function usageProbe(name: string, time: number): Change {
  return change({ at: time, use: { principal: name, session: name, within: { autoAllowedPerSession: 0 } } })
}

// The value with which retention replaces a digest is random.
function withoutBlinded(found: unknown): unknown {
  return JSON.parse(JSON.stringify(found).replaceAll(/"\w+Digest":"[0-9a-f]{64}"/g, '"blinded":true'))
}

function sorted(state: Awaited<ReturnType<Store["decisionState"]>>): unknown {
  const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)
  const byTool = (a: { readonly tool: string }, b: { readonly tool: string }): number => (a.tool < b.tool ? -1 : 1)
  return {
    epoch: state.epoch,
    grants: [...state.grants].sort(byId),
    pins: [...state.pins].sort(byTool),
    sessions: [...state.sessions].sort(byId),
  }
}
