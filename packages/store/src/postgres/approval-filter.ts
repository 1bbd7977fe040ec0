import type { ApprovalQuery } from "@byleave/core"
import { type Clause, equals, type Filtered, hashEquals, isAfter, isOneOf, isSince, joined } from "./where.ts"

type Filter = Omit<ApprovalQuery, "limit" | "after">

export function listApprovals(query: ApprovalQuery, quotedSchema: string): Filtered {
  const where = joined([...clausesOf(query), ...isAfter(query.after)])
  const limit = where.values.length + 1
  const text = `SELECT summary AS doc FROM ${quotedSchema}.approvals ${where.text} ORDER BY created_at DESC, id DESC LIMIT $${limit}`
  return { statement: { name: `approvals ${where.name}`, text }, values: [...where.values, query.limit] }
}

export function countApprovals(query: Filter, quotedSchema: string): Filtered {
  const where = joined(clausesOf(query))
  const text = `SELECT count(*) AS count FROM ${quotedSchema}.approvals ${where.text}`
  return { statement: { name: `count ${where.name}`, text }, values: where.values }
}

function clausesOf(query: Filter): readonly Clause[] {
  return [
    ...isOneOf("status", query.statuses),
    ...equals("principal", query.principal),
    ...hashEquals("session", query.session),
    ...equals("server", query.server),
    ...equals("tool", query.tool),
    ...isSince("created_at", query.createdSince),
    ...isSince("settled_at", query.settledSince),
  ]
}
