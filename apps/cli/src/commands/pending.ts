import type { Command } from "commander"
import { callLines } from "../decide/call-lines.ts"
import { atDesk, type DeskFlags, withDeskOptions } from "../decide/desk-command.ts"
import { shortId } from "../decide/short-id.ts"
import { theCalls } from "../decide/the-calls.ts"
import { callsWith } from "../decide/waiting-calls.ts"
import type { Done, Io } from "../io.ts"
import { createPaint, jsonLines } from "../paint.ts"

/** Of a list, each value is shown this far; of one call, whole. */
const glance = 600

export function addPending(program: Command, io: Io, done: Done): void {
  withDeskOptions(program.command("pending [ids...]"))
    .description("what waits for a person: all of it, or these in full")
    .action(async (ids: readonly string[], flags: DeskFlags) => {
      done(
        await atDesk(io, flags, async ({ client, url }) => {
          const waiting = await callsWith(client, "pending")
          const chosen = ids.length === 0 ? waiting : await theCalls(client, waiting, ids)
          if (flags.json) io.stdout.write(jsonLines({ waiting: chosen }))
          else if (chosen.length === 0) io.stdout.write("Nothing waits.\n")
          else {
            const all = waiting.map(({ id }) => id)
            const paint = createPaint(io.stdout, io.env)
            const most = ids.length === 0 ? glance : Number.POSITIVE_INFINITY
            const text = chosen.map((view) =>
              callLines(view, { short: shortId(view.id, all), now: io.now(), paint, most }),
            )
            io.stdout.write(`${text.join("\n")}\n`)
            io.stdout.write(`byleave approve ID…, byleave deny ID…, or decide in the inbox at ${url}\n`)
          }
          return 0
        }),
      )
    })
}
