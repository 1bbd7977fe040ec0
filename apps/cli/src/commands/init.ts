import type { Credentials, Refused } from "@byleave/server"
import { type Command, Option } from "commander"
import { dataFolder, dataOption, openDataFolder } from "../data-folder.ts"
import { reportFailure } from "../failure.ts"
import { findConfig, ownConfig, starterConfig } from "../find-config.ts"
import type { ExitCode, Io } from "../io.ts"
import { storeFrom } from "../is-store.ts"
import { jsonLines, safeLines } from "../paint.ts"
import { writePrivate } from "../private-file.ts"
import { registerTerminal } from "../register-terminal.ts"

type Options = {
  readonly data?: string
  readonly store?: string
  readonly presence: "pin" | "none"
  readonly json?: true
}

export function addInit(program: Command, io: Io, done: (code: ExitCode) => void): void {
  program
    .command("init")
    .description("make yourself a reviewer: choose the PIN, and write a first configuration")
    .addOption(dataOption())
    .option("--store <where>", "sqlite, or postgres://… as for serve (else BYLEAVE_STORE)")
    .addOption(
      new Option("--presence <how>", "none: without a PIN, for demonstrations only")
        .choices(["pin", "none"])
        .default("pin"),
    )
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (options: Options) => done(await init(options, io)))
}

const help = `
The PIN is typed on the terminal, twice, and never shown; no argument, pipe or variable can give it. Run init again to change it.

Examples:
  byleave init
  byleave init --data ./byleave-data`

const shortest = 6

async function init(options: Options, io: Io): Promise<ExitCode> {
  const data = dataFolder(options.data, io)
  openDataFolder(data)
  const { openCredentials } = await import("../open-credentials.ts")
  const { credentials, close } = await openCredentials(data, storeFrom(options.store, io), options.presence, io.now)
  try {
    const id = reviewerId(io.userName)
    const made = await makeReviewer(credentials, id, options.presence, io)
    if ("problem" in made) {
      reportFailure({ error: made.problem }, options.json === true, io)
      return 1
    }
    await registerTerminal(credentials, data, id, made.pin)
    const config = findConfig(undefined, data, io) ?? writeStarter(data)
    report({ reviewer: id, data, config, presence: made.pin === null ? "none" : "pin" }, options, io)
    return 0
  } finally {
    await close()
  }
}

/** The system's name for the person, as an id: what has no place in one becomes `-`. */
function reviewerId(userName: string): string {
  const id = userName
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replaceAll(/^[^A-Za-z0-9]+/g, "")
    .slice(0, 60)
  return id === "" ? "owner" : id
}

type Made = { readonly pin: string | null } | { readonly problem: string }

async function makeReviewer(credentials: Credentials, id: string, presence: "pin" | "none", io: Io): Promise<Made> {
  const reviewers = await credentials.listReviewers()
  const known = reviewers.find((reviewer) => reviewer.id === id)
  if (known === undefined && reviewers.length > 0) return { problem: othersFirst(reviewers.map((each) => each.id)) }
  const current = known?.hasPin === true ? await io.askSecret("Your PIN until now: ") : undefined
  if (current === null) return { problem: noTerminal }
  if (presence === "none") {
    if (known?.hasPin === true) return { problem: "You have a PIN already. Without --presence none, init changes it." }
    const added = known ?? (await credentials.addReviewer({ id, name: io.userName, groups: [] }, null))
    return isRefused(added) ? { problem: added.detail } : { pin: null }
  }
  const chosen = await choosePin(io)
  if ("problem" in chosen) return chosen
  const { pin } = chosen
  const refused =
    known === undefined
      ? await credentials.addReviewer({ id, name: io.userName, groups: [], pin }, null)
      : await credentials.changePin(id, { ...(current === undefined ? {} : { current }), pin })
  return isRefused(refused) ? { problem: refused.detail } : chosen
}

function isRefused(value: object | null): value is Refused {
  return value !== null && "refused" in value
}

function othersFirst(ids: readonly string[]): string {
  return `${ids.join(", ")} may decide here already. Let them add you: \`byleave reviewers add\`.`
}

const noTerminal =
  "The PIN is typed on a terminal, and there is none here. Run `byleave init` in one; `--presence none` needs no PIN and is for demonstrations only."

async function choosePin(io: Io): Promise<{ readonly pin: string } | { readonly problem: string }> {
  const pin = await io.askSecret(`Choose a PIN (at least ${shortest} characters): `)
  if (pin === null) return { problem: noTerminal }
  if ([...pin].length < shortest) return { problem: `A PIN has at least ${shortest} characters. Nothing was changed.` }
  const again = await io.askSecret("The same again: ")
  if (again !== pin) return { problem: "The two were not the same. Nothing was changed; run it again." }
  return { pin }
}

function writeStarter(data: string): string {
  const path = ownConfig(data)
  writePrivate(path, starterConfig)
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
  const pin = presence === "pin" ? "Approving needs your PIN." : "There is no PIN: for demonstrations only."
  return `${reviewer} may decide here. ${pin}
  data           ${data}
  configuration  ${config}
Next: write your servers into the configuration, run \`byleave serve\`, and sign in with \`byleave open\`.
`
}
