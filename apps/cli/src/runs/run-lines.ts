import type { RunDetailsView, RunSummaryView, RunView, StoryItemView } from "@byleave/api"
import { showText, toolName } from "@byleave/core"
import { type Reveal, shownArgsText, shownResult } from "../decide/masks.ts"
import { wrapped } from "../decide/session-lines.ts"
import { shortId } from "../decide/short-id.ts"
import { ago } from "../decide/time-words.ts"
import { sentenceRows, wordLines } from "../decide/wrap-line.ts"
import type { Paint } from "../terminal/paint.ts"

const statusStyles = {
  running: "cyan",
  paused: "yellow",
  finished: "green",
  failed: "red",
  cancelled: "dim",
} as const satisfies Record<RunView["status"], string>

/** How it is printed: in which colours, how wide (undefined: it is no terminal), and whether with what looks like a secret. */
export type RunLinesOptions = {
  readonly paint: Paint
  readonly columns: number | undefined
  readonly reveal: Reveal
}

export function statusWords({ status }: Pick<RunSummaryView, "status">, paint: Paint): string {
  return paint(statusStyles[status], status)
}

/** A run's head: what, how it stands, by whom, with what. */
export function runLines(run: RunView, now: number, { paint, columns }: RunLinesOptions): string {
  const servers = run.servers.length === 0 ? "none" : run.servers.map(showText).join(", ")
  const status = `  status     ${statusWords(run, paint)}, ${ago(now - run.updatedAt)}`
  return wrapped(
    [
      `${paint("cyan", showText(run.id))}  ${paint("bold", showText(run.title))}`,
      ...endLines(status, run),
      `  started    ${ago(now - run.createdAt)} by ${showText(run.startedBy.id)}`,
      `  model      ${showText(run.model)}, servers: ${servers}`,
      `  so far     ${stepWords(run)}`,
    ],
    columns,
  )
}

function endLines(status: string, run: RunView): readonly string[] {
  switch (run.status) {
    case "failed":
    case "cancelled":
      return sentenceRows(`${status}: `, run.detail)
    default:
      return [status]
  }
}

/** `4 steps, 120 tokens` */
export function stepWords({ steps, usage }: Pick<RunSummaryView, "steps" | "usage">): string {
  return `${steps} ${steps === 1 ? "step" : "steps"}, ${usage.total} tokens`
}

/** So many waiting calls are listed: a model may make thousands at once. */
const mostListed = 50

/** The approvals that a paused run waits for, and how to answer. */
export function waitingLines(
  { requirements }: RunDetailsView,
  url: string,
  { paint, columns }: RunLinesOptions,
): string {
  const waiting = requirements.filter(({ isAnswered }) => !isAnswered)
  const ids = waiting.map(({ id }) => id)
  if (waiting.length === 0) return "It waits for nobody and goes on in a moment.\n"
  const rows = waiting.slice(0, mostListed).map(({ id, tool, approval }) => {
    const about = (approval?.preview ?? []).slice(0, 1).map(({ text }) => showText(text))
    return `  ${paint("cyan", shortId(id, ids))}  ${paint("bold", showText(toolName(tool)))}  ${about.join("")}`.trimEnd()
  })
  const more = waiting.length - rows.length
  const calls = waiting.length === 1 ? "1 call needs approval" : `${waiting.length} calls need approval`
  const first = shortId(ids[0] ?? "", ids)
  return [
    `${paint("yellow", "Paused")}: ${calls}:\n`,
    wrapped([...rows, ...(more > 0 ? [`  and ${more} more; byleave pending lists them`] : [])], columns),
    `Decide in the inbox at ${url}/ or with byleave approve ${first} (or byleave deny ${first} --reason WORDS).\n`,
  ].join("")
}

/** A turn of the story. Each row of others' words begins with a word of ours or with the mark. */
export function storyLines(item: StoryItemView, { paint, columns, reveal }: RunLinesOptions): string {
  const lines = turnLines(item, paint, reveal)
  return lines.length === 0 ? "" : wrapped(lines, columns)
}

function turnLines(item: StoryItemView, paint: Paint, reveal: Reveal): readonly string[] {
  switch (item.kind) {
    case "message":
      return wordLines(`${paint("bold", showText(item.role))}: `, cutWords(item))
    case "answer":
      return [
        ...(item.text === "" ? [] : wordLines(`${paint("bold", "model")}: `, cutWords(item))),
        ...item.calls.flatMap(({ name, argsText, isCut }) =>
          wordLines(
            `${paint("cyan", `→ ${showText(name)}`)}  `,
            cutWords({ text: shownArgsText(argsText, reveal), isCut }),
          ),
        ),
      ]
    case "outcome": {
      const text = isOfTool[item.outcome] ? shownResult(item.text, reveal) : item.text
      return wordLines(`${outcomeWords(item.outcome, paint)}  `, cutWords({ ...item, text }))
    }
    case "leg-ended":
      return []
  }
}

type StoryOutcome = Extract<StoryItemView, { kind: "outcome" }>["outcome"]

/** Whether a tool said it; the rest is said by Byleave or a reviewer. */
const isOfTool = { result: true, error: true, unknown: false, refusal: false } as const satisfies Record<
  StoryOutcome,
  boolean
>

function outcomeWords(outcome: StoryOutcome, paint: Paint): string {
  switch (outcome) {
    case "result":
      return "←"
    case "error":
      return paint("red", "✗ failed")
    case "unknown":
      return paint("red", "? unknown")
    case "refusal":
      return paint("red", "✗ denied")
  }
}

function cutWords({ text, isCut }: { readonly text: string; readonly isCut: boolean }): string {
  return `${text.trim()}${isCut ? "…" : ""}`
}
