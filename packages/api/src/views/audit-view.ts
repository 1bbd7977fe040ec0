import { auditTypes } from "@byleave/core"
import { z } from "zod"
import { epochMs, jsonObject, jsonValue } from "../json.ts"

/** One record of the audit, with its body read and its payload if that is still kept. */
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
    payload: jsonValue.nullable(),
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
