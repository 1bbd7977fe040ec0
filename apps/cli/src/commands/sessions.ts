import type { Client, SessionView } from "@byleave/api"
import { showText, toolName } from "@byleave/core"
import { type Command, Option } from "commander"
import { Refused } from "../decide/desk.ts"
import { atDesk, type DeskFlags, withDeskOptions } from "../decide/desk-command.ts"
import { durationOf } from "../decide/remembering.ts"
import { table } from "../decide/table.ts"
import { inWords } from "../decide/time-words.ts"
import { answerOf } from "../decide/waiting-calls.ts"
import type { Done, Io } from "../io.ts"
import { createPaint, jsonLines } from "../paint.ts"

const modes = ["ask", "autonomous", "unattended", "observe"] as const
type ModeFlags = DeskFlags & { readonly for?: string }

export function addSessions(program: Command, io: Io, done: Done): void {
  const sessions = program.command("sessions").description("what agents are at, and in which mode").helpCommand(false)
  withDeskOptions(sessions.command("list").description("sessions with a mode, grants or waiting calls")).action(
    async (flags: DeskFlags) => {
      done(
        await atDesk(io, flags, async ({ client }) => {
          const { items } = answerOf(await client.listSessions())
          if (flags.json) io.stdout.write(jsonLines({ sessions: items }))
          else
            io.stdout.write(
              items.length === 0
                ? "No sessions.\n"
                : table(
                    items.map((item) => row(item, io.now())),
                    createPaint(io.stdout, io.env),
                  ),
            )
          return 0
        }),
      )
    },
  )
  withDeskOptions(sessions.command("mode <session>"))
    .description("set a session's mode for a while: ask, autonomous, unattended or observe")
    .addOption(new Option("--to <mode>", "the mode").choices(modes).makeOptionMandatory())
    .option("--for <time>", "how long, such as 30m; an hour unless said")
    .action(async (written: string, flags: ModeFlags & { readonly to: (typeof modes)[number] }) => {
      done(
        await atDesk(io, flags, async (desk) => {
          const { principal, id } = await theSession(desk.client, written)
          const until = flags.for === undefined ? {} : { until: io.now() + durationOf(flags.for) }
          const client = await desk.present()
          const session = answerOf(await client.setMode({ body: { principal, id, mode: flags.to, ...until } }))
          io.stdout.write(
            flags.json ? jsonLines({ session }) : table([row(session, io.now())], createPaint(io.stdout, io.env)),
          )
          return 0
        }),
      )
    })
  addLift(sessions, io, done)
  withDeskOptions(sessions.command("end <session>"))
    .description("cancel what waits in it, forget its grants and its mode")
    .action(async (written: string, flags: DeskFlags) => {
      done(
        await atDesk(io, flags, async (desk) => {
          const { principal, id } = await theSession(desk.client, written)
          const client = await desk.present()
          answerOf(await client.endSession({ body: { principal, id } }))
          io.stdout.write(flags.json ? jsonLines({ ended: id }) : `Ended: ${showText(id)}\n`)
          return 0
        }),
      )
    })
}

function addLift(sessions: Command, io: Io, done: Done): void {
  withDeskOptions(sessions.command("lift <session> <tool>"))
    .description("let a tool, such as files(write_file), be asked for again after too many denials")
    .action(async (written: string, tool: string, flags: DeskFlags) => {
      done(
        await atDesk(io, flags, async (desk) => {
          const { principal, id, refused } = await theSession(desk.client, written)
          const named = refused.find((candidate) => toolName(candidate) === tool)
          if (named === undefined)
            throw new Refused(1, `${tool} is not refused in that session. See byleave sessions list.`)
          const client = await desk.present()
          const session = answerOf(await client.liftRefusal({ body: { principal, id, tool: named } }))
          io.stdout.write(flags.json ? jsonLines({ session }) : `${showText(tool)} may be asked for again.\n`)
          return 0
        }),
      )
    })
}

/** A session by its id, or as principal/id where several have that id. */
async function theSession(client: Client, written: string): Promise<SessionView> {
  const { items } = answerOf(await client.listSessions())
  const found = items.filter(({ principal, id }) => id === written || `${principal}/${id}` === written)
  const [session, ...others] = found
  if (session === undefined)
    throw new Refused(1, `There is no session ${showText(written)}. See byleave sessions list.`)
  if (others.length > 0) throw new Refused(1, "Several agents have a session of that name. Write it as agent/session.")
  return session
}

function row(
  { principal, id, label, mode, modeUntil, waiting, grants, refused }: SessionView,
  now: number,
): readonly string[] {
  return [
    showText(id),
    showText(principal),
    label === null ? "" : showText(label),
    modeUntil === null ? mode : `${mode}, ends ${inWords(modeUntil - now)}`,
    `${waiting} waiting`,
    `${grants.length} remembered`,
    refused.length === 0 ? "" : `refused: ${refused.map((tool) => showText(toolName(tool))).join(", ")}`,
  ]
}
