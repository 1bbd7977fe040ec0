import { auditTypes } from "@byleave/core"
import { z } from "zod"
import { pageOf } from "../json.ts"
import { defineRoute, json } from "../route.ts"
import { auditRecordView, auditReportView } from "../views/audit-view.ts"
import { after, limit, someOf } from "./route-parts.ts"

const auditFilter = { types: someOf(auditTypes), subject: z.string().exactOptional() }

export const auditRoutes = {
  listAudit: defineRoute({
    method: "GET",
    path: "/api/audit",
    summary: "The audit, newest first",
    credential: "reviewer",
    query: z.strictObject({ ...auditFilter, after, limit }),
    answer: json(pageOf(auditRecordView)),
  }),
  verifyAudit: defineRoute({
    method: "GET",
    path: "/api/audit/verify",
    summary: "Prove chains and life cycles",
    credential: "reviewer",
    answer: json(auditReportView),
  }),
  exportAudit: defineRoute({
    method: "GET",
    path: "/api/audit/export",
    summary: "All records, newest first: a JSON object per line, or a table that is safe to open in a spreadsheet",
    credential: "reviewer",
    query: z.strictObject({ ...auditFilter, format: z.enum(["jsonl", "csv"]).default("jsonl") }),
    answer: { kind: "text", type: "application/x-ndjson", or: "text/csv", what: "An audit record per line" },
  }),
} as const
