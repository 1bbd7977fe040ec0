import { clientPrograms } from "@byleave/formats/clients"
import { Argument, type Command } from "commander"
import { ownConfig } from "../../config/find-config.ts"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { reportFailure } from "../../failure.ts"
import { dataFolder, dataOption } from "../../files/data-folder.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { connect } from "../../reach/connect.ts"
import type { FoundService } from "../../reach/find-service.ts"
import { exitCodeOf } from "../../reach/find-service.ts"
import { readServiceFile } from "../../reach/service-file.ts"
import { startService } from "../../reach/start-service.ts"
import { hasSealedKey, readClearKey } from "../../reach/terminal-keys.ts"
import { lookAround, type SetupLook } from "../../setup/look.ts"
import type { SetupPlan } from "../../setup/plan-setup.ts"
import { lookAtUndo, undoSteps } from "../../setup/plan-undo.ts"
import { remoteHost } from "../../setup/remote-host.ts"
import { runSetup, type SetupDone } from "../../setup/run-setup.ts"
import { type SetupHost, SetupRefused } from "../../setup/setup-host.ts"
import { setupLines, undoLines, undoneLines } from "../../setup/setup-lines.ts"
import { hasWork, setupViews } from "../../setup/setup-views.ts"
import { undoSetup } from "../../setup/undo-setup.ts"
import { createPaint, jsonLines, safeLines } from "../../terminal/paint.ts"

type Flags = {
  readonly data?: string
  readonly dryRun?: true
  readonly undo?: true
  readonly yes?: true
  readonly json?: true
}

export function addSetup(program: Command, io: Io, done: Done): void {
  program
    .command("setup")
    .description("put Byleave in front of the MCP servers of the agents on this machine")
    .addArgument(new Argument("[client]", "one of them").choices(clientPrograms.map(({ id }) => id)))
    .addOption(dataOption())
    .option("--dry-run", "show the difference, and change nothing")
    .option("--undo", "put the agents' files back as they were; later edits by hand stay")
    .option("--yes", "do not ask, where no PIN is set")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (client: string | undefined, flags: Flags) => done(await setup(client ?? null, flags, io)))
}

const help = `
Looks at the configuration files of ${clientPrograms.map(({ title }) => title).join(", ")}: the user's own, and those of the
current folder. Servers that an agent starts are put behind \`byleave wrap\`; servers that it reaches by an address move to byleave.yaml, and
the agent gets this service's address and a token of its own. Where it can be told to, the agent leaves asking to Byleave.

The token is written into your own file of that agent. A project's file, which others may get, refers to the variable BYLEAVE_TOKEN instead:
set it where you start the agent. Tokens and backups are also kept in the folder setup of Byleave's data folder, which only you can read,
until --undo, which revokes the tokens. \`byleave tokens list\` shows them by name.

Comments and order of the files stay. Your PIN is the yes.

Examples:
  byleave setup --dry-run
  byleave setup
  byleave setup claude-code
  byleave setup --undo`

async function setup(client: string | null, flags: Flags, io: Io): Promise<ExitCode> {
  const data = dataFolder(flags.data, io)
  const machine = { env: io.env, home: io.home, platform: io.platform, cwd: io.cwd }
  try {
    if (flags.undo === true) return await undo(data, client, flags, io)
    return await run({ data, io, machine, only: client, url: null }, flags, io)
  } catch (cause) {
    if (!(cause instanceof SetupRefused) && !(cause instanceof RefusedByService)) throw cause
    reportFailure({ error: cause.message }, flags.json === true, io)
    return cause instanceof RefusedByService ? cause.code : 1
  }
}

/** Starts the service before anything is shown: its address is part of what is shown, and what is shown is what is done. */
async function run(look: SetupLook, flags: Flags, io: Io): Promise<ExitCode> {
  const isJson = flags.json === true
  const show = (plan: SetupPlan, output: Io["stdout"]): void =>
    void output.write(setupLines(setupViews(plan), io.home, createPaint(output, io.env)))
  const finish = ({ plan, written, warnings }: Report, words: string): ExitCode => {
    if (isJson) io.stdout.write(jsonLines({ written, warnings, files: setupViews(plan) }))
    else io.stdout.write(safeLines(words))
    return plan.files.some(({ problem }) => problem !== null) ? 1 : 0
  }
  const first = lookAround(look)
  const without = (words: string): ExitCode => {
    if (!isJson) show(first, io.stdout)
    return finish({ plan: first, written: [], warnings: [] }, words)
  }
  if (first.files.length === 0) return without("No agents were found on this machine.\n")
  if (!hasWork(first)) return without("Nothing to change.\n")
  if (flags.dryRun === true) return without("Nothing was changed.\n")
  const service = await start(look.data, flags, io)
  const shown = lookAround({ ...look, url: service.url })
  // A program gets one JSON object; the person is shown what their yes is to.
  show(shown, isJson ? io.stderr : io.stdout)
  const done = await runSetup(look.data, shown, await enter(service, io))
  for (const warning of done.warnings) io.stderr.write(safeLines(`${warning}\n`))
  return finish(done, `Done. ${afterwards}\n`)
}

type Report = SetupDone

const afterwards =
  "Start your agents anew; follow their calls with `byleave watch` or `byleave open`. `byleave setup --undo` puts everything back."

async function undo(data: string, client: string | null, flags: Flags, io: Io): Promise<ExitCode> {
  const shown = lookAtUndo(data, client)
  const meant = shown.record
  if (meant.files.length + meant.tokens.length + meant.servers.length === 0) {
    if (flags.json === true) io.stdout.write(jsonLines({ files: [], tokens: [], servers: [] }))
    else io.stdout.write("There is nothing to undo.\n")
    return 0
  }
  const show = (output: Io["stdout"]) => void output.write(undoLines(undoSteps(data, shown), shown, io.home))
  if (flags.json !== true) show(io.stdout)
  if (flags.dryRun === true) {
    const wouldUndo = meant.files.map(({ path }) => path)
    const [tokens, servers] = [meant.tokens.map(({ id }) => id), meant.servers.map(({ name }) => name)]
    if (flags.json === true) io.stdout.write(jsonLines({ wouldUndo, tokens, servers }))
    else io.stdout.write("Nothing was changed.\n")
    return 0
  }
  if (flags.json === true) show(io.stderr)
  const undone = await undoSetup(data, shown, await enter(await start(data, flags, io), io))
  if (flags.json === true) io.stdout.write(jsonLines(undone))
  else io.stdout.write(`${undoneLines(undone, io.home)}Undone.\n`)
  return undone.files.some(({ how, kept }) => how === "unreadable" || kept.length > 0) ? 1 : 0
}

/** The service, started where none runs. */
async function start(data: string, flags: Flags, io: Io): Promise<FoundService> {
  if (!hasSealedKey(data) && readClearKey(data) === undefined) {
    throw new RefusedByService(1, "Byleave is not set up here yet. Run `byleave init` first, and choose your PIN.")
  }
  const found = await startService({ data, env: io.env })
  if ("missing" in found) throw new RefusedByService(exitCodeOf(found), found.missing)
  if (found.hello.presence !== "pin" && flags.yes !== true) {
    throw new RefusedByService(1, "No PIN is set here, so nobody can be asked. Add --yes to go on.")
  }
  return found
}

/** The service with a person there, who has seen what will be done. */
async function enter(found: FoundService, io: Io): Promise<SetupHost> {
  if (found.hello.presence === "pin") io.stderr.write("Type your PIN to go on; Ctrl-C leaves everything as it is.\n")
  const connected = await connect(found, "present", io)
  if ("problem" in connected) throw new RefusedByService(1, connected.problem)
  const config = readServiceFile(found.data)?.config ?? ownConfig(found.data)
  return remoteHost(connected.client, config, io)
}
