import type { AuditRecordView } from "@byleave/api"
import {
  type AuditBodies,
  type AuditRecord,
  type AuditType,
  type JsonObject,
  type JsonValue,
  type RecordWithPayload,
  readStoredJson,
} from "@byleave/core"

/** A record as people see it: its body read, and its payload if that is still kept. */
export function recordViewOf(record: RecordWithPayload, isForCard = false): AuditRecordView {
  const { text, payload, ...columns } = record
  const view = { ...columns, body: bodyIn(text), payload: payload === null ? null : readStoredJson(payload) }
  return isForCard ? { ...view, forCard: true } : view
}

/** The body of a record of this type. We wrote it, so its shape is known. */
export function bodyOf<Type extends AuditType>(record: AuditRecord & { readonly type: Type }): AuditBodies[Type] {
  return bodyIn(record.text) as unknown as AuditBodies[Type]
}

function bodyIn(text: string): JsonObject {
  const { body } = readStoredJson(text) as { readonly body?: JsonValue }
  return (body ?? {}) as JsonObject
}
