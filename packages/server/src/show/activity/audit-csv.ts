import type { AuditRecordView } from "@byleave/api"
import { csvLine, type JsonValue } from "@byleave/core"

const columns = [
  "time",
  "type",
  "call",
  "server",
  "tool",
  "agent",
  "session",
  "by",
  "rule",
  "reason",
  "writer",
  "number",
  "step",
  "hash",
  "body",
  "payload",
] as const

export const csvHeader = csvLine(columns)

/** A record for a spreadsheet: what people look for has a column of its own, and the whole of it is there as JSON. */
export function csvRow({ at, type, subject, writer, seq, step, hash, body, payload }: AuditRecordView): string {
  const said = (key: string): string => textOf(body[key])
  const cells: Record<(typeof columns)[number], string> = {
    time: new Date(at).toISOString(),
    type,
    call: subject ?? "",
    server: said("server"),
    tool: said("tool"),
    agent: said("principal"),
    session: said("session"),
    by: said("by") || said("approvedBy"),
    rule: said("rule"),
    reason: said("reason") || said("detail"),
    writer,
    number: String(seq),
    step: String(step),
    hash,
    body: JSON.stringify(body),
    payload: payload === null ? "" : JSON.stringify(payload),
  }
  return csvLine(columns.map((column) => cells[column]))
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : ""
}
