import { setTimeout as pause } from "node:timers/promises"
import { type ApprovalSummaryView, followEvents } from "@byleave/api"
import type { Command } from "commander"
import { callRow } from "../../decide/call-row.ts"
import { inRow } from "../../decide/in-row.ts"
import { RefusedByService, type ReviewerClient } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { type SessionsByKey, sessionsOf } from "../../decide/sessions-of.ts"
import { shortId } from "../../decide/short-id.ts"
import { callsWith } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { asIs, createPaint, jsonLine } from "../../terminal/paint.ts"
import { runWatch } from "../../watch/run-watch.ts"

export function addWatch(program: Command, io: Io, done: Done): void {
  withReviewerOptions(program.command("watch"))
    .description(
      "follow waiting calls and decide by key; without a terminal, print one line per call (with --json, one JSON object)",
    )
    .action(async (flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const terminal = flags.json ? null : io.openTerminal()
          const paint = createPaint(io.stdout, io.env)
          if (terminal === null) await tell(io, desk, flags.json === true)
          else await runWatch({ desk, terminal, paint, now: io.now, pause })
          return 0
        }),
      )
    })
}

/** For pipes: every call that waits, once. */
async function tell(io: Io, { client }: ReviewerClient, json: boolean): Promise<void> {
  const told = new Set<string>()
  const over = new AbortController()
  void io.untilStopped().then(() => over.abort())
  const catchUp = async (): Promise<void> => {
    const waiting = await callsWith(client, "pending")
    const all = waiting.map(({ id }) => id)
    const fresh = waiting.filter(({ id }) => !told.has(id))
    for (const { id } of fresh) told.add(id)
    const sessions = json ? new Map() : await sessionsOf(client, fresh)
    for (const view of fresh) {
      io.stdout.write(json ? asIs(`${jsonLine(view)}\n`) : row(io, view, all, sessions))
    }
  }
  await catchUp()
  const problem = await followEvents({
    client,
    after: 0,
    signal: over.signal,
    onEvent: ({ type }) => {
      if (type === "approval.pending") void catchUp().catch(() => undefined)
    },
    wait: (attempt) => pause(Math.min(250 * 2 ** attempt, 5_000)),
  }).catch((cause: unknown) => {
    if (over.signal.aborted) return null
    throw cause
  })
  if (problem !== null) throw new RefusedByService(1, problem.detail)
}

const widestRow = 200

function row(io: Io, view: ApprovalSummaryView, all: readonly string[], sessions: SessionsByKey): string {
  const session = sessions.get(view.sessionKey)
  const head = shortId(view.id, all)
  const paint = createPaint(io.stdout, io.env)
  return `${inRow(callRow(view, { head, now: io.now(), paint, session, columns: widestRow }), io.stdout)}\n`
}
