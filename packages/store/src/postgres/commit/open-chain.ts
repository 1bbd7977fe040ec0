import {
  type ChainHead,
  type EpochMs,
  emptyChain,
  type Hasher,
  headOf,
  linkRecord,
  openingDraft,
  type SignedRoster,
  type Signer,
  signHead,
} from "@byleave/core"
import type { ClientBase } from "pg"
import { extendRoster } from "../../extend-roster.ts"
import { keyText, nameOf } from "../../key-text.ts"
import { migrate } from "../migrations.ts"
import { readDoc } from "../read-doc.ts"
import type { ServerClock } from "../server-clock.ts"

export type OpenChainPorts = {
  readonly quotedSchema: string
  readonly hasher: Hasher
  readonly signer: Signer
  readonly clock: ServerClock
  readonly local: () => EpochMs
}

export type OpenedChain = {
  readonly head: ChainHead
  /** The other chains, as the first record names them. */
  readonly others: readonly ChainHead[]
  readonly lastEvent: number
}

/** Brings the schema up to date and begins this writer's chain, in one transaction: both are there or neither is. */
export async function openChain(client: ClientBase, writer: string, ports: OpenChainPorts): Promise<OpenedChain> {
  await client.query("BEGIN")
  // Holds a lock until the commit, so that openings come one after the other and each roster names all before it.
  await migrate(client, ports.quotedSchema, ports.hasher)
  const { others, lastEvent } = await lookAround(client, ports)
  const at = ports.clock.now(ports.local())
  const record = linkRecord(emptyChain(writer), openingDraft(others, ports.signer.keyId, at, 0), ports.hasher)
  const head = signHead(headOf(record), at, ports.signer)
  const { quotedSchema: s } = ports
  await client.query(
    `INSERT INTO ${s}.records (writer, seq, type, subject, step, at, text, hash) VALUES ($1, $2, $3, NULL, $4, $5, $6, $7)`,
    [keyText(writer), record.seq, record.type, record.step, record.at, record.text, record.hash],
  )
  await client.query(
    `INSERT INTO ${s}.chains (writer, seq, hash, at, key_id, signature, latest, alive_until) VALUES ($1, $2, $3, $4, $5, $6, $4, 0)`,
    [keyText(writer), head.seq, head.hash, head.at, head.keyId, head.signature],
  )
  await signIn(client, writer, ports)
  await client.query("COMMIT")
  return { head: headOf(record), others, lastEvent }
}

type Around = Omit<OpenedChain, "head">

async function lookAround(client: ClientBase, { quotedSchema: s, clock, local }: OpenChainPorts): Promise<Around> {
  const asked = local()
  const { rows } = await client.query<{ server_time: number; latest: number | null; last: number }>(
    `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS server_time,
      (SELECT max(latest) FROM ${s}.chains) AS latest, (SELECT value FROM ${s}.event_counter) AS last`,
  )
  const seen = rows[0]
  if (seen !== undefined) clock.observe(seen.server_time, asked, local())
  clock.saw(seen?.latest ?? 0)
  const heads = await client.query<ChainHead>(`SELECT writer, seq, hash FROM ${s}.chains ORDER BY writer`)
  const others = heads.rows.map(({ writer, seq, hash }) => ({ writer: nameOf(writer), seq, hash }))
  return { others, lastEvent: seen?.last ?? 0 }
}

async function signIn(client: ClientBase, writer: string, ports: OpenChainPorts): Promise<void> {
  const { quotedSchema: s, signer } = ports
  const { rows } = await client.query<{ doc: string }>(`SELECT doc FROM ${s}.roster`)
  const before = rows[0] === undefined ? undefined : readDoc<SignedRoster>(rows[0].doc)
  const roster = JSON.stringify(extendRoster(before, writer, signer))
  const put = `INSERT INTO ${s}.roster (doc) VALUES ($1) ON CONFLICT (one) DO UPDATE SET doc = excluded.doc`
  await client.query(put, [roster])
}
