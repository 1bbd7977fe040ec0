import { keyText } from "../key-text.ts"
import type { Statement } from "./connections.ts"

/** A query built from the given filters: one statement per combination, so that each is prepared once. */
export type Filtered = { readonly statement: Statement; readonly values: readonly unknown[] }

export type Clause = {
  readonly name: string
  readonly text: (place: number) => string
  readonly values: readonly unknown[]
}

export function equals(column: string, name: string | undefined): Clause[] {
  return name === undefined ? [] : [{ name: column, text: (place) => `${column} = $${place}`, values: [keyText(name)] }]
}

/** For a column that is indexed by its hash. */
export function hashEquals(column: string, name: string | undefined): Clause[] {
  if (name === undefined) return []
  const text = (place: number): string => `md5(${column}) = md5($${place}) AND ${column} = $${place}`
  return [{ name: column, text, values: [keyText(name)] }]
}

export function isOneOf(column: string, names: readonly string[] | undefined): Clause[] {
  return names === undefined ? [] : [{ name: column, text: (place) => `${column} = ANY ($${place})`, values: [names] }]
}

export function isSince(column: string, at: number | undefined): Clause[] {
  return at === undefined ? [] : [{ name: column, text: (place) => `${column} >= $${place}`, values: [at] }]
}

/** Further on in newest-first order. */
export function isAfter(place: { readonly createdAt: number; readonly id: string } | undefined): Clause[] {
  if (place === undefined) return []
  const text = (at: number): string => `(created_at, id) < ($${at}::float8, $${at + 1})`
  return [{ name: "after", text, values: [place.createdAt, keyText(place.id)] }]
}

export function joined(clauses: readonly Clause[]): { name: string; text: string; values: readonly unknown[] } {
  const values: unknown[] = []
  const texts = clauses.map((clause) => {
    const text = clause.text(values.length + 1)
    values.push(...clause.values)
    return text
  })
  // PostgreSQL tells statements apart by 63 characters of their names.
  const name = clauses.map((clause) => clause.name.slice(0, 5)).join(" ")
  const text = texts.length === 0 ? "" : `WHERE ${texts.join(" AND ")}`
  return { name, text, values }
}
