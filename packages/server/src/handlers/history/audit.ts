import {
  type AuditQuery,
  type JsonObject,
  largestWhole,
  type RecordWithPayload,
  verifyAudit as verify,
} from "@byleave/core"
import { isRefused } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { csvHeader, csvRow } from "../../show/activity/audit-csv.ts"
import { cardReads } from "../../show/activity/card-reads.ts"
import { recordViewOf } from "../../show/activity/read-record.ts"
import type { Handler } from "../handler.ts"
import { auditCursor, readCursor, writeCursor } from "./cursor.ts"

export const listAudit: Handler<"listAudit"> = async (service, { query }) => {
  const { after, limit, ...where } = query
  const place = after === undefined ? undefined : readCursor(auditCursor, after)
  if (isRefused(place)) return place
  const from = place === undefined ? {} : { after: { at: place[0], writer: place[1], seq: place[2] } }
  const found = await service.store.records({ ...where, ...from, limit, payloads: { upTo: largestListed } })
  const records = withinBytes(found)
  const last = records.at(-1)
  const isLast = found.length < limit && records.length === found.length
  const next = isLast || last === undefined ? null : writeCursor([last.at, last.writer, last.seq])
  const ofCards = await cardReads(service.store, records)
  return { items: records.map((record) => recordViewOf(record, ofCards.has(record.subject ?? ""))), next }
}

/** Payloads up to so many bytes are in the list itself. */
const largestListed = 4_096
const mostBytes = 2_097_152

/** The first records of a page that is small whatever they say; at least one. */
function withinBytes(records: readonly RecordWithPayload[]): readonly RecordWithPayload[] {
  let bytes = 0
  const end = records.findIndex(({ text, payload }, at) => {
    bytes += text.length + (payload?.length ?? 0)
    return at > 0 && bytes > mostBytes
  })
  return end < 0 ? records : records.slice(0, end)
}

export const verifyAudit: Handler<"verifyAudit"> = async (service) => {
  const report = await verify(service.store, { hasher: service.hasher, signer: service.signer })
  return { ...report, problems: report.problems as unknown as readonly JsonObject[] }
}

export const exportAudit: Handler<"exportAudit"> = (service, { query }) => {
  const { format, ...where } = query
  const lines = exportLines(service, where, formats[format])
  const encoder = new TextEncoder()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await lines.return(undefined)
    },
  }
  // A record may be large: none is read before it is taken.
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const day = new Date(service.time()).toISOString().slice(0, 10)
  return new Response(body, {
    headers: {
      "content-type": formats[format].type,
      "content-disposition": `attachment; filename="byleave-audit-${day}.${format}"`,
    },
  })
}

type Format = {
  readonly type: string
  readonly header: string
  readonly line: (record: ReturnType<typeof recordViewOf>) => string
}

const formats = {
  jsonl: { type: "application/x-ndjson", header: "", line: (record) => `${JSON.stringify(record)}\n` },
  csv: { type: "text/csv; charset=utf-8; header=present", header: csvHeader, line: csvRow },
} as const satisfies Record<string, Format>

/** With payloads of the usual length, no more than 2 MiB. */
const pageSize = 32

/** A line at a time, read as fast as they are taken. Payloads that are longer than any is kept now are read one by one. */
async function* exportLines(
  service: ApiService,
  where: Pick<AuditQuery, "types" | "subject">,
  { header, line }: Format,
): AsyncGenerator<string> {
  if (header !== "") yield header
  let after: AuditQuery["after"]
  for (;;) {
    const from = after === undefined ? {} : { after }
    const page = await service.store.records({ ...where, ...from, limit: pageSize, payloads: { upTo: largestWhole } })
    for (const record of page) yield line(recordViewOf(await withPayload(service, record)))
    after = page.at(-1)
    if (page.length < pageSize || after === undefined || service.closing.aborted) return
  }
}

async function withPayload({ store }: ApiService, record: RecordWithPayload): Promise<RecordWithPayload> {
  const { writer, seq, type, subject, payload, payloadBytes } = record
  if (payload !== null || payloadBytes === null || subject === null) return record
  const before = { at: record.at, writer, seq: seq + 1 }
  const [whole] = await store.records({ subject, types: [type], after: before, limit: 1 })
  return whole?.writer === writer && whole.seq === seq ? whole : record
}
