import { auditTypes } from "@byleave/core"
import { z } from "zod"
import { epochMs, jsonObject, jsonValue } from "../json.ts"

/** One record of the audit, with its body read and its payload if that is still kept. Where it was too long to be kept, the payload is its beginning and `wholeBytes` in the body says so. */
export const auditRecordView = z
  .object({
    writer: z.string(),
    seq: z.int(),
    type: z.enum(auditTypes),
    subject: z.string().nullable(),
    step: z.int(),
    at: epochMs,
    hash: z.string(),
    body: jsonObject,
    /** In lists, null where it is longer than 4,096 bytes: a call's story and the export have it. */
    payload: jsonValue.nullable(),
    /** Of the payload that is kept; null where there is none. */
    payloadBytes: z.int().nullable(),
    /** There when it tells of a read that a page made to show a card, and no agent asked for. */
    forCard: z.literal(true).exactOptional(),
  })
  .meta({ id: "AuditRecord" })
export type AuditRecordView = z.infer<typeof auditRecordView>

const chainHead = z.object({ writer: z.string(), seq: z.int(), hash: z.string() })

export const auditReportView = z.object({
  ok: z.boolean(),
  records: z.int(),
  chains: z.int(),
  problems: z.array(jsonObject).readonly(),
  problemCount: z.int(),
  unsigned: z.int(),
  unfinished: z.int(),
  heads: z.array(chainHead).readonly(),
})
export type AuditReportView = z.infer<typeof auditReportView>
