/**
 * The one place that writes.
 *
 * I1. Our chain's head in memory moves only after the transaction that moved it is committed; after a failure it is read again.
 * I2. A transaction with a `full` change is on disk before anyone hears of it.
 * I3. Nothing is written to a file that is no longer at its path.
 *
 * With an ahead file, a commit that does nothing but record goes there first (`records-ahead.ts`), and every transaction begins by taking
 * in what is there. So the newest records of our chain are in one of these states:
 *
 *                 commit that only records
 *      signed ──────────────────────────────► ahead, in its file ──┐
 *      on disk                                   │         ▲       │ syncAhead: on disk there
 *       ▲   ▲                                    │         └───────┘
 *       │   │                 any transaction    ▼
 *       │   └── `full`: signs ◄─────────── in the database, unsigned ◄── commit with a change of state
 *       │                                        │
 *       │                                        │ flush: signs, `soon`
 *       │              sync                      ▼
 *       └───────────────────────────────── signed, perhaps not on disk (`isUnsynced`)
 *
 * A transaction that fails for another reason than a busy database leaves the head uncertain (`isUncertain`): the next one reads it again, and
 * until then nothing goes ahead.
 */
import type { DatabaseSync } from "node:sqlite"
import {
  type Change,
  type CommitResult,
  type EpochMs,
  type Hasher,
  removalDraft,
  type Signer,
  type StoreEvent,
} from "@byleave/core"
import { signedWithinMs } from "../../signed-within.ts"
import { createSteadyTime, type Elapsed } from "../../steady-time.ts"
import type { FileWatch } from "../file-watch.ts"
import type { LogHead } from "../log-head.ts"
import { isBusy } from "../sqlite-error.ts"
import type { ChainTable } from "../tables/chain-table.ts"
import { createChangeTable, type UsageTally } from "../tables/change-table.ts"
import type { DocumentTable } from "../tables/document-table.ts"
import { prepared } from "../tables/prepared.ts"
import { createRemoval, type Removed } from "../tables/remove-old.ts"
import type { RunTable } from "../tables/run-table.ts"
import type { UsageTable } from "../tables/usage-table.ts"
import type { AheadFiles } from "./ahead-file.ts"
import { appendTo, type OwnChain, openOwnChain, rereadOwn, signOwn } from "./own-chain.ts"
import { createRecordsAhead } from "./records-ahead.ts"
import { createTransaction } from "./transactions.ts"

/** An answer per change, and what there is to tell of those that were made. */
export type Committed = { readonly results: readonly CommitResult[]; readonly events: readonly StoreEvent[] }

/** Each throws at once when another process writes, having done nothing. */
export type StoreWriter = {
  /** Never before anything recorded, here or by another process. */
  readonly now: (local: EpochMs) => EpochMs
  readonly openChain: () => void
  readonly commit: (changes: readonly Change[]) => Committed
  /** Brings records committed ahead into the database, for readers there. */
  readonly takeIn: () => void
  /** Whether something is not on disk under a signed head. */
  readonly hasUnsigned: () => boolean
  /** Whether everything that is not signed is ahead of the database, and may stay there a while: `syncAhead` then brings it to disk. */
  readonly mayStayAhead: () => boolean
  readonly syncAhead: () => Promise<void>
  /** Signs the head and brings everything to disk, together with `sync`. */
  readonly flush: () => void
  readonly sync: () => Promise<void>
  readonly finish: () => void
  readonly stayAlive: (until: EpochMs) => void
  /** Removes some of the older data; returns how much, and whether there may be more. */
  readonly removePayloads: (before: EpochMs) => Removed
}

export type WriterPorts = {
  readonly database: DatabaseSync
  readonly chains: ChainTable
  readonly documents: DocumentTable
  readonly runs: RunTable
  readonly usage: UsageTable
  readonly watch: FileWatch
  readonly hasher: Hasher
  readonly signer: Signer
  readonly writer: string
  readonly local: () => EpochMs
  readonly elapsed: Elapsed
  /** Only where no other process changes what decisions rest on. */
  readonly ahead: AheadFiles | null
  readonly head: LogHead | null
  readonly sync: (() => Promise<void>) | null
}

const signEveryMs = 20
const lookEveryMs = 20

type Draft = { readonly tally: UsageTally; own: OwnChain }

export function createStoreWriter(ports: WriterPorts): StoreWriter {
  const { database, chains, usage, watch, signer } = ports
  const changes = createChangeTable(ports)
  const removal = createRemoval({ ...ports, changes })
  const transaction = createTransaction(database)
  let own: OwnChain = {
    n: 0,
    head: { writer: ports.writer, seq: 0, hash: "" },
    signedSeq: 0,
    signedAt: 0,
    anchoredSeq: 0,
    others: new Map(),
  }
  const time = createSteadyTime(ports.elapsed)
  const ahead = createRecordsAhead(ports)
  const others = watchOthers(ports)
  let isUncertain = false
  let isUnsynced = false
  let signedAt = 0
  let lookedAt = 0

  const write = <Result>(durability: Change["durability"], work: (draft: Draft) => Result): Result => {
    if (durability === "full") watch.mustBeThere()
    else watch.mustHaveBeenThere()
    try {
      const [result, draft] = transaction(durability, () => {
        const takenIn = chains.takeIn(ahead.rows())
        others.look()
        usage.begin(takenIn)
        const before = changes.begin()
        const draft = { tally: { ...before }, own: isUncertain ? rereadOwn(chains, own) : own }
        const result = work(draft)
        changes.end(before, draft.tally)
        return [result, draft] as const
      })
      own = draft.own
      time.saw(draft.tally.latest)
      isUncertain = false
      ahead.tookIn(draft.tally.epoch, durability === "full")
      return result
    } catch (error) {
      isUncertain ||= !isBusy(error)
      ahead.pause()
      throw error
    }
  }
  const commitAhead = (batch: readonly Change[]): Committed | null => {
    const isDue = (at: EpochMs): boolean => at > own.signedAt + signedWithinMs
    const linked = ahead.link(batch, own, isDue)
    if (linked === null) return null
    watch.mustHaveBeenThere()
    if ((linked.isJudged && !others.areQuiet()) || !ahead.append(linked)) return null
    own = { ...own, head: linked.head }
    time.saw(linked.latest)
    return { results: linked.results, events: [] }
  }
  // Other processes record times too, and after a step back of the clock theirs may be ahead of it.
  const lookAtTime = (): void => {
    lookedAt = performance.now()
    try {
      if (!others.areQuiet()) time.saw(changes.begin().latest)
    } catch {
      // The time known before still holds; the next read or write reports the trouble.
    }
  }
  const timeOf = ({ tally }: Draft): EpochMs => time.now(Math.max(tally.latest, ports.local()))
  const commitOne = (draft: Draft, change: Change): CommitResult => {
    const conflict = changes.conflictOf(draft.tally, change)
    if (conflict !== null) return conflict
    changes.write(draft.tally, change)
    draft.own = appendTo(chains, draft.own, change.records)
    return { ok: true, epoch: draft.tally.epoch }
  }
  const sign = (draft: Draft, isLast = false): void => {
    const at = timeOf(draft)
    const signed = signOwn(chains, draft.own, signer, at, isLast)
    if (signed.head !== draft.own.head) noteTime(draft, at)
    draft.own = signed
    signedAt = performance.now()
  }
  return {
    now: (local) => {
      if (performance.now() - lookedAt >= lookEveryMs) lookAtTime()
      return time.now(local)
    },
    openChain: () =>
      write("full", (draft) => {
        const at = noteTime(draft, timeOf(draft))
        draft.own = openOwnChain(chains, ports.writer, signer, at)
      }),
    commit: (batch) => {
      const isFull = batch.some((change) => change.durability === "full")
      const committed = isFull ? null : commitAhead(batch)
      if (committed !== null) return committed
      return write(isFull ? "full" : "soon", (draft) => {
        const results = batch.map((change) => commitOne(draft, change))
        // Signing costs more than the rest of a small commit; under load the flush that follows does it once for many.
        if (isFull && performance.now() - signedAt >= signEveryMs) sign(draft)
        else if (draft.tally.recorded > draft.own.signedAt + signedWithinMs) sign(draft)
        return { results, events: draft.tally.events }
      })
    },
    takeIn: () => {
      if (ahead.rows().length > 0) write("soon", () => {})
    },
    hasUnsigned: () => own.head.seq > own.signedSeq || isUnsynced,
    mayStayAhead: () => !isUnsynced && ahead.rows().length === own.head.seq - own.signedSeq && ahead.mayStay(),
    syncAhead: ahead.sync,
    flush: () => {
      // Where the last one failed beside the transaction, this one is within it.
      const isBeside = ports.sync !== null && !isUnsynced
      write(isBeside ? "soon" : "full", (draft) => sign(draft))
      isUnsynced = isBeside
    },
    sync: async () => {
      if (!isUnsynced) return
      const afterSync = ports.ahead?.beforeLogSync()
      await ports.sync?.()
      isUnsynced = false
      afterSync?.()
    },
    finish: () =>
      write("full", (draft) => {
        chains.stayAlive(own.n, 0)
        sign(draft, true)
      }),
    stayAlive: (until) => write("soon", () => chains.stayAlive(own.n, until)),
    removePayloads: (before) => {
      const removed = write("full", (draft) => {
        const removed = removal(before)
        if (removed.approvals + removed.records === 0) return removed
        const { approvals, records } = removed
        const at = noteTime(draft, timeOf(draft))
        draft.own = appendTo(chains, draft.own, [removalDraft({ before, approvals, records }, at)])
        sign(draft)
        return removed
      })
      ports.ahead?.erase()
      return removed
    },
  }
}

/** Whether another connection has committed anything since we last looked: then what we know of the epoch may not hold. */
function watchOthers({ database, head }: Pick<WriterPorts, "database" | "head">): Others {
  const version = prepared<{ data_version: number }>(database, "PRAGMA data_version")
  const now = (): number => version.get()?.data_version ?? Number.NaN
  let seen = Number.NaN
  return {
    look: () => {
      seen = now()
    },
    areQuiet: () => {
      if (head?.isAsKept() === true) return true
      if (now() !== seen) return false
      // Read before SQLite was asked: as long as the log has this head, nobody has committed.
      head?.keep()
      return true
    },
  }
}

type Others = { readonly look: () => void; readonly areQuiet: () => boolean }

/** A record of the store's own is made at this time. */
function noteTime({ tally }: Draft, at: EpochMs): EpochMs {
  tally.latest = at
  tally.recorded = at
  return at
}
