import { Command, CommanderError } from "commander"
import { commandsFor } from "./command-table.ts"
import { reportFailure } from "./failure.ts"
import type { Done, ExitCode, Io } from "./io.ts"
import { asIs, jsonLines, safeLines } from "./terminal/paint.ts"
import { version } from "./version.ts"

/** Runs one command and says how it went. Never rejects. */
export async function run(io: Io): Promise<number> {
  let code = 0
  try {
    const program = await createProgram(io, (result) => {
      code = result
    })
    await program.parseAsync(io.argv, { from: "user" })
    return code
  } catch (cause) {
    const json = io.argv.includes("--json")
    if (cause instanceof CommanderError) return wrongUse(cause, json, io)
    const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    reportFailure({ error: `This should not have happened. Please report it.\n${message}`, code: "defect" }, json, io)
    return 1
  }
}

/** Commander has told people already. */
function wrongUse(cause: CommanderError, json: boolean, io: Io): ExitCode {
  if (cause.exitCode === 0) return 0
  const error = cause.code === "commander.help" ? "Enter a command." : cause.message.replace(/^error: /, "")
  if (json) io.stdout.write(jsonLines({ error, code: "wrong-use", problems: [] }))
  return 2
}

async function createProgram(io: Io, done: Done): Promise<Command> {
  const program = new Command("byleave")
    .description("Nothing an agent proposes runs without someone's leave.")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("Add --help for usage.")
    .configureOutput({
      writeOut: (text) => io.stdout.write(asIs(text)),
      writeErr: (text) => io.stderr.write(safeLines(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText("after", exitCodes)
    .enablePositionalOptions()
  for (const add of await commandsFor(io.argv[0])) add(program, io, done)
  return program
}

const exitCodes = `
Exit codes: 0 success, 1 refused or failed, 2 usage error, 3 service not running.`
