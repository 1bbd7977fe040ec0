import { type Client, type SessionView, sessionAsShown, sessionDigest } from "@byleave/api"
import { allModes, type Mode, shownName, showText, toolName } from "@byleave/core"
import { type Command, Option } from "commander"
import { inRow } from "../../decide/in-row.ts"
import { durationOf } from "../../decide/remembering.ts"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { sessionLines } from "../../decide/session-lines.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { createPaint, jsonLines, sentenceLines } from "../../terminal/paint.ts"

type ModeFlags = ReviewerFlags & { readonly for?: string }

export function addSessions(program: Command, io: Io, done: Done): void {
  const sessions = program.command("sessions").description("manage sessions and their modes").helpCommand(false)
  withReviewerOptions(sessions.command("list").description("list sessions, their connection and waiting calls")).action(
    async (flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          const { items } = answerOf(await client.listSessions())
          if (flags.json) io.stdout.write(jsonLines({ sessions: items }))
          else if (items.length === 0) io.stdout.write("No sessions.\n")
          else io.stdout.write(items.map((item) => linesOf(io, item)).join("\n"))
          return 0
        }),
      )
    },
  )
  withReviewerOptions(sessions.command("mode <session>"))
    .description(
      "set a session's mode for a limited time: ask, autonomous (-tools, -paths, -urls: in part), unattended (deny while away) or observe",
    )
    .addOption(new Option("--to <mode>", "the mode").choices(allModes).makeOptionMandatory())
    .option("--for <time>", "how long, such as 30m (default: 1h)")
    .action(async (written: string, flags: ModeFlags & { readonly to: Mode }) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const shown = await shownSession(desk.client, written, io)
          const until = flags.for === undefined ? {} : { until: io.now() + durationOf(flags.for) }
          const client = await desk.present()
          const session = answerOf(
            await client.setMode({ body: { ...(await refOf(shown)), mode: flags.to, ...until } }),
          )
          io.stdout.write(flags.json ? jsonLines({ session }) : linesOf(io, session))
          if (!flags.json && (shown.mode === "observe" || session.mode === "observe")) io.stdout.write(observedNext)
          return 0
        }),
      )
    })
  addLift(sessions, io, done)
  withReviewerOptions(sessions.command("end <session>"))
    .description("end a session: withdraw its waiting calls and revoke its permissions and mode")
    .action(async (written: string, flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const shown = await shownSession(desk.client, written, io)
          for (const { words } of shown.grants)
            io.stderr.write(`${inRow(`  revoke   ${sentenceLines(words)}`, io.stderr)}\n`)
          const client = await desk.present()
          answerOf(await client.endSession({ body: await refOf(shown) }))
          io.stdout.write(flags.json ? jsonLines({ ended: shown.id }) : `Ended: ${showText(shown.id)}\n`)
          return 0
        }),
      )
    })
}

const observedNext =
  "`byleave policy observed` reports what would have needed approval, and the rules that would have halved it.\n"

function linesOf(io: Io, session: SessionView): string {
  return sessionLines(session, io.now(), createPaint(io.stdout, io.env), io.stdout.columns?.())
}

function addLift(sessions: Command, io: Io, done: Done): void {
  withReviewerOptions(sessions.command("lift <session> <tool>"))
    .description("unblock a tool, such as files(write_file), after too many denials")
    .action(async (written: string, tool: string, flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const shown = await shownSession(desk.client, written, io)
          const named = shown.refused.find((candidate) => toolName(candidate) === tool)
          if (named === undefined)
            throw new RefusedByService(1, `${tool} is not blocked in that session. See byleave sessions list.`)
          const client = await desk.present()
          const session = answerOf(await client.liftRefusal({ body: { ...(await refOf(shown)), tool: named } }))
          io.stdout.write(flags.json ? jsonLines({ session }) : `${shownName(tool)} may be called again.\n`)
          return 0
        }),
      )
    })
}

/** Shows the session to the person who types the PIN: the action is bound to what is shown. */
async function shownSession(client: Client, written: string, io: Io): Promise<SessionView> {
  const session = sessionAsShown(await theSession(client, written), io.now())
  io.stderr.write(sessionLines(session, io.now(), createPaint(io.stderr, io.env), io.stderr.columns?.()))
  return session
}

async function refOf(shown: SessionView) {
  return { principal: shown.principal, id: shown.id, digest: await sessionDigest(shown) }
}

/** A session by its id, or as principal/id where several have that id. */
async function theSession(client: Client, written: string): Promise<SessionView> {
  const { items } = answerOf(await client.listSessions({ query: { session: written } }))
  const [session, ...others] = items
  if (session === undefined)
    throw new RefusedByService(1, `No session ${showText(written)}. See byleave sessions list.`)
  if (others.length > 0)
    throw new RefusedByService(1, "Several agents have a session with that name. Enter it as agent/session.")
  return session
}
