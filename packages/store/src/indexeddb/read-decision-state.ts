import type { DecisionState, Grant, Pin, SessionRecord, SessionState } from "@byleave/core"
import { isForSession } from "../grant-session.ts"
import { readProgress } from "./commit-change.ts"
import { resultOf, type Table } from "./database.ts"
import { documentAt, documentIn, type TextRow } from "./rows.ts"

export async function decisionState(table: Table): Promise<DecisionState> {
  const [{ epoch }, grants, pins, sessions] = await Promise.all([
    readProgress(table),
    allGrants(table),
    resultOf<TextRow[]>(table("pins").getAll()),
    resultOf<(TextRow & { readonly isDeciding: boolean })[]>(table("sessions").getAll()),
  ])
  return {
    epoch,
    grants,
    pins: pins.map((row) => documentIn<Pin>(row)),
    sessions: sessions.filter((row) => row.isDeciding).map((row) => documentIn<SessionRecord>(row)),
  }
}

export async function allGrants(table: Table): Promise<readonly Grant[]> {
  return (await resultOf<TextRow[]>(table("grants").getAll())).map((row) => documentIn<Grant>(row))
}

export async function sessionState(
  table: Table,
  ref: { readonly principal: string; readonly id: string },
): Promise<SessionState> {
  const [{ epoch }, record, grants] = await Promise.all([
    readProgress(table),
    documentAt<SessionRecord>(table("sessions"), [ref.principal, ref.id]),
    allGrants(table),
  ])
  return { epoch, record, grants: grants.filter((grant) => isForSession(grant, ref)) }
}
