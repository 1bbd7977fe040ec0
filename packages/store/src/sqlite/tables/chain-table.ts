import type { DatabaseSync } from "node:sqlite"
import {
  type AuditDraft,
  type AuditRecord,
  type AuditType,
  type CallUse,
  type ChainHead,
  type EpochMs,
  emptyChain,
  type Hasher,
  headOf,
  linkRecord,
  type SignedHead,
  type SignedRoster,
} from "@byleave/core"
import { keyText, nameOf } from "../../key-text.ts"
import { prepared, preparedTuples } from "./prepared.ts"
import { storedJson } from "./stored-json.ts"

/** Records of one chain lie this far from those of the next. */
const chainSpan = 2 ** 32

export type NumberedHead = ChainHead & { readonly n: number }

/** The audit's tables. Everything that writes is to be called within a transaction. */
export type ChainTable = {
  /** A new chain's number. */
  readonly insert: (writer: string) => number
  /** Links drafts after `head` and gives the new head. */
  readonly append: (n: number, head: ChainHead, drafts: readonly AuditDraft[]) => ChainHead
  /** Adds the rows that are not there yet, and returns them. */
  readonly takeIn: (rows: readonly AheadRow[]) => readonly AheadRow[]
  readonly hashAt: (position: number) => string | undefined
  /** Where each chain stands, signed or not, by writer. */
  readonly lastHeads: () => readonly NumberedHead[]
  readonly lastHead: (n: number, writer: string) => ChainHead
  readonly sign: (n: number, head: SignedHead) => void
  readonly signedHeads: () => readonly SignedHead[]
  readonly stayAlive: (n: number, until: EpochMs) => void
  readonly alive: (now: EpochMs) => readonly string[]
  readonly roster: () => SignedRoster | undefined
  readonly putRoster: (roster: SignedRoster) => void
  /** Records of one chain from a seq on. */
  readonly page: (chain: NumberedHead, fromSeq: number, limit: number) => readonly AuditRecord[]
}

/** The columns of a record, in the order of `insertRecord`. */
export type AuditRow = readonly [
  position: number,
  at: EpochMs,
  step: number,
  type: AuditType,
  subject: string | null,
  hash: string,
  text: string,
  payload: string | null,
]

/** The same as it is kept ahead of the database, with what its call counts for. */
export type AheadRow = readonly [...AuditRow, use?: CallUse]

/** Links a draft after `head`, in the chain with this number. */
export function linkRow(n: number, head: ChainHead, draft: AuditDraft, hasher: Hasher): LinkedRow {
  const record = linkRecord(head, draft, hasher)
  const { at, step, type, subject, hash, text } = record
  const named = subject === null ? null : keyText(subject)
  const row: AuditRow = [n * chainSpan + record.seq, at, step, type, named, hash, text, draft.payload ?? null]
  return { row, head: headOf(record) }
}

export type LinkedRow = { readonly row: AuditRow; readonly head: ChainHead }

/** A record's row: position, then the columns in the order a record's text begins with. */
export type AuditTuple = readonly [
  position: number,
  type: AuditType,
  subject: string | null,
  step: number,
  at: EpochMs,
  text: string,
  hash: string,
]

const lastHeadsSql = `SELECT c.n, c.writer, a.position - c.n * ${chainSpan} AS seq, a.hash
  FROM chains c JOIN audit a ON a.position =
    (SELECT max(position) FROM audit WHERE position > c.n * ${chainSpan} AND position < (c.n + 1) * ${chainSpan})`

export function createChainTable(database: DatabaseSync, hasher: Hasher): ChainTable {
  const insertChain = prepared<{ n: number }>(
    database,
    "INSERT INTO chains (writer, alive_until, seq, hash, at, key_id, signature) VALUES (?, 0, 0, '', 0, '', '') RETURNING n",
  )
  const into = "INTO audit (position, at, step, type, subject, hash, text, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
  const insertRecord = prepared(database, `INSERT ${into}`)
  const takeRecordIn = prepared(database, `INSERT OR IGNORE ${into}`)
  const hashAt = prepared<{ hash: string }>(database, "SELECT hash FROM audit WHERE position = ?")
  const lastHeads = prepared<NumberedHead>(database, `${lastHeadsSql} ORDER BY c.writer`)
  const lastHead = prepared<NumberedHead>(database, `${lastHeadsSql} WHERE c.n = ?`)
  const sign = prepared(database, "UPDATE chains SET seq = ?, hash = ?, at = ?, key_id = ?, signature = ? WHERE n = ?")
  const signedHeads = prepared<SignedHead>(
    database,
    "SELECT writer, seq, hash, at, key_id AS keyId, signature FROM chains ORDER BY writer",
  )
  const stayAlive = prepared(database, "UPDATE chains SET alive_until = ? WHERE n = ?")
  const alive = prepared<{ writer: string }>(
    database,
    "SELECT writer FROM chains WHERE alive_until > ? ORDER BY writer",
  )
  const roster = prepared<{ roster: string }>(database, "SELECT roster FROM state")
  const putRoster = prepared(database, "UPDATE state SET roster = ?")
  const page = preparedTuples<AuditTuple>(
    database,
    "SELECT position, type, subject, step, at, text, hash FROM audit WHERE position >= ? AND position < ? ORDER BY position LIMIT ?",
  )

  const appendOne = (n: number, head: ChainHead, draft: AuditDraft): ChainHead => {
    const { row, head: next } = linkRow(n, head, draft, hasher)
    insertRecord.run(...row)
    return next
  }
  return {
    insert: (writer) => insertChain.get(keyText(writer))?.n ?? 0,
    append: (n, head, drafts) => {
      let last = head
      for (const draft of drafts) last = appendOne(n, last, draft)
      return last
    },
    takeIn: (rows) =>
      rows.filter(([position, at, step, type, subject, hash, text, payload]) => {
        return takeRecordIn.run(position, at, step, type, subject, hash, text, payload) > 0
      }),
    hashAt: (position) => hashAt.get(position)?.hash,
    lastHeads: () => lastHeads.all().map(named),
    lastHead: (n, writer) => {
      const head = lastHead.get(n)
      return head === undefined ? emptyChain(writer) : named(head)
    },
    sign: (n, head) => {
      sign.run(head.seq, head.hash, head.at, head.keyId, head.signature, n)
    },
    signedHeads: () => signedHeads.all().map(named),
    stayAlive: (n, until) => {
      stayAlive.run(until, n)
    },
    alive: (now) => alive.all(now).map(({ writer }) => nameOf(writer)),
    roster: () => {
      const text = roster.get()?.roster ?? ""
      return text === "" ? undefined : storedJson<SignedRoster>(text)
    },
    putRoster: (signed) => {
      putRoster.run(JSON.stringify(signed))
    },
    page: ({ n, writer }, fromSeq, limit) =>
      page(n * chainSpan + fromSeq, (n + 1) * chainSpan, limit).map((row) => recordOf(writer, ...row)),
  }
}

function named<Row extends { readonly writer: string }>(row: Row): Row {
  return { ...row, writer: nameOf(row.writer) }
}

export function recordOf(writer: string, ...[position, type, subject, step, at, text, hash]: AuditTuple): AuditRecord {
  const seq = position % chainSpan
  return { writer, seq, type, subject: subject === null ? null : nameOf(subject), step, at, text, hash }
}
