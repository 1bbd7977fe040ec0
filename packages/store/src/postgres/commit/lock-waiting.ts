import { type Change, credentialOf, type HeldCount, type RunStarter, type Session, sessionKey } from "@byleave/core"
import type { ClientBase } from "pg"
import { keyText, nameOf } from "../../key-text.ts"
import type { Statement } from "../connections.ts"
import type { Statements } from "./statements.ts"

/** The waiting calls of the sessions and principals that a batch holds calls of, if they are limited: by `sessionKey`, by principal, and of all agents. */
export type LockedWaiting = {
  readonly sessions: ReadonlyMap<string, HeldCount>
  readonly principals: ReadonlyMap<string, HeldCount>
  /** By credential. */
  readonly programs: ReadonlyMap<string, HeldCount>
  readonly all: HeldCount
  /** The waiting calls of paused runs, by `starterKey`. */
  readonly starters: ReadonlyMap<string, HeldCount>
}

type PrincipalRow = HeldCount & { readonly principal: string }
type StarterRow = HeldCount & RunStarter
type SessionRow = PrincipalRow & { readonly session: string }

const none: HeldCount = { calls: 0, bytes: 0 }

/** Lets no other transaction hold calls before the commit, and counts the waiting calls; null if the batch holds nothing that is limited. */
export async function lockWaiting(
  client: ClientBase,
  changes: readonly Change[],
  sql: Statements,
): Promise<LockedWaiting | null> {
  const limited = changes.filter(({ within }) => within !== undefined)
  if (limited.length === 0) return null
  const ofSessions = sessionsOf(limited.filter(({ within }) => within?.perSession !== undefined))
  const ofPrincipals = sessionsOf(limited.filter(({ within }) => within?.perPrincipal !== undefined))
  const ofPrograms = sessionsOf(limited.filter(({ within }) => within?.perProgram !== undefined))
  const starters = startersOf(limited.filter(({ within }) => within?.ofRuns !== undefined))
  const ask = <Row extends object>(statement: Statement, values: readonly unknown[] = []) =>
    client.query<Row>({ ...statement, values: [...values] })
  const [, sessions, principals, programs, all, ofStarters] = await Promise.all([
    ask(sql.lockHolding),
    ask<SessionRow>(sql.waitingOfSessions, [
      ofSessions.map(({ principal }) => keyText(principal)),
      ofSessions.map(({ id }) => keyText(id)),
    ]),
    ask<PrincipalRow>(sql.waitingOfPrincipals, [namesIn(ofPrincipals, (principal) => principal)]),
    ask<PrincipalRow>(sql.waitingOfPrograms, [namesIn(ofPrograms, credentialOf)]),
    ask<HeldCount>(sql.waitingOfAgents),
    starters.length === 0 ? null : ask<StarterRow>(sql.waitingOfStarters, [starters]),
  ])
  return {
    sessions: new Map(
      sessions.rows.map(({ principal, session, ...count }) => [
        sessionKey({ principal: nameOf(principal), id: nameOf(session) }),
        count,
      ]),
    ),
    principals: countsByName(principals.rows),
    programs: countsByName(programs.rows),
    all: all.rows[0] ?? none,
    starters: new Map(
      ofStarters?.rows.map(({ kind, id, ...count }) => [starterKey({ kind, id: nameOf(id) }), count]) ?? [],
    ),
  }
}

function namesIn(sessions: readonly Session[], nameIn: (principal: string) => string): readonly string[] {
  return [...new Set(sessions.map(({ principal }) => keyText(nameIn(principal))))]
}

function countsByName(rows: readonly PrincipalRow[]): ReadonlyMap<string, HeldCount> {
  return new Map(rows.map(({ principal, ...count }) => [nameOf(principal), count]))
}

export function starterKey({ kind, id }: RunStarter): string {
  return JSON.stringify([kind, id])
}

function startersOf(changes: readonly Change[]): readonly string[] {
  const runs = changes.flatMap(({ runs = [] }) => runs.flatMap((write) => ("next" in write ? write.next : [])))
  return [...new Set(runs.map(({ startedBy }) => keyText(startedBy.id)))]
}

function sessionsOf(changes: readonly Change[]): readonly Session[] {
  const sessions = changes.flatMap(({ approvals = [] }) => approvals.map(({ next }) => next.session))
  return [...new Map(sessions.map((session) => [sessionKey(session), session])).values()]
}
