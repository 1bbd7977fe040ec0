import { type ApprovalView, byRisk } from "@byleave/api"
import { type Command, Option } from "commander"
import { type CallLinesOptions, callLines, summaryLines } from "../../decide/call-lines.ts"
import { callRow } from "../../decide/call-row.ts"
import { inRow } from "../../decide/in-row.ts"
import { revealed } from "../../decide/masks.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { sessionsOf } from "../../decide/sessions-of.ts"
import { shortId } from "../../decide/short-id.ts"
import { theCalls } from "../../decide/the-calls.ts"
import { callsWith, wholeCalls } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { createPaint, jsonLines } from "../../terminal/paint.ts"

type PendingFlags = ReviewerFlags & { readonly full?: true; readonly reveal?: true; readonly sort: "age" | "risk" }
type Named = { readonly id: string; readonly sessionKey: string }

/** Where there is no terminal, a row is read by a program or kept in a file. */
const widestRow = 200

export function addPending(program: Command, io: Io, done: Done): void {
  withReviewerOptions(program.command("pending [ids...]"))
    .description("list waiting calls, one line each; with IDs, show those in full")
    .addOption(
      new Option("--sort <by>", "age (oldest first) or risk (riskiest first)").choices(["age", "risk"]).default("age"),
    )
    .option("--full", "show a few lines for each call")
    .option("--reveal", "with IDs: also show likely secrets")
    .action(async (ids: readonly string[], flags: PendingFlags) => {
      done(
        await asReviewer(io, flags, async ({ client, url }) => {
          const oldestFirst = await callsWith(client, "pending")
          const waiting = flags.sort === "risk" ? oldestFirst.toSorted(byRisk) : oldestFirst
          const chosen = ids.length === 0 ? null : await wholeCalls(client, await theCalls(client, waiting, ids))
          if (flags.json) io.stdout.write(jsonLines({ waiting: chosen ?? waiting }))
          else if (waiting.length === 0) io.stdout.write("No waiting calls.\n")
          else {
            const sessions = await sessionsOf(client, chosen ?? waiting)
            const all = waiting.map(({ id }) => id)
            const how = ({ id, sessionKey }: Named) => ({
              ...{ short: shortId(id, all), now: io.now(), paint: createPaint(io.stdout, io.env) },
              session: sessions.get(sessionKey),
              columns: io.stdout.columns?.(),
            })
            if (chosen !== null) io.stdout.write(paragraphs(chosen.map((view) => whole(view, how(view), flags))))
            else if (flags.full) io.stdout.write(paragraphs(waiting.map((view) => summaryLines(view, how(view)))))
            else
              for (const view of waiting) {
                const { short, columns = widestRow, ...rest } = how(view)
                io.stdout.write(`${inRow(callRow(view, { ...rest, head: short, columns }), io.stdout)}\n`)
              }
            io.stdout.write(`Decide with byleave approve ID… or byleave deny ID…, or in the inbox at ${url}\n`)
          }
          return 0
        }),
      )
    })
}

function paragraphs(texts: readonly string[]): string {
  return `${texts.join("\n")}\n`
}

function whole(view: ApprovalView, how: Omit<CallLinesOptions, "reveal">, { reveal }: PendingFlags): string {
  return callLines(view, { ...how, reveal: reveal ? revealed : { isShown: false, by: "--reveal" } })
}
