import type { DatabaseSync } from "node:sqlite"
import {
  type DecisionState,
  type Grant,
  type Pin,
  type SessionRecord,
  type SessionState,
  sessionKey,
} from "@byleave/core"
import { keyText, nameOf } from "../../key-text.ts"
import { atOneMoment } from "../writing/transactions.ts"
import { prepared } from "./prepared.ts"
import { storedJson } from "./stored-json.ts"

export type DecisionReader = {
  readonly state: () => DecisionState
  readonly grants: () => readonly Grant[]
  readonly session: (ref: SessionRef) => SessionRecord | undefined
  readonly sessionState: (ref: SessionRef) => SessionState
}

type SessionRef = { readonly principal: string; readonly id: string }

type GrantRow = {
  readonly doc: string
  readonly uses_left: number | null
  readonly times_used: number
  readonly last_used_at: number | null
}

type SessionRow = {
  readonly principal: string
  readonly id: string
  readonly named: number
  readonly mode: SessionRecord["mode"]
  readonly mode_until: number | null
  readonly mode_by: string | null
  readonly lifted: string
  readonly refused: string
  readonly since: number | null
  readonly ended_at: number | null
}

export function createDecisionReader(database: DatabaseSync): DecisionReader {
  const epochs = prepared<{ epoch: number; pins: number }>(database, "SELECT epoch, pins_epoch AS pins FROM state")
  const grants = prepared<GrantRow>(database, "SELECT doc, uses_left, times_used, last_used_at FROM grants ORDER BY id")
  const grantsFor = prepared<GrantRow>(
    database,
    "SELECT doc, uses_left, times_used, last_used_at FROM grants WHERE session_key = ? ORDER BY id",
  )
  const pins = prepared<{ doc: string }>(database, "SELECT doc FROM pins ORDER BY server, tool")
  const sessions = prepared<SessionRow>(
    database,
    "SELECT * FROM sessions WHERE ended_at IS NULL AND (mode <> 'ask' OR lifted <> '[]' OR refused <> '[]') ORDER BY principal, id",
  )
  const session = prepared<SessionRow>(database, "SELECT * FROM sessions WHERE principal = ? AND id = ?")
  let known: { readonly epoch: number; readonly pins: readonly Pin[] } | null = null
  const pinsAt = (epoch: number): readonly Pin[] => {
    // Definitions are long and change seldom; grants and modes change while people work.
    if (known?.epoch !== epoch) known = { epoch, pins: pins.all().map((row) => storedJson<Pin>(row.doc)) }
    return known.pins
  }
  const sessionAt = ({ principal, id }: SessionRef): SessionRecord | undefined => {
    const row = session.get(keyText(principal), keyText(id))
    return row === undefined ? undefined : sessionOf(row)
  }
  return {
    state: () =>
      atOneMoment(database, () => {
        const at = epochs.get() ?? { epoch: 0, pins: 0 }
        return {
          epoch: at.epoch,
          grants: grants.all().map(grantOf),
          pins: pinsAt(at.pins),
          sessions: sessions.all().map(sessionOf),
        }
      }),
    grants: () => grants.all().map(grantOf),
    session: sessionAt,
    sessionState: (ref) =>
      atOneMoment(database, () => ({
        epoch: epochs.get()?.epoch ?? 0,
        record: sessionAt(ref),
        grants: grantsFor.all(sessionKey(ref)).map(grantOf),
      })),
  }
}

function grantOf(row: GrantRow): Grant {
  const grant = { ...storedJson<Grant>(row.doc), timesUsed: row.times_used, lastUsedAt: row.last_used_at }
  return row.uses_left === null ? grant : { ...grant, usesLeft: row.uses_left }
}

function sessionOf(row: SessionRow): SessionRecord {
  return {
    principal: nameOf(row.principal),
    id: nameOf(row.id),
    named: row.named === 1,
    mode: row.mode,
    modeUntil: row.mode_until,
    modeBy: row.mode_by === null ? null : nameOf(row.mode_by),
    lifted: storedJson<SessionRecord["lifted"]>(row.lifted),
    refused: storedJson<SessionRecord["refused"]>(row.refused),
    ...(row.since === null ? {} : { since: row.since }),
    endedAt: row.ended_at,
  }
}
