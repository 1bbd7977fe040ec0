import type { ApprovalQuery } from "@byleave/core"
import { keyText } from "../key-text.ts"
import type { Statement } from "./connections.ts"

/** A question about approvals: a statement per combination of filters, so that each is prepared once. */
export type Filtered = { readonly statement: Statement; readonly values: readonly unknown[] }

type Filter = Omit<ApprovalQuery, "limit" | "after">
type Clause = { readonly name: string; readonly text: (place: number) => string; readonly values: readonly unknown[] }

export function listApprovals(query: ApprovalQuery, quotedSchema: string): Filtered {
  const { after } = query
  const clauses = clausesOf(query)
  if (after !== undefined) {
    const text = (place: number): string => `(created_at, id) < ($${place}::float8, $${place + 1})`
    clauses.push({ name: "after", text, values: [after.createdAt, keyText(after.id)] })
  }
  const where = joined(clauses)
  const limit = where.values.length + 1
  const text = `SELECT summary AS doc FROM ${quotedSchema}.approvals ${where.text} ORDER BY created_at DESC, id DESC LIMIT $${limit}`
  return { statement: { name: `approvals ${where.name}`, text }, values: [...where.values, query.limit] }
}

export function countApprovals(query: Filter, quotedSchema: string): Filtered {
  const where = joined(clausesOf(query))
  const text = `SELECT count(*) AS count FROM ${quotedSchema}.approvals ${where.text}`
  return { statement: { name: `count ${where.name}`, text }, values: where.values }
}

function clausesOf(query: Filter): Clause[] {
  const equals = (column: string, name: string | undefined): Clause[] =>
    name === undefined ? [] : [{ name: column, text: (place) => `${column} = $${place}`, values: [keyText(name)] }]
  const since = (column: string, at: number | undefined): Clause[] =>
    at === undefined ? [] : [{ name: column, text: (place) => `${column} >= $${place}`, values: [at] }]
  const statuses: Clause[] =
    query.statuses === undefined
      ? []
      : [{ name: "status", text: (place) => `status = ANY ($${place})`, values: [query.statuses] }]
  const session: Clause[] =
    query.session === undefined
      ? []
      : [{ name: "md5", text: (place) => `md5(session) = md5($${place})`, values: [keyText(query.session)] }]
  return [
    ...statuses,
    ...equals("principal", query.principal),
    ...session,
    ...equals("session", query.session),
    ...equals("server", query.server),
    ...equals("tool", query.tool),
    ...since("created_at", query.createdSince),
    ...since("settled_at", query.settledSince),
  ]
}

function joined(clauses: readonly Clause[]): { name: string; text: string; values: readonly unknown[] } {
  const values: unknown[] = []
  const texts = clauses.map((clause) => {
    const text = clause.text(values.length + 1)
    values.push(...clause.values)
    return text
  })
  const text = texts.length === 0 ? "" : `WHERE ${texts.join(" AND ")}`
  return { name: clauses.map(({ name }) => name).join(" "), text, values }
}
