import { type Command, Option } from "commander"
import { findConfig, ownConfig, starterConfigFor } from "../../config/find-config.ts"
import { reportFailure } from "../../failure.ts"
import { dataFolder, dataOption, openDataFolder } from "../../files/data-folder.ts"
import { writePrivate } from "../../files/private-file.ts"
import type { ExitCode, Io } from "../../io.ts"
import { registerTerminal } from "../../reach/register-terminal.ts"
import { loadFile } from "../../service/config/load-file.ts"
import { readKeptStore } from "../../store/kept-store.ts"
import { choosePin } from "../../terminal/choose-pin.ts"
import { jsonLines, safeLines } from "../../terminal/paint.ts"

type Options = {
  readonly data?: string
  readonly store?: string
  readonly presence: "pin" | "none"
  readonly json?: true
}

export function addInit(program: Command, io: Io, done: (code: ExitCode) => void): void {
  program
    .command("init")
    .description("set up Byleave: choose your PIN and create a configuration")
    .addOption(dataOption())
    .option("--store <where>", "sqlite, or postgres://… as for serve (default: BYLEAVE_STORE)")
    .addOption(new Option("--presence <how>", "none: no PIN, for demos only").choices(["pin", "none"]).default("pin"))
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (options: Options) => done(await init(options, io)))
}

const help = `
You type the PIN twice in the terminal; it is never shown and cannot be passed by argument, pipe or variable. Run init again to change it, or, while
no PIN is required (presence: none), to choose your first one.

Examples:
  byleave init
  byleave init --data ./byleave-data`

async function init(options: Options, io: Io): Promise<ExitCode> {
  const fail = (error: string): ExitCode => {
    reportFailure({ error }, options.json === true, io)
    return 1
  }
  // Before anything is opened, which would leave its trace in the audit.
  const chosen = options.presence === "none" ? { pin: null } : await choosePin(io)
  if ("problem" in chosen) return fail(chosen.problem)
  const data = dataFolder(options.data, io)
  openDataFolder(data)
  const { chosenStore, keepStore } = await import("../../store/chosen-store.ts")
  const where = chosenStore(data, options.store, io)
  if ("problem" in where) return fail(where.problem)
  const isFirst = readKeptStore(data) === null
  const { openCredentials } = await import("../../store/open-credentials.ts")
  const { makeReviewer } = await import("../../reach/make-reviewer.ts")
  const { credentials, close } = await openCredentials(data, where.store, io.now)
  if (isFirst) keepStore(data, where.store)
  try {
    const id = reviewerId(io.userName)
    const problem = await makeReviewer(credentials, id, chosen.pin, io)
    if (problem !== null) return fail(problem)
    await registerTerminal(credentials, data, id, chosen.pin)
    const config = findConfig(undefined, data, io) ?? writeStarter(data, options.presence)
    report({ reviewer: id, data, config, presence: chosen.pin === null ? "none" : "pin" }, options, io)
    if (options.presence === "none" && !asksForNoPin(config, io)) io.stderr.write(safeLines(stillAsks(config)))
    return 0
  } finally {
    await close()
  }
}

/** A file that cannot be read is told of when the service starts. */
function asksForNoPin(config: string, io: Io): boolean {
  const loaded = loadFile(config, io)
  return !loaded.ok || loaded.config.reviewers.presence === "none"
}

function stillAsks(config: string): string {
  return `${config} requires a PIN, and you have none, so nothing can be approved. Before you start the service, set \`reviewers: { presence: none }\` there, or choose a PIN: byleave init.\n`
}

/** The system's name for the person, as an id: characters that an id cannot have become `-`. */
function reviewerId(userName: string): string {
  const id = userName
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replaceAll(/^[^A-Za-z0-9]+/g, "")
    .slice(0, 60)
  return id === "" ? "owner" : id
}

function writeStarter(data: string, presence: Options["presence"]): string {
  const path = ownConfig(data)
  writePrivate(path, starterConfigFor(presence))
  return path
}

type Report = {
  readonly reviewer: string
  readonly data: string
  readonly config: string
  readonly presence: "pin" | "none"
}

function report(facts: Report, options: Options, io: Io): void {
  if (options.json === true) io.stdout.write(jsonLines(facts))
  else io.stdout.write(safeLines(textOf(facts)))
}

function textOf({ reviewer, data, config, presence }: Report): string {
  const pin = presence === "pin" ? "Approving calls requires your PIN." : "No PIN is set: for demos only."
  return `${reviewer} is set up as a reviewer. ${pin}
  data           ${data}
  configuration  ${config}
Next steps, either:
  put \`byleave wrap --name NAME --\` before a server's command in your client's configuration, or
  add your servers to the configuration above and run \`byleave serve\`.
Then list waiting calls with \`byleave pending\`, or follow them live with \`byleave watch\`.
`
}
