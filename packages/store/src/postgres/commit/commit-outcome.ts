import { setTimeout as delay } from "node:timers/promises"
import { StoreError } from "@byleave/core"
import type { QueryResult } from "pg"
import type { Connections } from "../connections.ts"
import { failureOf, sqlstateOf } from "../store-error-of.ts"
import type { Statements } from "./statements.ts"

type Ports = { readonly connections: Connections; readonly sql: Statements }

/**
 * Waits for a commit that is under way. When the connection breaks before the server has answered, the commit may or may
 * not have been done; the server is asked what became of the transaction, and nobody is told anything before it has said.
 */
export async function commitOutcome<Written>(
  writing: Promise<Written>,
  committing: Promise<QueryResult>,
  xact: string,
  ports: Ports,
): Promise<Written | null> {
  const [written, committed] = await Promise.allSettled([writing, committing])
  if (committed.status === "fulfilled") {
    // A transaction in which something failed answers COMMIT with ROLLBACK.
    if (written.status === "rejected") throw written.reason
    if (committed.value.command !== "COMMIT") throw new StoreError("unavailable", "PostgreSQL did not commit.")
    return written.value
  }
  if (failureOf(committed.reason) !== "lost") throw committed.reason
  switch (await fateOf(xact, ports)) {
    case "committed":
      return written.status === "fulfilled" ? written.value : null
    case "aborted":
      throw committed.reason
    case "unknown":
      throw new StoreError(
        "unavailable",
        "The connection to PostgreSQL broke while this was being recorded, and it cannot be told yet whether it was. Look again once PostgreSQL is back.",
        { cause: committed.reason },
      )
  }
}

type Fate = "committed" | "aborted" | "unknown"

/** Each of them persistent by itself. */
const questions = 6
const firstPauseMs = 20

async function fateOf(xact: string, { connections, sql }: Ports): Promise<Fate> {
  for (let question = 0; question < questions; question++) {
    const said = await connections.read<{ fate: string | null }>(sql.fate, [xact]).then(
      (rows) => rows[0]?.fate,
      // The server has never come to this number: it is another one, or was put back, and has not seen the commit.
      (cause: StoreError) => (sqlstateOf(cause.cause) === "22023" ? "aborted" : undefined),
    )
    if (said === "committed" || said === "aborted") return said
    await delay(firstPauseMs * 2 ** question)
  }
  return "unknown"
}
