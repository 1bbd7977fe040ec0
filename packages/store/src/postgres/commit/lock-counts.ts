import {
  type CallUse,
  type Change,
  type Hasher,
  type PrincipalCounts,
  type SessionTotal,
  sessionKey,
} from "@byleave/core"
import type { ClientBase } from "pg"
import type { Statement } from "../connections.ts"
import { readDoc } from "../read-doc.ts"
import type { Statements } from "./statements.ts"

/** The recent activity of a batch's agents, by `countKeys`. */
export type LockedCounts = {
  readonly principals: ReadonlyMap<string, PrincipalCounts>
  readonly sessions: ReadonlyMap<string, SessionTotal>
}

const none: LockedCounts = { principals: new Map(), sessions: new Map() }

/** Lets nobody else count for the same agents before the commit. */
export async function lockCounts(
  client: ClientBase,
  changes: readonly Change[],
  hasher: Hasher,
  sql: Statements,
): Promise<LockedCounts> {
  const keys = changes.flatMap(({ use }) => (use === undefined ? [] : [countKeys(use, hasher)]))
  if (keys.length === 0) return none
  const ask = <Row extends object>(statement: Statement, names: readonly string[]) =>
    names.length === 0 ? null : client.query<Row>({ ...statement, values: [[...new Set(names)]] })
  const [principals, sessions] = await Promise.all([
    ask<{ key: string; doc: string }>(
      sql.lockPrincipalCounts,
      keys.map(({ principal }) => principal),
    ),
    ask<SessionTotal & { key: string }>(
      sql.lockSessionTotals,
      keys.flatMap(({ session }) => session ?? []),
    ),
  ])
  return {
    principals: new Map(principals?.rows.map(({ key, doc }) => [key, readDoc<PrincipalCounts>(doc)])),
    sessions: new Map(sessions?.rows.map(({ key, total, forgetAt }) => [key, { total, forgetAt }])),
  }
}

/** Where its counts are kept: names have any length, index entries have not. */
export function countKeys({ principal, session }: CallUse, hasher: Hasher): CountKeys {
  return {
    principal: hasher.sha256(JSON.stringify([principal])),
    session: session === undefined ? null : hasher.sha256(sessionKey({ principal, id: session })),
  }
}

export type CountKeys = { readonly principal: string; readonly session: string | null }
