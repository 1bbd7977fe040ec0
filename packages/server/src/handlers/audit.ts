import type { AuditRecordView } from "@byleave/api"
import {
  type AuditQuery,
  type AuditRecord,
  type JsonObject,
  type JsonValue,
  readStoredJson,
  verifyAudit as verify,
} from "@byleave/core"
import { isRefused } from "../refused.ts"
import type { Service } from "../service.ts"
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
  return { items: records.map(viewOf), next }
}

export const verifyAudit: Handler<"verifyAudit"> = async (service) => {
  const report = await verify(service.store, { hasher: service.hasher, signer: service.signer })
  return { ...report, problems: report.problems as unknown as readonly JsonObject[] }
}

export const exportAudit: Handler<"exportAudit"> = (service, { query }) => {
  const lines = exportLines(service, query ?? {})
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await lines.return(undefined)
    },
  })
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } })
}

const pageSize = 500

/** A page of lines at a time, read as fast as they are taken. */
async function* exportLines(service: Service, where: Pick<AuditQuery, "types" | "subject">): AsyncGenerator<string> {
  let after: AuditQuery["after"]
  for (;;) {
    const from = after === undefined ? {} : { after }
    const page = await service.store.records({ ...where, ...from, limit: pageSize })
    if (page.length > 0) yield page.map((record) => `${JSON.stringify(viewOf(record))}\n`).join("")
    after = page.at(-1)
    if (page.length < pageSize || after === undefined || service.closing.aborted) return
  }
}

function viewOf(record: AuditRecord & { readonly payload: string | null }): AuditRecordView {
  const { text, payload, ...columns } = record
  return { ...columns, body: bodyIn(text), payload: payload === null ? null : readStoredJson(payload) }
}

function bodyIn(text: string): JsonObject {
  const { body } = readStoredJson(text) as { readonly body?: JsonValue }
  return (body ?? {}) as JsonObject
}
