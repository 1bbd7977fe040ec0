import { asShown, type Client, definitionsDigest, type PinView, type ServerView } from "@byleave/api"
import { programPin, showText } from "@byleave/core"
import type { Command } from "commander"
import { definitionLines, pinName } from "../../decide/definition-lines.ts"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { table } from "../../decide/table.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { createPaint, jsonLines } from "../../terminal/paint.ts"

const examples = `
Examples:
  byleave servers changes                    lists definitions to review, with their changes
  byleave servers accept 'files(read_file)'  shows the changes, then asks for the PIN
  byleave servers reject 'files(read_file)'  denies calls until the server reverts the change
  byleave servers reject 'files((program))'  the same, or withdraws the program accepted last
  byleave servers quarantine files           hides the server's tools and denies all calls
  byleave servers lift files                 ends the quarantine
`

export function addServers(program: Command, io: Io, done: Done): void {
  const servers = program
    .command("servers")
    .description("manage servers and their tool definitions")
    .helpCommand(false)
    .addHelpText("after", examples)
  addList(servers, io, done)
  addChanges(servers, io, done)
  addAnswer(servers, io, done, {
    name: "accept",
    description: "accept the current definition of a tool or server; agents see it from then on",
    said: "Accepted",
    answer: async (named, { present }) => {
      const { pin, fingerprint } = proposedOf(named)
      const body = { ...refOf(named), fingerprint, digest: await definitionsDigest(pin) }
      return answerOf(await (await present()).acceptPin({ body }))
    },
  })
  addAnswer(servers, io, done, {
    name: "reject",
    description:
      "deny calls of a changed or new tool until its server restores the accepted definition, or of the program accepted last",
    said: "Rejected",
    answer: async (named, { client }) => {
      const { fingerprint } = acceptedProgram(named) ?? proposedOf(named)
      return answerOf(await client.rejectPin({ body: { ...refOf(named), fingerprint } }))
    },
  })
  addAnswer(servers, io, done, {
    name: "quarantine",
    description: "hide a tool or a whole server and deny its calls until the quarantine is lifted",
    said: "Quarantined",
    answer: async (pin, { client }) => answerOf(await client.quarantinePin({ body: refOf(pin) })),
  })
  addAnswer(servers, io, done, {
    name: "lift",
    description: "lift a quarantine",
    said: "Quarantine lifted",
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
  withReviewerOptions(
    servers.command(`${name} <what>`).description(`${description}; WHAT is a server or server(tool)`),
  ).action(async (written: string, flags: ReviewerFlags) => {
    done(
      await asReviewer(io, flags, async (desk) => {
        const named = await theNamed(desk.client, written)
        // Before the PIN is asked for: the answer is about the definition shown here, even if a program reads the answer.
        if (named.pin !== null && (name === "accept" || name === "reject")) {
          const to = flags.json ? io.stderr : io.stdout
          to.write(definitionLines(named.pin, createPaint(to, io.env), to.columns?.()))
        }
        await answer(named, desk)
        io.stdout.write(flags.json ? jsonLines({ [name]: written }) : `${said}: ${showText(written)}\n`)
        return 0
      }),
    )
  })
}

function addList(servers: Command, io: Io, done: Done): void {
  withReviewerOptions(
    servers.command("list").description("list servers, their status and definitions to review"),
  ).action(async (flags: ReviewerFlags) => {
    done(
      await asReviewer(io, flags, async ({ client }) => {
        const { items } = answerOf(await client.listServers())
        const { items: waiting } = answerOf(await client.listPins({ query: { waiting: "true" } }))
        if (flags.json) io.stdout.write(jsonLines({ servers: items }))
        else if (items.length === 0) io.stdout.write("No servers.\n")
        else {
          const rows = items.map((server) => row(server, waiting.filter((pin) => pin.server === server.id).length))
          io.stdout.write(table(rows, io))
        }
        return 0
      }),
    )
  })
}

function row({ id, health, stopped, quarantined, tools }: ServerView, waiting: number): readonly string[] {
  const state = quarantined !== null ? "quarantined" : stopped ? "stopped" : health.state
  const answers = waiting === 0 ? "" : `${waiting} to review: byleave servers changes ${showText(id)}`
  return [showText(id), state, `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`, answers]
}

function addChanges(servers: Command, io: Io, done: Done): void {
  withReviewerOptions(
    servers
      .command("changes [server]")
      .description("show definitions that are new, changed, rejected or quarantined, with their changes"),
  ).action(async (server: string | undefined, flags: ReviewerFlags) => {
    done(
      await asReviewer(io, flags, async ({ client }) => {
        const of = server === undefined ? {} : { server }
        const { items } = answerOf(await client.listPins({ query: { ...of, open: "true" } }))
        const pins = items.map(asShown)
        const paint = createPaint(io.stdout, io.env)
        if (flags.json) io.stdout.write(jsonLines({ changes: pins }))
        else if (pins.length === 0) io.stdout.write("No changes to review.\n")
        else io.stdout.write(pins.map((pin) => definitionLines(pin, paint, io.stdout.columns?.())).join("\n"))
        return 0
      }),
    )
  })
}

async function theNamed(client: Client, written: string): Promise<Named> {
  const pin = await pinNamed(client, written)
  if (pin !== undefined) {
    return { server: pin.server, ...(pin.of === "server" ? {} : { tool: pin.tool }), pin: asShown(pin) }
  }
  const servers = answerOf(await client.listServers()).items
  if (servers.some(({ id }) => id === written)) return { server: written, pin: null }
  throw new RefusedByService(
    1,
    `No server or tool ${showText(written)}. See byleave servers list or byleave servers changes.`,
  )
}

/** Asks for the pins of the server that is named, not for all there are; a server's name may have a bracket in it. */
async function pinNamed(client: Client, written: string): Promise<PinView | undefined> {
  const ends = [...written.matchAll(/\(/g)].map(({ index }) => index).slice(0, 3)
  for (const end of [...ends, written.length]) {
    const { items } = answerOf(await client.listPins({ query: { server: written.slice(0, end) } }))
    const pin = items.find((each) => pinName(each) === written)
    if (pin !== undefined) return pin
  }
  return undefined
}

function refOf({ server, tool }: Named): { readonly server: string; readonly tool?: string } {
  return tool === undefined ? { server } : { server, tool }
}

/** The newest program that was accepted, where no other waits. */
function acceptedProgram({ pin }: Named): PinView["accepted"] {
  return pin?.tool === programPin && pin.proposed === null ? pin.accepted : null
}

/** The pin that was printed, and the fingerprint of the definition that waits in it. */
function proposedOf({ pin }: Named): { readonly pin: PinView; readonly fingerprint: string } {
  if (pin === null || pin.proposed === null) {
    throw new RefusedByService(1, "It has nothing to review. See byleave servers changes.")
  }
  return { pin, fingerprint: pin.proposed.fingerprint }
}
