import {
  type Approval,
  type ApprovalQuery,
  type ApprovalSummary,
  openStatuses,
  type Session,
  type Store,
  sessionKey,
  summaryOf,
} from "@byleave/core"
import { isAttachable, matchesApproval, settledAtOf, type WantedApprovals } from "../approval-facts.ts"
import { newestFirst, oldestFirst } from "../in-order.ts"
import { resultOf, type Table } from "./database.ts"
import { type ApprovalRow, documentIn } from "./rows.ts"
import { walk } from "./walk.ts"

export async function newestApprovals(table: Table, query: ApprovalQuery): Promise<readonly ApprovalSummary[]> {
  const { after, limit } = query
  const found: ApprovalRow[] = []
  for (const source of sourcesOf(table, query)) {
    const rows: ApprovalRow[] = []
    await walk<ApprovalRow>(source.index, source.range, "prev", (row) => {
      if (matchesApproval(row, query) && (after === undefined || oldestFirst(row, after) < 0)) rows.push(row)
      return rows.length < limit
    })
    found.push(...rows)
  }
  return found
    .sort(newestFirst)
    .slice(0, limit)
    .map((row) => summaryOf(documentIn<Approval>(row)))
}

export async function countApprovals(table: Table, query: WantedApprovals): Promise<number> {
  let count = 0
  for (const source of sourcesOf(table, query)) {
    await walk<ApprovalRow>(source.index, source.range, "next", (row) => {
      if (matchesApproval(row, query)) count += 1
      return true
    })
  }
  return count
}

type Source = { readonly index: IDBIndex; readonly range: IDBKeyRange | null }

/** The indexes to walk: the narrowest that the query allows. */
function sourcesOf(table: Table, { session, statuses }: WantedApprovals): readonly Source[] {
  const approvals = table("approvals")
  if (session !== undefined) return [{ index: approvals.index("bySession"), range: startingWith(session) }]
  if (statuses === undefined) return [{ index: approvals.index("byTime"), range: null }]
  const byStatus = approvals.index("byStatus")
  return [...new Set(statuses)].map((status) => ({ index: byStatus, range: startingWith(status) }))
}

function startingWith(first: string): IDBKeyRange {
  return IDBKeyRange.bound([first], [first, []])
}

export async function openSessions(table: Table, limit: number): Promise<Awaited<ReturnType<Store["openSessions"]>>> {
  const rows: ApprovalRow[] = []
  for (const source of sourcesOf(table, { statuses: openStatuses })) {
    rows.push(...(await resultOf<ApprovalRow[]>(source.index.getAll(source.range))))
  }
  const sessions = new Map<string, { session: Session; waiting: number }>()
  for (const row of rows.sort(newestFirst)) {
    const { session, status } = documentIn<Approval>(row)
    const known = sessions.get(sessionKey(session)) ?? { session, waiting: 0 }
    sessions.set(sessionKey(session), { ...known, waiting: known.waiting + (status === "pending" ? 1 : 0) })
  }
  return [...sessions.values()].slice(0, limit)
}

export async function identicalApprovals(
  table: Table,
  ...[key, settledSince]: Parameters<Store["identical"]>
): Promise<readonly ApprovalSummary[]> {
  const rows = await resultOf<ApprovalRow[]>(table("approvals").index("byDigest").getAll(key.callDigest))
  const { callDigest: _, ...filter } = key
  return rows
    .filter((row) => matchesApproval(row, filter))
    .map((row) => documentIn<Approval>(row))
    .filter((found) => isAttachable(found) && (settledAtOf(found) ?? Number.POSITIVE_INFINITY) >= settledSince)
    .sort(oldestFirst)
    .map(summaryOf)
}

export async function dueApprovals(
  table: Table,
  ...[now, limit]: Parameters<Store["due"]>
): Promise<readonly ApprovalSummary[]> {
  const byDue = table("approvals").index("byDue")
  const rows = await resultOf<ApprovalRow[]>(byDue.getAll(IDBKeyRange.upperBound(now), limit))
  return rows.map((row) => summaryOf(documentIn<Approval>(row)))
}
