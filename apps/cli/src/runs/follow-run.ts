/** Follows a run on the terminal until it is over or the person leaves, across restarts of the service. */
import type { RunEventView, RunSummaryView } from "@byleave/api"
import { openReviewerClient } from "../decide/open-reviewer-client.ts"
import { RefusedByService, type ReviewerClient } from "../decide/reviewer-client.ts"
import { wrapped } from "../decide/session-lines.ts"
import { type RevealFlags, revealBy } from "../decide/show-whole.ts"
import { answerOf } from "../decide/waiting-calls.ts"
import { sentenceRows } from "../decide/wrap-line.ts"
import type { ExitCode, Io } from "../io.ts"
import { createPaint, jsonLines } from "../terminal/paint.ts"
import { type RunLinesOptions, stepWords, storyLines, waitingLines } from "./run-lines.ts"
import { createRunPrinter, type RunPrinter } from "./run-printer.ts"
import { legOf, wholeStory } from "./whole-story.ts"

export type FollowFlags = RevealFlags & {
  /** False: comes back when the run pauses. */
  readonly wait?: boolean
}

export const revealRunWords = "also show likely secrets in arguments and results"

const retryMs = 1_000

/** How runs are printed on this terminal. */
export function runLinesOptions(io: Io, flags: RevealFlags): RunLinesOptions {
  return { paint: createPaint(io.stdout, io.env), columns: io.stdout.columns?.(), reveal: revealBy(flags) }
}

/** `shown`: the newest leg that is in front of the person already. */
export async function followRun(
  io: Io,
  desk: ReviewerClient,
  id: string,
  flags: FollowFlags,
  shown = 0,
): Promise<ExitCode> {
  const left = new AbortController()
  // A command that does not stay needs no way to leave: the run goes on whatever becomes of this command.
  if (flags.wait !== false && !flags.json) void io.untilStopped().then(() => left.abort())
  if (flags.json) return asJson(io, desk, id, left.signal)
  const { paint, reveal } = runLinesOptions(io, flags)
  const printer = createRunPrinter({ write: io.stdout.write, paint, reveal, columns: () => io.stdout.columns?.() })
  let current = desk
  const told = new Set([shown])
  let isLost = false
  while (!left.signal.aborted) {
    try {
      const code = await untilOver(io, current, id, flags, { printer, told }, left.signal)
      if (code !== null) return code
    } catch (cause) {
      if (cause instanceof RefusedByService && cause.code !== 3) throw cause
    }
    if (left.signal.aborted) break
    if (!isLost) printer.line("The service is not running. Waiting for it; the run is kept.")
    isLost = true
    await io.pause(retryMs)
    const found = await openReviewerClient(io, flags).catch(() => null)
    if (found === null) continue
    printer.line("The service is back.")
    isLost = false
    current = found
  }
  printer.line(`Left. The run goes on without you; come back with byleave runs show ${id} --follow.`)
  return 0
}

/** Null: the connection ended, and the run is not over. */
async function untilOver(
  io: Io,
  { client, url }: ReviewerClient,
  id: string,
  flags: FollowFlags,
  { printer, told }: { readonly printer: RunPrinter; readonly told: Set<number> },
  signal: AbortSignal,
): Promise<ExitCode | null> {
  const params = { id }
  printer.again()
  const reply = await client.runEvents({ params, signal })
  let paused = 0
  for await (const event of answerOf(reply)) {
    if (event.type === "removed") {
      printer.line("The run was deleted.")
      return 1
    }
    if (event.type !== "state") {
      printer.event(event)
      continue
    }
    const { run } = event
    if (run.status === "running") continue
    // A leg that was over before anybody could listen is told from its journal.
    if (!told.has(run.legs) && !printer.hasShown(run.legs)) {
      for (const item of legOf(await wholeStory(client, id), run.legs)) {
        printer.line(storyLines(item, runLinesOptions(io, flags)).trimEnd())
      }
    }
    told.add(run.legs)
    if (run.status !== "paused") return overWith(run, io, printer)
    if (run.version === paused) continue
    paused = run.version
    const details = answerOf(await client.getRun({ params }))
    if (details.run.status !== "paused") continue
    const words = waitingLines(details, url, runLinesOptions(io, flags))
    const stay = flags.wait === false ? "" : "Ctrl-C leaves; the run is kept."
    printer.line(`\n${words}${stay}`.trimEnd())
    if (flags.wait === false) return 0
  }
  return null
}

function overWith(run: RunSummaryView, io: Io, printer: RunPrinter): ExitCode {
  const paint = createPaint(io.stdout, io.env)
  const told = (head: string, detail: string): string =>
    wrapped(sentenceRows(`${head}: `, detail), io.stdout.columns?.()).trimEnd()
  switch (run.status) {
    case "failed": {
      const again = run.retryable ? ` Try again with byleave runs continue ${run.id}.` : ""
      printer.line(`\n${told(paint("red", "Failed"), `${run.detail}${again}`)}`)
      return 1
    }
    case "cancelled":
      printer.line(`\n${told("Cancelled", run.detail)}`)
      return 1
    default:
      printer.line(`\n${paint("green", "Finished")} (${stepWords(run)}).`)
      return 0
  }
}

/** For programs: one object, once the run pauses or is over. */
async function asJson(io: Io, { client }: ReviewerClient, id: string, signal: AbortSignal): Promise<ExitCode> {
  const params = { id }
  for await (const event of await eventsOf(client, id, signal)) {
    if (event.type === "removed" || (event.type === "state" && event.run.status !== "running")) break
  }
  const details = answerOf(await client.getRun({ params }))
  io.stdout.write(jsonLines(details))
  return details.run.status === "failed" || details.run.status === "cancelled" ? 1 : 0
}

async function* eventsOf(
  client: ReviewerClient["client"],
  id: string,
  signal: AbortSignal,
): AsyncGenerator<RunEventView> {
  try {
    yield* answerOf(await client.runEvents({ params: { id }, signal }))
  } catch (cause) {
    if (!signal.aborted) throw cause
  }
}
