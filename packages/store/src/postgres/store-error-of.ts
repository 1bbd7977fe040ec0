import { StoreError, type StoreErrorCode } from "@byleave/core"
import pg from "pg"

/** The kind of a failure, as far as trying again is concerned. */
export type PostgresFailure =
  /** The server refused; nothing was written. The same again may succeed. */
  | "contended"
  /** The server refused what it was given; the same again fails the same way. */
  | "refused"
  /** The connection is gone. Whether a commit was done nobody has said. */
  | "lost"

const sentences: ReadonlyArray<readonly [sqlstate: RegExp, code: StoreErrorCode, sentence: string]> = [
  [/^53100$/, "full", "The PostgreSQL server's disk is full. Make room and try again."],
  [
    /^25006$/,
    "read-only",
    "PostgreSQL takes no writes: it is a standby, or set to read only. Point Byleave at the primary.",
  ],
  [/^42501$/, "read-only", "This PostgreSQL user may not do that. Grant it the rights to its schema."],
  [
    /^(42P01|3F000|42703)$/,
    "gone",
    "Byleave's tables are not there any more. Restore them, or start again with an empty schema.",
  ],
  [/^XX00[12]$/, "corrupt", "PostgreSQL reports damaged data. Restore a backup."],
  [/^(40001|40P01|55P03|57014|23505)$/, "busy", "PostgreSQL is too busy to record this now. Try again."],
  [/^(28P01|28000)$/, "unavailable", "PostgreSQL refused the user or password. Check the address of the store."],
  [/^3D000$/, "unavailable", "There is no such PostgreSQL database. Create it, or check the address of the store."],
  [/^53300$/, "unavailable", "PostgreSQL has no connection left. Raise max_connections, or close other clients."],
  [/^(57P0|08)/, "unavailable", "PostgreSQL closed the connection. It may be restarting."],
]

/** Says in Byleave's words what a driver's error means; a `StoreError` passes as it is. */
export function storeErrorOf(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause
  const sqlstate = sqlstateOf(cause)
  const known = sqlstate === undefined ? undefined : sentences.find(([pattern]) => pattern.test(sqlstate))
  if (known !== undefined) return new StoreError(known[1], known[2], { cause })
  const detail = messageOf(cause)
  if (sqlstate !== undefined) return new StoreError("unavailable", `PostgreSQL refused: ${detail}`, { cause })
  return new StoreError("unavailable", `PostgreSQL is unreachable: ${detail}`, { cause })
}

export function failureOf(cause: unknown): PostgresFailure {
  const sqlstate = sqlstateOf(cause)
  if (sqlstate === undefined) return cause instanceof StoreError ? "refused" : "lost"
  if (/^(57P0|08)/.test(sqlstate)) return "lost"
  // Unique violations: another process put the same id first, or this writer's lost commit was done after all.
  return /^(40001|40P01|55P03|23505)$/.test(sqlstate) ? "contended" : "refused"
}

/** True if the server rejects the values themselves; one such change must not make others fail with it. */
export function isAboutValues(cause: unknown): boolean {
  const inner = cause instanceof StoreError ? cause.cause : cause
  return /^(22|54)/.test(sqlstateOf(inner) ?? "")
}

/** PostgreSQL's own code for what it refused; undefined when it said nothing. */
export function sqlstateOf(cause: unknown): string | undefined {
  return cause instanceof pg.DatabaseError ? cause.code : undefined
}

// Node gives one error per address tried, with an empty message around them.
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return messageOf(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}
