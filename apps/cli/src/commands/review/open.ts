import type { Command } from "commander"
import { reportFailure } from "../../failure.ts"
import { dataFolder, dataOption } from "../../files/data-folder.ts"
import type { ExitCode, Io } from "../../io.ts"
import { connect } from "../../reach/connect.ts"
import { exitCodeOf, findService, urlOption } from "../../reach/find-service.ts"
import { signInAddress } from "../../reach/sign-in-address.ts"
import { asIs, jsonLines } from "../../terminal/paint.ts"

type Options = { readonly data?: string; readonly url?: string; readonly print?: true; readonly json?: true }

export function addOpen(program: Command, io: Io, done: (code: ExitCode) => void): void {
  program
    .command("open")
    .description("sign in a browser: create a one-time link and open it")
    .addOption(dataOption())
    .addOption(urlOption())
    .option("--print", "print the link instead of opening it")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (options: Options) => done(await open(options, io)))
}

const help = `
The link works once, for ten minutes. Both this command and the page ask for your PIN.

Examples:
  byleave open
  byleave open --print`

async function open(options: Options, io: Io): Promise<ExitCode> {
  const json = options.json === true
  const found = await findService({ data: dataFolder(options.data, io), url: options.url })
  if ("missing" in found) {
    reportFailure({ error: found.missing }, json, io)
    return exitCodeOf(found)
  }
  const connected = await connect(found, "present", io)
  if ("problem" in connected) {
    reportFailure({ error: connected.problem }, json, io)
    return 1
  }
  const reply = await connected.client.mintLink({ body: {} })
  if (!reply.ok) {
    reportFailure({ error: reply.problem.detail }, json, io)
    return 1
  }
  const { link, expiresAt, reviewer } = reply.value
  const url = signInAddress(found.url, link)
  if (json) io.stdout.write(jsonLines({ url, reviewer, expiresAt }))
  else if (options.print === true || !(await io.openBrowser(url))) io.stdout.write(asIs(`${url}\n`))
  else io.stdout.write("The inbox is open in your browser.\n")
  return 0
}
