import {
  type AuditDraft,
  anchoringDraft,
  type ChainHead,
  type EpochMs,
  openingDraft,
  type Signer,
  signHead,
} from "@byleave/core"
import { extendRoster } from "../../extend-roster.ts"
import { signedWithinMs } from "../../signed-within.ts"
import type { ChainTable } from "../tables/chain-table.ts"

/** So many records may follow before other chains are named again. */
const anchorEvery = 10_000

/** Where this process's chain stands. Replaced only once the transaction that moved it is committed. */
export type OwnChain = {
  readonly n: number
  readonly head: ChainHead
  readonly signedSeq: number
  /** When that was, as the signed head says. */
  readonly signedAt: EpochMs
  /** The seq at which other chains were last named, and where they stood. */
  readonly anchoredSeq: number
  readonly others: ReadonlyMap<number, number>
}

/** Opens a chain: its first record names all others, and the roster names it. Within a transaction. */
export function openOwnChain(table: ChainTable, writer: string, signer: Signer, at: EpochMs): OwnChain {
  const others = table.lastHeads()
  const roster = table.roster()
  const n = table.insert(writer)
  const head = table.append(n, { writer, seq: 0, hash: "0".repeat(64) }, [
    openingDraft(others, signer.keyId, at, signedWithinMs),
  ])
  table.sign(n, signHead(head, at, signer))
  table.putRoster(extendRoster(roster, writer, signer))
  return { n, head, signedSeq: head.seq, signedAt: at, anchoredSeq: head.seq, others: positionsOf(others) }
}

export function appendTo(table: ChainTable, own: OwnChain, drafts: readonly AuditDraft[]): OwnChain {
  return drafts.length === 0 ? own : { ...own, head: table.append(own.n, own.head, drafts) }
}

/** Signs the head where it stands; names other chains first when that is due. */
export function signOwn(table: ChainTable, own: OwnChain, signer: Signer, at: EpochMs, isLast = false): OwnChain {
  const isDue = isLast || own.head.seq - own.anchoredSeq >= anchorEvery
  const ready = isDue ? anchorOthers(table, own, at) : own
  if (ready.head.seq === ready.signedSeq) return ready
  table.sign(ready.n, signHead(ready.head, at, signer))
  return { ...ready, signedSeq: ready.head.seq, signedAt: at }
}

function anchorOthers(table: ChainTable, own: OwnChain, at: EpochMs): OwnChain {
  const heads = table.lastHeads().filter(({ n, seq }) => n !== own.n && own.others.get(n) !== seq)
  if (heads.length === 0) return { ...own, anchoredSeq: own.head.seq }
  const anchored = appendTo(table, own, [anchoringDraft(heads, at)])
  const others = new Map([...own.others, ...positionsOf(heads)])
  return { ...anchored, anchoredSeq: anchored.head.seq, others }
}

/** Where it truly stands, after a commit of which nobody can tell whether it was made. */
export function rereadOwn(table: ChainTable, own: OwnChain): OwnChain {
  return { ...own, head: table.lastHead(own.n, own.head.writer) }
}

function positionsOf(heads: ReadonlyArray<{ readonly n: number; readonly seq: number }>): ReadonlyMap<number, number> {
  return new Map(heads.map(({ n, seq }) => [n, seq]))
}
