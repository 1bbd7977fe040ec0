import { type AuditQuery, type JsonObject, verifyAudit as verify } from "@byleave/core"
import { isRefused } from "../refused.ts"
import type { Service } from "../service.ts"
import { csvHeader, csvRow } from "../show/audit-csv.ts"
import { cardReads } from "../show/card-reads.ts"
import { recordViewOf } from "../show/read-record.ts"
import { auditCursor, readCursor, writeCursor } from "./cursor.ts"
import type { Handler } from "./handler.ts"

export const listAudit: Handler<"listAudit"> = async (service, { query }) => {
  const { after, limit, ...where } = query
  const place = after === undefined ? undefined : readCursor(auditCursor, after)
  if (isRefused(place)) return place
  const from = place === undefined ? {} : { after: { at: place[0], writer: place[1], seq: place[2] } }
  const records = await service.store.records({ ...where, ...from, limit })
  const last = records.at(-1)
  const next = records.length < limit || last === undefined ? null : writeCursor([last.at, last.writer, last.seq])
  const ofCards = await cardReads(service.store, records)
  return { items: records.map((record) => recordViewOf(record, ofCards.has(record.subject ?? ""))), next }
}

export const verifyAudit: Handler<"verifyAudit"> = async (service) => {
  const report = await verify(service.store, { hasher: service.hasher, signer: service.signer })
  return { ...report, problems: report.problems as unknown as readonly JsonObject[] }
}

export const exportAudit: Handler<"exportAudit"> = (service, { query }) => {
  const { format, ...where } = query
  const pages = exportPages(service, where, formats[format])
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pages.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await pages.return(undefined)
    },
  })
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

const pageSize = 500

/** A page of lines at a time, read as fast as they are taken. */
async function* exportPages(
  service: Service,
  where: Pick<AuditQuery, "types" | "subject">,
  { header, line }: Format,
): AsyncGenerator<string> {
  if (header !== "") yield header
  let after: AuditQuery["after"]
  for (;;) {
    const from = after === undefined ? {} : { after }
    const page = await service.store.records({ ...where, ...from, limit: pageSize })
    if (page.length > 0) yield page.map((record) => line(recordViewOf(record))).join("")
    after = page.at(-1)
    if (page.length < pageSize || after === undefined || service.closing.aborted) return
  }
}
