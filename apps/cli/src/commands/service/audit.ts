import { type AuditRecordView, type AuditReportView, type Client, lineReader } from "@byleave/api"
import { auditTypes, csvLine, showText } from "@byleave/core"
import type { Command } from "commander"
import { countOf } from "../../config/problem-lines.ts"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { findById } from "../../decide/short-id.ts"
import { table } from "../../decide/table.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { asIs, jsonFor, jsonLines, safeLines, sentenceLines } from "../../terminal/paint.ts"

type ListFlags = ReviewerFlags & { readonly type?: string; readonly id?: string; readonly limit: string }

export function addAudit(program: Command, io: Io, done: Done): void {
  const audit = program.command("audit").description("show, verify and export the audit trail").helpCommand(false)
  withReviewerOptions(audit.command("list"))
    .description("list records, newest first")
    .option("--type <types>", "only these types, such as run.succeeded,approval.denied")
    .option("--id <id>", "only records of this call")
    .option("--limit <count>", "maximum number of records", "50")
    .action(async (flags: ListFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          const query = {
            limit: limitOf(flags.limit),
            ...(flags.type === undefined ? {} : { types: typesOf(flags.type) }),
            ...(flags.id === undefined ? {} : { subject: await wholeId(client, flags.id) }),
          }
          const { items } = answerOf(await client.listAudit({ query }))
          if (flags.json) io.stdout.write(jsonLines({ records: items }))
          else io.stdout.write(items.length === 0 ? "No records.\n" : table(items.map(recordRow), io))
          return 0
        }),
      )
    })
  withReviewerOptions(
    audit.command("verify").description("verify that nothing was changed, removed or run twice"),
  ).action(async (flags: ReviewerFlags) => {
    done(
      await asReviewer(io, flags, async ({ client }) => {
        const report = answerOf(await client.verifyAudit())
        io.stdout.write(flags.json ? jsonLines(report) : reportLines(report))
        return report.ok ? 0 : 1
      }),
    )
  })
  addExport(audit, io, done)
}

function addExport(audit: Command, io: Io, done: Done): void {
  withReviewerOptions(audit.command("export"))
    .description("print all records, newest first")
    .option("--format <name>", "jsonl or csv", "jsonl")
    .action(async (flags: ReviewerFlags & { readonly format: string }) => {
      done(
        await asReviewer(io, flags, async ({ client }): Promise<ExitCode> => {
          if (flags.format !== "jsonl" && flags.format !== "csv")
            throw new RefusedByService(2, "--format must be jsonl or csv.")
          const bytes = answerOf(await client.stream("exportAudit", {}))
          if (flags.format === "csv") io.stdout.write(csvLine(columns))
          const write =
            flags.format === "csv"
              ? (line: string) => io.stdout.write(io.stdout.isTerminal ? safeLines(csvOf(line)) : csvOf(line))
              : (line: string) => io.stdout.write(asIs(`${jsonFor(io.stdout, line)}\n`))
          const cutLines = lineReader(write)
          const reader = bytes.pipeThrough(new TextDecoderStream()).getReader()
          for (let step = await reader.read(); !step.done; step = await reader.read()) cutLines(step.value)
          return 0
        }),
      )
    })
}

function limitOf(written: string): number {
  const limit = Number(written)
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw new RefusedByService(2, "--limit must be a number from 1 to 500.")
  return limit
}

function typesOf(written: string): string {
  const known: ReadonlySet<string> = new Set(auditTypes)
  const odd = written.split(",").find((type) => !known.has(type))
  if (odd !== undefined)
    throw new RefusedByService(2, `Unknown record type "${odd}". Known types: ${auditTypes.join(", ")}.`)
  return written
}

/** Records name calls by their whole id; people may write its beginning or end, as everywhere. */
async function wholeId(client: Client, written: string): Promise<string> {
  if (written.length >= 36) return written
  const { items } = answerOf(await client.listApprovals({ query: { limit: 500 } }))
  const found = findById(items, written, "reviewed call")
  if (!found.ok) throw new RefusedByService(1, `${found.error} Enter the whole ID.`)
  return found.item.id
}

const columns = ["at", "type", "subject", "writer", "seq", "hash", "body", "payload"] as const

function csvOf(line: string): string {
  const record = JSON.parse(line) as AuditRecordView
  return csvLine(
    columns.map((column) => {
      const value = record[column]
      if (column === "at") return new Date(record.at).toISOString()
      return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value)
    }),
  )
}

function recordRow({ at, type, subject, body, forCard }: AuditRecordView): readonly string[] {
  const text = (key: string): string | undefined => {
    const value = body[key]
    if (value === undefined || value === null) return undefined
    const written = typeof value === "string" ? value : JSON.stringify(value)
    return isOurs(key, type, body) ? sentenceLines(written) : showText(written)
  }
  const [server, tool] = [text("server"), text("tool")]
  const about = tool === undefined ? server : `${server ?? ""}(${tool})`
  const said = ["change", "principal", "by", "reason", "detail", "name", "words"].flatMap((key) => {
    const value = text(key)
    return value === undefined ? [] : [`${key} ${value}`]
  })
  if (forCard === true) said.unshift("read for review card")
  const time = new Date(at).toISOString().replace("T", " ").slice(0, 19)
  return [`${time}Z`, type, subject?.slice(-6) ?? "", [about, ...said].filter((part) => part !== undefined).join("; ")]
}

/** The engine's words about a judgement, or about an outcome that nobody decided, are marked already; people's words are not. */
function isOurs(key: string, type: AuditRecordView["type"], body: AuditRecordView["body"]): boolean {
  if (key === "detail") return true
  return key === "reason" && (type.startsWith("call.") || typeof body.by !== "string")
}

function reportLines({ ok, records, chains, problems, problemCount, unsigned, unfinished }: AuditReportView): string {
  const size = `${countOf(records, "record")} in ${countOf(chains, "chain")}`
  if (!ok) {
    const shown = problems.map((problem) => `  ${showText(JSON.stringify(problem))}\n`).join("")
    return `The audit trail is not intact: ${countOf(problemCount, "problem")} in ${size}.\n${shown}`
  }
  return `The audit trail is intact: ${size}; ${unsigned} not signed yet, ${unfinished} of calls still open.\n`
}
