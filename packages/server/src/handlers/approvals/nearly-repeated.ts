/**
 * A waiting call beside an earlier one that is nearly the same.
 *
 * I1. Both are of the same tool and the same session, and the earlier one was allowed.
 * I2. Few values differ, and at least as many are the same: else one says nothing of the other.
 */
import type { ApprovalView } from "@byleave/api"
import {
  type Approval,
  type ArgDifference,
  bytesOf,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  nearMiss,
} from "@byleave/core"
import type { ApiService } from "../../service.ts"

const approvedOnce = ["approved", "running", "succeeded", "failed", "unknown"] as const
const mostLookedAt = 20
const mostDifferences = 3
/** Larger calls are not compared: nobody would read how they differ, and it would take long. */
const largestCompared = 65_536

/** The newest such call, and every value in which this one differs from it. */
export async function nearlyRepeated(
  service: ApiService,
  approval: Approval,
): Promise<NonNullable<ApprovalView["nearMiss"]> | null> {
  if (approval.status !== "pending" || approval.args === null) return null
  const args = approval.editedArgs ?? approval.args
  if ((approval.checked?.bytes ?? bytesOf(args)) > largestCompared) return null
  const earlier = await service.store.approvals({
    statuses: approvedOnce,
    principal: approval.session.principal,
    session: approval.session.id,
    server: approval.tool.server,
    tool: approval.tool.tool,
    limit: mostLookedAt,
  })
  for (const { id, kind, bytes } of earlier) {
    if (kind !== approval.kind || bytes > largestCompared) continue
    const allowed = await service.store.approval(id)
    const differences = allowed === undefined ? null : nearMiss(allowed, args)
    if (differences !== null && isNear(differences, args)) return { approval: id, differences }
  }
  return null
}

function isNear(differences: readonly ArgDifference[], args: JsonObject): boolean {
  const changed = differences.reduce((sum, { after }) => sum + (after === undefined ? 0 : valuesIn(after)), 0)
  const same = valuesIn(args) - changed
  return differences.length > 0 && differences.length <= Math.min(mostDifferences, same)
}

/** How many values stand in it, however deep. One that is empty is a value itself. */
function valuesIn(value: JsonValue): number {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return 1
  const inner: readonly JsonValue[] = Object.values(value)
  return inner.length === 0 ? 1 : inner.reduce<number>((sum, each) => sum + valuesIn(each), 0)
}
