/** The inbox's part of bench/RESULTS.md: how soon open pages hear, what the page costs with 10,000 waiting calls, what Lighthouse says of it. */
import { fileURLToPath } from "node:url"
import { lighthouseTable, lighthouseVersion, type PageScore, reaches } from "../../scripts/lighthouse-table.ts"
import { inboxSize } from "../../scripts/sizes/inbox-size.ts"
import { apart } from "../apart.ts"
import { problemOf } from "../gateway/problem.ts"
import { guarded, ms, row } from "../gateway/report.ts"
import type { Row } from "../row.ts"
import type { Delivery, DeliveryNumbers, PagesNumbers } from "./delivery.ts"
import type { SuiteNumbers } from "./measure-suites.ts"

const mostJavaScript = 200_000
const mostOfChat = 230_000

export type InboxReport = { readonly rows: readonly Row[]; readonly table: string }

/** A quick run leaves Lighthouse out. */
export async function measureInbox(speed: "quick" | "full"): Promise<InboxReport> {
  const rows: Row[] = []
  const measure = (what: string, of: () => readonly Row[]): void => {
    console.error(`measuring: ${what}`)
    const more = guarded(what, of)
    rows.push(...more)
    for (const { what, measured } of more) console.error(`  ${what}: ${measured}`)
  }
  const isQuick = speed === "quick"
  measure("events to open pages", () =>
    deliveryRows(apart("inbox/delivery.ts", "measureDelivery", isQuick ? "2" : "16")),
  )
  const updates = isQuick ? "400" : "5000"
  measure("10,000 waiting calls", () => manyRows(updates, apart("inbox/many.ts", "measureMany", updates)))
  measure("the chat", () => chatRows(apart("inbox/chat.ts", "measureChat")))
  const { waiting, chat } = await inboxSize(fileURLToPath(new URL("../..", import.meta.url)))
  measure("size", () => [
    sizeRow("JavaScript before the page shows, packed", waiting.brotli, mostJavaScript),
    sizeRow("JavaScript before a thread can be used, packed, in all", chat.brotli, mostOfChat),
  ])
  return { rows, table: isQuick ? "" : lighthousePart() }
}

function lighthousePart(): string {
  console.error("measuring: Lighthouse")
  try {
    const scores = apart<readonly PageScore[]>("../test/browser/lighthouse/scores.ts", "lighthouseScores")
    if (!scores.every(reaches)) process.exitCode = 1
    return `### Lighthouse ${lighthouseVersion}, of 100

To reach on every page, signed in and with calls on it: 100 for accessibility, 95 for best practices.

${lighthouseTable(scores)}`
  } catch (cause) {
    process.exitCode = 1
    return `Lighthouse: not measured: ${problemOf(cause)}\n`
  }
}

function deliveryRows({ calls, few, many, ...ratios }: DeliveryNumbers): readonly Row[] {
  const said = (of: (pages: PagesNumbers) => Delivery): string => `${spread(of(many))}, against ${spread(of(few))}`
  const comparison = "for comparison"
  const at = `${many.pages} open pages, ${calls.toLocaleString("en")} calls`
  return [
    row(
      `${at}: call to every page's hearing that it waits, p50 over that with one page`,
      comparison,
      ratios.heldRatio,
      null,
      said(({ held }) => held),
    ),
    row(
      `${at}: verdict to every page's hearing of it, p50 over that with one page`,
      comparison,
      ratios.decidedRatio,
      null,
      said(({ decided }) => decided),
    ),
    row(
      `${at}: verdict to its own answer, p50 in ms`,
      comparison,
      many.answered.p50,
      null,
      said(({ answered }) => answered),
    ),
    row(
      `${at}: the service's CPU per call, held and approved and run, over that with one page`,
      comparison,
      ratios.cpuRatio,
      null,
      `${ms(many.cpuPerCall)} against ${ms(few.cpuPerCall)}`,
    ),
  ]
}

function manyRows(updates: string, numbers: SuiteNumbers): readonly Row[] {
  const of = (said: string): number => numbers.find(({ what }) => what === said)?.value ?? Number.NaN
  const before = of("heap before the updates, MB")
  const after = of("heap after the updates, MB")
  const at = "10,000 waiting calls"
  return [
    row(
      `${at}: longest task while the page loads`,
      "≤ 100 ms",
      of("longest task while loading, ms"),
      (n) => n <= 100,
      "ms",
    ),
    row(
      `${at}: longest task while updates come and the list is scrolled`,
      "≤ 100 ms",
      of("longest task of the main thread, ms"),
      (n) => n <= 100,
      "ms",
    ),
    row(
      `${at}: the page's memory after ${updates} updates`,
      "≤ 1.1 × that before",
      after / before,
      (n) => n <= 1.1,
      `${after.toFixed(1)} MB against ${before.toFixed(1)} MB`,
    ),
  ]
}

/** Tokens come at 200 a second; times are from pressing Enter until a token is in the document, beside a bare page that reads AI SDK's stream. */
function chatRows(numbers: SuiteNumbers): readonly Row[] {
  const of = (said: string): number => numbers.find(({ what }) => what === said)?.value ?? Number.NaN
  const at = "a thread of 2,000 messages"
  const first = `${ms(of("time to the first token in the page, ms"))} against ${ms(of("time to the first token through AI SDK alone, ms"))}`
  const later = ms(of("median token, later than through AI SDK alone, ms"))
  return [
    row(
      `${at}: longest task while it opens`,
      "for comparison",
      of("longest task while a thread of 2,000 messages opens, ms"),
      null,
      "ms",
    ),
    row(
      `${at}: longest task while 200 tokens a second come in`,
      "≤ 50 ms",
      of("longest task while 200 tokens a second come into a thread of 2,000 messages, ms"),
      (n) => n <= 50,
      "ms",
    ),
    row(
      "a token of 400 is in the page, median, over AI SDK's bare stream",
      "≤ 1.3",
      of("median token, over AI SDK alone"),
      (n) => n <= 1.3,
      `${later} later`,
    ),
    row("the last token of 400, the same", "≤ 1.3", of("last token, over AI SDK alone"), (n) => n <= 1.3, ""),
    row("the first token, the same", "≤ 1.3", of("first token, over AI SDK alone"), (n) => n <= 1.3, first),
  ]
}

function sizeRow(what: string, bytes: number, most: number): Row {
  return row(what, `≤ ${most / 1000} kB`, bytes / 1000, (n) => n <= most / 1000, "kB")
}

function spread({ p50, p95, max }: Delivery): string {
  return `p50 ${ms(p50)}, p95 ${ms(p95)}, most ${ms(max)}`
}
