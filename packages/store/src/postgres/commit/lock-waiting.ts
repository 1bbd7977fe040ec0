import { type Change, sessionKey } from "@byleave/core"
import type { ClientBase } from "pg"
import type { HeldCount } from "../../held-limit.ts"
import { keyText, nameOf } from "../../key-text.ts"
import type { Statement } from "../connections.ts"
import type { Statements } from "./statements.ts"

/** What waits of the principals that a batch holds calls of: by `sessionKey`, by principal, and in all. */
export type LockedWaiting = {
  readonly sessions: ReadonlyMap<string, HeldCount>
  readonly principals: ReadonlyMap<string, HeldCount>
  readonly all: HeldCount
}

type SessionRow = HeldCount & { readonly principal: string; readonly session: string }

const none: HeldCount = { calls: 0, bytes: 0 }

/** Lets nobody else hold calls before the commit, and counts what waits; null when the batch holds nothing that is limited. */
export async function lockWaiting(
  client: ClientBase,
  changes: readonly Change[],
  sql: Statements,
): Promise<LockedWaiting | null> {
  const limited = changes.filter(({ within }) => within !== undefined)
  if (limited.length === 0) return null
  const principals = limited.flatMap(({ approvals }) => approvals?.map(({ next }) => keyText(next.principal.id)) ?? [])
  const ask = <Row extends object>(statement: Statement, values: readonly unknown[] = []) =>
    client.query<Row>({ ...statement, values: [...values] })
  const [, sessions, all] = await Promise.all([
    ask(sql.lockHolding),
    ask<SessionRow>(sql.waitingOf, [[...new Set(principals)]]),
    ask<HeldCount>(sql.waitingInAll),
  ])
  const bySession = new Map<string, HeldCount>()
  const byPrincipal = new Map<string, HeldCount>()
  for (const { principal, session, calls, bytes } of sessions.rows) {
    const name = nameOf(principal)
    const sum = byPrincipal.get(name) ?? none
    byPrincipal.set(name, { calls: sum.calls + calls, bytes: sum.bytes + bytes })
    bySession.set(sessionKey({ principal: name, id: nameOf(session) }), { calls, bytes })
  }
  return { sessions: bySession, principals: byPrincipal, all: all.rows[0] ?? none }
}
