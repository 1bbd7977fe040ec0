import { asShown, type Client, definitionsDigest, type PinView, type ServerView } from "@byleave/api"
import { showText } from "@byleave/core"
import type { Command } from "commander"
import { definitionLines, pinName } from "../decide/definition-lines.ts"
import { Refused } from "../decide/desk.ts"
import { atDesk, type DeskFlags, withDeskOptions } from "../decide/desk-command.ts"
import { table } from "../decide/table.ts"
import { answerOf } from "../decide/waiting-calls.ts"
import type { Done, Io } from "../io.ts"
import { createPaint, jsonLines } from "../paint.ts"

const examples = `
Examples:
  byleave servers changes                    what waits to be answered, with the difference
  byleave servers accept 'files(read_file)'  shows the difference, then asks for the PIN
  byleave servers reject 'files(read_file)'  calls are refused until the server takes it back
  byleave servers quarantine files           hides and refuses everything of the server
  byleave servers lift files                 ends that
`

export function addServers(program: Command, io: Io, done: Done): void {
  const servers = program
    .command("servers")
    .description("servers, and what they say of their tools")
    .helpCommand(false)
    .addHelpText("after", examples)
  addList(servers, io, done)
  addChanges(servers, io, done)
  addAnswer(servers, io, done, {
    name: "accept",
    description: "accept what a tool, or a server, says now; agents are told that from then on",
    said: "Accepted",
    answer: async (named, { present }) => {
      const { pin, fingerprint } = proposedOf(named)
      const body = { ...refOf(named), fingerprint, digest: await definitionsDigest(pin) }
      return answerOf(await (await present()).acceptPin({ body }))
    },
  })
  addAnswer(servers, io, done, {
    name: "reject",
    description: "refuse calls of a changed or new tool until its server offers what was accepted",
    said: "Rejected",
    answer: async (named, { client }) => {
      const { fingerprint } = proposedOf(named)
      return answerOf(await client.rejectPin({ body: { ...refOf(named), fingerprint } }))
    },
  })
  addAnswer(servers, io, done, {
    name: "quarantine",
    description: "hide a tool, or a server with all it has, and refuse its calls until that is lifted",
    said: "In quarantine",
    answer: async (pin, { client }) => answerOf(await client.quarantinePin({ body: refOf(pin) })),
  })
  addAnswer(servers, io, done, {
    name: "lift",
    description: "end a quarantine",
    said: "Out of quarantine",
    answer: async (pin, { present }) => answerOf(await (await present()).liftPin({ body: refOf(pin) })),
  })
}

type Answering = {
  readonly name: "accept" | "reject" | "quarantine" | "lift"
  readonly description: string
  readonly said: string
  readonly answer: (
    pin: Named,
    desk: { readonly client: Client; readonly present: () => Promise<Client> },
  ) => Promise<unknown>
}

/** A pin that a person named; `pin` null: a server of which nothing is pinned. */
type Named = { readonly server: string; readonly tool?: string; readonly pin: PinView | null }

function addAnswer(servers: Command, io: Io, done: Done, { name, description, said, answer }: Answering): void {
  withDeskOptions(
    servers.command(`${name} <what>`).description(`${description}; WHAT is a server or server(tool)`),
  ).action(async (written: string, flags: DeskFlags) => {
    done(
      await atDesk(io, flags, async (desk) => {
        const named = await theNamed(desk.client, written)
        // Before the PIN is asked for: what is answered is what stands here, also where a program reads the answer.
        if (named.pin !== null && (name === "accept" || name === "reject")) {
          const to = flags.json ? io.stderr : io.stdout
          to.write(definitionLines(named.pin, createPaint(to, io.env)))
        }
        await answer(named, desk)
        io.stdout.write(flags.json ? jsonLines({ [name]: written }) : `${said}: ${showText(written)}\n`)
        return 0
      }),
    )
  })
}

function addList(servers: Command, io: Io, done: Done): void {
  withDeskOptions(servers.command("list").description("servers, how they fare, and what waits to be answered")).action(
    async (flags: DeskFlags) => {
      done(
        await atDesk(io, flags, async ({ client }) => {
          const { items } = answerOf(await client.listServers())
          const { items: waiting } = answerOf(await client.listPins({ query: { waiting: "true" } }))
          if (flags.json) io.stdout.write(jsonLines({ servers: items }))
          else if (items.length === 0) io.stdout.write("No servers.\n")
          else {
            const rows = items.map((server) => row(server, waiting.filter((pin) => pin.server === server.id).length))
            io.stdout.write(table(rows, createPaint(io.stdout, io.env)))
          }
          return 0
        }),
      )
    },
  )
}

function row({ id, health, stopped, quarantined, tools }: ServerView, waiting: number): readonly string[] {
  const state = quarantined !== null ? "in quarantine" : stopped ? "stopped" : health.state
  const answers = waiting === 0 ? "" : `${waiting} to answer: byleave servers changes ${showText(id)}`
  return [showText(id), state, `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`, answers]
}

function addChanges(servers: Command, io: Io, done: Done): void {
  withDeskOptions(
    servers
      .command("changes [server]")
      .description("definitions that are new, changed, rejected or in quarantine, with their differences"),
  ).action(async (server: string | undefined, flags: DeskFlags) => {
    done(
      await atDesk(io, flags, async ({ client }) => {
        const of = server === undefined ? {} : { server }
        const { items } = answerOf(await client.listPins({ query: { ...of, open: "true" } }))
        const pins = items.map(asShown)
        const paint = createPaint(io.stdout, io.env)
        if (flags.json) io.stdout.write(jsonLines({ changes: pins }))
        else if (pins.length === 0) io.stdout.write("Everything is as it was accepted.\n")
        else io.stdout.write(pins.map((pin) => definitionLines(pin, paint)).join("\n"))
        return 0
      }),
    )
  })
}

async function theNamed(client: Client, written: string): Promise<Named> {
  const { items } = answerOf(await client.listPins())
  const pin = items.find((each) => pinName(each) === written)
  if (pin !== undefined) {
    return { server: pin.server, ...(pin.of === "server" ? {} : { tool: pin.tool }), pin: asShown(pin) }
  }
  const servers = answerOf(await client.listServers()).items
  if (servers.some(({ id }) => id === written)) return { server: written, pin: null }
  throw new Refused(
    1,
    `There is no server or tool ${showText(written)}. See byleave servers list, byleave servers changes.`,
  )
}

function refOf({ server, tool }: Named): { readonly server: string; readonly tool?: string } {
  return tool === undefined ? { server } : { server, tool }
}

/** The pin that was printed, and the fingerprint of the definition that waits in it. */
function proposedOf({ pin }: Named): { readonly pin: PinView; readonly fingerprint: string } {
  if (pin === null || pin.proposed === null) {
    throw new Refused(1, "Nothing of it waits to be answered. See byleave servers changes.")
  }
  return { pin, fingerprint: pin.proposed.fingerprint }
}
