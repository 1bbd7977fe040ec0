/**
 * Which commits go ahead of the database, and what has gone there and is not in it yet.
 *
 * I1. A commit that does anything but record, and count what it records, is a transaction.
 * I2. A judgement by another epoch than the one in force is not recorded.
 * I3. After a failed transaction nothing goes ahead until one succeeds: a store that cannot keep what it has must not promise to keep more.
 * I4. What goes beyond a limit is not recorded; all that went ahead counts.
 */
import type { CallUse, Change, CommitResult, EpochMs, Hasher } from "@byleave/core"
import { useConflict } from "../../use-conflict.ts"
import { type AheadRow, linkRow } from "../tables/chain-table.ts"
import type { UsageTable } from "../tables/usage-table.ts"
import type { AheadFiles } from "./ahead-file.ts"
import type { OwnChain } from "./own-chain.ts"

export type RecordsAhead = {
  /** Committed, and not in the database yet. */
  readonly rows: () => readonly AheadRow[]
  /** The records of a batch, linked after the chain's head; null when the batch, or the moment, is for a transaction. */
  readonly link: (batch: readonly Change[], own: OwnChain, isDue: (at: EpochMs) => boolean) => Linked | null
  /** False when they cannot be written there; a transaction then says what is wrong. */
  readonly append: (linked: Linked) => boolean
  /** Whether those that are there may stay a while longer, brought to disk where they are. */
  readonly mayStay: () => boolean
  readonly sync: () => Promise<void>
  /** A transaction took them in, and left this epoch. */
  readonly tookIn: (epoch: number, isOnDisk: boolean) => void
  readonly pause: () => void
}

export type Linked = {
  /** Whether one of the batch rests on the epoch, or on counts, which another process may have moved. */
  readonly isJudged: boolean
  readonly rows: readonly AheadRow[]
  readonly head: OwnChain["head"]
  readonly latest: EpochMs
  readonly results: readonly CommitResult[]
}

const mostRows = 2_000
/** A transaction costs as much as taking in some fifty records, so few are not worth one; and of many, the event loop would wait too long. */
const enoughRows = 256
const longestStayMs = 200
/** Records with longer payloads are not written twice. */
const longestPayload = 64 * 1024

export function createRecordsAhead(ports: {
  readonly ahead: AheadFiles | null
  readonly hasher: Hasher
  readonly usage: UsageTable
}): RecordsAhead {
  const { ahead } = ports
  let waiting: AheadRow[] = []
  let knownEpoch: number | null = null
  let since = 0

  return {
    rows: () => waiting,
    link: (batch, own, isDue) => {
      if (ahead === null || knownEpoch === null || waiting.length >= mostRows) return null
      if (!batch.every((change) => isRecordsAlone(change) && !isDue(change.at))) return null
      return linkAll(batch, own, knownEpoch, ports)
    },
    append: ({ rows }) => {
      try {
        if (rows.length > 0) ahead?.append(rows)
      } catch {
        knownEpoch = null
        return false
      }
      if (waiting.length === 0) since = performance.now()
      waiting.push(...rows)
      return true
    },
    mayStay: () => knownEpoch !== null && waiting.length < enoughRows && performance.now() - since < longestStayMs,
    sync: async () => {
      try {
        await ahead?.sync()
      } catch (error) {
        knownEpoch = null
        throw error
      }
    },
    tookIn: (epoch, isOnDisk) => {
      if (waiting.length > 0 || isOnDisk) ahead?.tookIn(isOnDisk)
      waiting = []
      knownEpoch = epoch
    },
    pause: () => {
      knownEpoch = null
    },
  }
}

type LinkPorts = { readonly hasher: Hasher; readonly usage: UsageTable }

/** Counts them, too: if they are not appended, a transaction follows, and counts anew. */
function linkAll(batch: readonly Change[], own: OwnChain, epoch: number, { hasher, usage }: LinkPorts): Linked {
  const rows: AheadRow[] = []
  const results: CommitResult[] = []
  let { head } = own
  let latest = 0
  let isJudged = false
  for (const change of batch) {
    isJudged ||= change.epoch !== undefined || change.use !== undefined
    if (change.epoch !== undefined && change.epoch !== epoch) {
      results.push({ ok: false, conflict: "epoch", id: null })
      continue
    }
    const beyond = useConflict(change, usage.countsOf)
    if (beyond !== null) {
      results.push(beyond)
      continue
    }
    if (change.use !== undefined) usage.add(change.use, change.at)
    for (const draft of change.records) {
      const linked = linkRow(own.n, head, draft, hasher)
      rows.push(withUse(linked.row, change.use))
      head = linked.head
      latest = Math.max(latest, draft.at)
    }
    results.push({ ok: true, epoch })
  }
  return { isJudged, rows, head, latest, results }
}

function withUse(row: AheadRow, use: CallUse | undefined): AheadRow {
  if (use === undefined) return row
  const { within: _, ...counted } = use
  return [...row, counted] as unknown as AheadRow
}

// The members are named, not left out: one that is added to a change later must not slip by.
const ofRecords: ReadonlySet<string> = new Set<keyof Change>([
  "at",
  "records",
  "events",
  "durability",
  "unhurried",
  "epoch",
  "use",
])

function isRecordsAlone(change: Change): boolean {
  const { at, records, events, durability, use } = change
  if (durability !== "soon" || events.length > 0) return false
  // It goes with the line of its record.
  if (use !== undefined && records.length !== 1) return false
  for (const member in change) if (!ofRecords.has(member)) return false
  let latest = 0
  for (const record of records) {
    if ((record.payload?.length ?? 0) > longestPayload) return false
    latest = Math.max(latest, record.at)
  }
  // A time that no record holds is written down besides.
  return latest === at
}
