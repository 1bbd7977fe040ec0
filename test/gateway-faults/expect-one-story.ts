import { type Approval, type Store, verifyAudit } from "@byleave/core"
import { ed25519Signer, nodeHasher } from "@byleave/core/node"
import { expect } from "vitest"
import { openFrom, type StoreSpec } from "../faults/store-spec.ts"
import { countsIn } from "./dispatches.ts"

/** How often a call with this record may have reached its server. */
const dispatched = {
  succeeded: [1, 1],
  // The server said no, or could not be reached.
  failed: [0, 1],
  unknown: [0, 1],
  running: [0, 1],
  pending: [0, 0],
  approved: [0, 0],
  denied: [0, 0],
  expired: [0, 0],
  cancelled: [0, 0],
  superseded: [0, 0],
} as const satisfies Record<Approval["status"], readonly [number, number]>

/**
 * Compares what the server saw with what the record says, with a store of its own: nothing ran twice, nothing ran that was
 * refused or still waits, nothing ran without a record, and the audit verifies. Returns the approvals of each call.
 */
export async function expectOneStory(spec: StoreSpec, log: string): Promise<ReadonlyMap<string, readonly Approval[]>> {
  const store = await openFrom(spec)
  try {
    // Before the store: a call that is dispatched meanwhile must not look like one without a record.
    const counts = countsIn(log)
    const approvals = await approvalsByCall(store)
    const allowed = await allowedCalls(store)
    for (const [n, count] of counts) {
      const most = (approvals.get(n) ?? []).reduce(
        (sum, { status }) => sum + dispatched[status][1],
        allowed.get(n) ?? 0,
      )
      expect(count, `dispatches of ${n}`).toBeLessThanOrEqual(most)
    }
    for (const [n, held] of approvals) {
      const least = held.reduce((sum, { status }) => sum + dispatched[status][0], 0)
      expect(countsIn(log).get(n) ?? 0, `dispatches of ${n}`).toBeGreaterThanOrEqual(least)
    }
    const report = await verifyAudit(store, { hasher: nodeHasher, signer: ed25519Signer(spec.key) })
    expect(report.problems).toEqual([])
    return approvals
  } finally {
    await store.close()
  }
}

async function approvalsByCall(store: Store): Promise<ReadonlyMap<string, readonly Approval[]>> {
  const byCall = new Map<string, Approval[]>()
  let after: { createdAt: number; id: string } | undefined
  for (;;) {
    const page = await store.approvals({ limit: 500, ...(after === undefined ? {} : { after }) })
    for (const { id } of page) {
      const approval = await store.approval(id)
      if (approval === undefined) continue
      const n = String(approval.args?.n)
      byCall.set(n, [...(byCall.get(n) ?? []), approval])
    }
    const last = page.at(-1)
    if (last === undefined) return byCall
    after = { createdAt: last.createdAt, id: last.id }
  }
}

/** Calls that policy let run by itself, and how often. */
async function allowedCalls(store: Store): Promise<ReadonlyMap<string, number>> {
  const allowed = new Map<string, number>()
  let after: { at: number; writer: string; seq: number } | undefined
  for (;;) {
    const page = await store.records({
      types: ["call.allowed"],
      limit: 1_000,
      ...(after === undefined ? {} : { after }),
    })
    for (const { payload } of page) {
      const n = String((JSON.parse(payload ?? "{}") as { n?: string }).n)
      allowed.set(n, (allowed.get(n) ?? 0) + 1)
    }
    const last = page.at(-1)
    if (last === undefined) return allowed
    after = { at: last.at, writer: last.writer, seq: last.seq }
  }
}
