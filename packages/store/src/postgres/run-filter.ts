import type { RunQuery } from "@byleave/core"
import { type Clause, equals, type Filtered, hashEquals, isAfter, isOneOf, isSince, joined } from "./where.ts"

type Filter = Omit<RunQuery, "limit" | "after">

export function listRuns(query: RunQuery, quotedSchema: string): Filtered {
  const where = joined([...clausesOf(query), ...isAfter(query.after)])
  const limit = where.values.length + 1
  const text = `SELECT summary AS doc FROM ${quotedSchema}.runs ${where.text} ORDER BY created_at DESC, id DESC LIMIT $${limit}`
  return { statement: { name: `runs ${where.name}`, text }, values: [...where.values, query.limit] }
}

export function countRuns(query: Filter, quotedSchema: string): Filtered {
  const where = joined(clausesOf(query))
  const text = `SELECT count(*) AS count FROM ${quotedSchema}.runs ${where.text}`
  return { statement: { name: `count runs ${where.name}`, text }, values: where.values }
}

function clausesOf({ statuses, startedBy, principal, createdSince }: Filter): readonly Clause[] {
  return [
    ...isOneOf("status", statuses),
    ...hashEquals("starter_id", startedBy?.id),
    ...equals("starter_kind", startedBy?.kind),
    ...equals("principal", principal),
    ...isSince("created_at", createdSince),
  ]
}
