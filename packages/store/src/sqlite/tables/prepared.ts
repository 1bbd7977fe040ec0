import type { DatabaseSync, SQLInputValue } from "node:sqlite"

/** A prepared statement whose rows have a known shape: the tables are strict and only we write them. */
export type PreparedStatements<Row> = {
  readonly get: (...values: readonly SQLInputValue[]) => Row | undefined
  readonly all: (...values: readonly SQLInputValue[]) => readonly Row[]
  /** How many rows it changed. */
  readonly run: (...values: readonly SQLInputValue[]) => number
}

export function prepared<Row = never>(database: DatabaseSync, sql: string): PreparedStatements<Row> {
  const statement = database.prepare(sql)
  return {
    get: (...values) => statement.get(...values) as Row | undefined,
    all: (...values) => statement.all(...values) as unknown as readonly Row[],
    run: (...values) => Number(statement.run(...values).changes),
  }
}

/** Prepares each text once: for queries that are built from the given filters. */
export function preparedOnDemand<Row>(database: DatabaseSync): (sql: string) => PreparedStatements<Row> {
  const statements = new Map<string, PreparedStatements<Row>>()
  return (sql) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = prepared<Row>(database, sql)
    statements.set(sql, statement)
    return statement
  }
}

/** Like `prepared`, for very many rows: each a tuple in the order of the columns, which costs half of what an object does. */
export function preparedTuples<Row extends readonly unknown[]>(
  database: DatabaseSync,
  sql: string,
): (...values: readonly SQLInputValue[]) => readonly Row[] {
  const statement = database.prepare(sql)
  // Node before 22.16 gives objects only.
  const canGiveTuples = "setReturnArrays" in statement
  if (canGiveTuples) statement.setReturnArrays(true)
  return (...values) => {
    const rows: readonly object[] = statement.all(...values)
    return (canGiveTuples ? rows : rows.map(Object.values)) as unknown as readonly Row[]
  }
}
