import type {
  Approval,
  AuditRecord,
  ChainHead,
  EpochMs,
  Grant,
  Pin,
  SessionRecord,
  SignedRoster,
  StoreEvent,
} from "@byleave/core"
import { createListeners, type Listeners } from "../listeners.ts"

export type KeptRecord = { readonly record: AuditRecord; payload: string | null }
export type Chain = { head: ChainHead; readonly records: KeptRecord[]; aliveUntil: EpochMs }

/** What the handles of one memory share, as connections share a file. */
export type MemoryDatabase = {
  readonly approvals: Map<string, Approval>
  readonly grants: Map<string, Grant>
  readonly pins: Map<string, Pin>
  readonly sessions: Map<string, SessionRecord>
  readonly chains: Map<string, Chain>
  readonly events: StoreEvent[]
  readonly listeners: Listeners
  roster: SignedRoster | undefined
  epoch: number
  /** The latest time recorded. */
  latest: EpochMs
  /** Events up to here have been told. */
  told: number
  telling: boolean
}

export function newMemoryDatabase(): MemoryDatabase {
  return {
    approvals: new Map(),
    grants: new Map(),
    pins: new Map(),
    sessions: new Map(),
    chains: new Map(),
    events: [],
    listeners: createListeners(),
    roster: undefined,
    epoch: 0,
    latest: 0,
    told: 0,
    telling: false,
  }
}

/** Tells what has not been told yet, in order also when a listener makes further events. */
export function tellEvents(database: MemoryDatabase): void {
  if (database.telling) return
  database.telling = true
  for (let event = database.events[database.told]; event !== undefined; event = database.events[database.told]) {
    database.told++
    database.listeners.tell(event)
  }
  database.telling = false
}
