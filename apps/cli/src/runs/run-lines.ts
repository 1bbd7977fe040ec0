import type { RunDetailsView, RunSummaryView, RunView, StoryItemView } from "@byleave/api"
import { showText, toolName } from "@byleave/core"
import { shortId } from "../decide/short-id.ts"
import { ago } from "../decide/time-words.ts"
import { type Paint, safeLines, sentenceLines } from "../terminal/paint.ts"

const statusStyles = {
  running: "cyan",
  paused: "yellow",
  finished: "green",
  failed: "red",
  cancelled: "dim",
} as const satisfies Record<RunView["status"], string>

export function statusWords({ status }: Pick<RunSummaryView, "status">, paint: Paint): string {
  return paint(statusStyles[status], status)
}

/** A run's head: what, how it stands, by whom, with what. */
export function runLines(run: RunView, now: number, paint: Paint): string {
  const servers = run.servers.length === 0 ? "none" : run.servers.map(showText).join(", ")
  const lines = [
    `${paint("cyan", showText(run.id))}  ${paint("bold", showText(run.title))}`,
    `  status     ${statusWords(run, paint)}, ${ago(now - run.updatedAt)}${endWords(run)}`,
    `  started    ${ago(now - run.createdAt)} by ${showText(run.startedBy.id)}`,
    `  model      ${showText(run.model)}, servers: ${servers}`,
    `  so far     ${stepWords(run)}`,
  ]
  return `${lines.join("\n")}\n`
}

function endWords(run: RunView): string {
  switch (run.status) {
    case "failed":
      return `: ${sentenceLines(run.detail)}`
    case "cancelled":
      return `: ${sentenceLines(run.detail)}`
    default:
      return ""
  }
}

/** `4 steps, 120 tokens` */
export function stepWords({ steps, usage }: Pick<RunSummaryView, "steps" | "usage">): string {
  return `${steps} ${steps === 1 ? "step" : "steps"}, ${usage.total} tokens`
}

/** What a paused run waits for, and how to answer. */
export function waitingLines({ requirements }: RunDetailsView, url: string, paint: Paint): string {
  const waiting = requirements.filter(({ isAnswered }) => !isAnswered)
  const ids = waiting.map(({ id }) => id)
  if (waiting.length === 0) return "It waits for nobody and goes on in a moment.\n"
  const rows = waiting.map(({ id, tool, approval }) => {
    const about = (approval?.preview ?? []).slice(0, 1).map(({ text }) => showText(text))
    return `  ${paint("cyan", shortId(id, ids))}  ${paint("bold", showText(toolName(tool)))}  ${about.join("")}`.trimEnd()
  })
  const calls = waiting.length === 1 ? "1 call needs approval" : `${waiting.length} calls need approval`
  const first = shortId(ids[0] ?? "", ids)
  return [
    `${paint("yellow", "Paused")}: ${calls}:`,
    ...rows,
    `Decide in the inbox at ${url}/ or with byleave approve ${first} (or byleave deny ${first} --reason WORDS).`,
    "",
  ].join("\n")
}

/** A turn of the story. */
export function storyLines(item: StoryItemView, paint: Paint): string {
  switch (item.kind) {
    case "message":
      return `${paint("bold", item.role)}: ${cutWords(item)}\n`
    case "answer":
      return [
        ...(item.text === "" ? [] : [`${paint("bold", "model")}: ${cutWords(item)}`]),
        ...item.calls.map(
          ({ name, argsText, isCut }) =>
            `${paint("cyan", `→ ${showText(name)}`)}  ${paint("dim", `${safeLines(argsText)}${isCut ? "…" : ""}`)}`,
        ),
      ]
        .map((line) => `${line}\n`)
        .join("")
    case "outcome":
      return `${outcomeWords(item.outcome, paint)}  ${paint("dim", cutWords(item))}\n`
    case "leg-ended":
      return ""
  }
}

function outcomeWords(outcome: Extract<StoryItemView, { kind: "outcome" }>["outcome"], paint: Paint): string {
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
  return `${safeLines(text.trim())}${isCut ? "…" : ""}`
}
