import type {
  AgentRun,
  Approval,
  AuditRecord,
  ChainHead,
  EpochMs,
  Grant,
  JournalLine,
  Pin,
  PrincipalCounts,
  SessionRecord,
  SessionTotal,
  SignedRoster,
  StoredDocument,
  StoreEvent,
} from "@byleave/core"
import { createListeners, type EventListeners } from "../listeners.ts"

export type KeptRecord = { readonly record: AuditRecord; payload: string | null }
export type Chain = { head: ChainHead; readonly records: KeptRecord[]; aliveUntil: EpochMs }

/** The data that the handles of one memory share, as connections share a file. */
export type MemoryDatabase = {
  readonly approvals: Map<string, Approval>
  readonly grants: Map<string, Grant>
  readonly pins: Map<string, Pin>
  readonly sessions: Map<string, SessionRecord>
  readonly documents: Map<string, StoredDocument>
  readonly runs: Map<string, AgentRun>
  /** By run; lines by number. */
  readonly journals: Map<string, JournalLine[]>
  /** By principal; whose last use is longest ago comes first, as among the totals. */
  readonly principalCounts: Map<string, PrincipalCounts>
  /** By `sessionKey`. */
  readonly sessionTotals: Map<string, SessionTotal>
  readonly chains: Map<string, Chain>
  /** By seq, with gaps where retention removed some; the newest is always there. */
  events: StoreEvent[]
  readonly untold: StoreEvent[]
  readonly listeners: EventListeners
  roster: SignedRoster | undefined
  epoch: number
  /** The latest time recorded. */
  latest: EpochMs
  telling: boolean
}

export function newMemoryDatabase(): MemoryDatabase {
  return {
    approvals: new Map(),
    grants: new Map(),
    pins: new Map(),
    sessions: new Map(),
    documents: new Map(),
    runs: new Map(),
    journals: new Map(),
    principalCounts: new Map(),
    sessionTotals: new Map(),
    chains: new Map(),
    events: [],
    untold: [],
    listeners: createListeners(),
    roster: undefined,
    epoch: 0,
    latest: 0,
    telling: false,
  }
}

export function lastEvent(database: MemoryDatabase): number {
  return database.events.at(-1)?.seq ?? 0
}

/** Tells listeners of new events, in order even if a listener causes further events. */
export function tellEvents(database: MemoryDatabase): void {
  if (database.telling) return
  database.telling = true
  for (let event = database.untold.shift(); event !== undefined; event = database.untold.shift()) {
    database.listeners.tell(event)
  }
  database.telling = false
}
