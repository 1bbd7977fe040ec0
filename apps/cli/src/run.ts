import { Command, CommanderError } from "commander"
import { addPolicyCheck } from "./commands/policy-check.ts"
import { addPolicyExplain } from "./commands/policy-explain.ts"
import type { ExitCode, Io } from "./io.ts"
import { safeLines } from "./paint.ts"

/** The version people see; the same as the package's. */
export const version = "0.1.0"

/** Runs one command and says how it went. Never rejects. */
export async function run(io: Io): Promise<ExitCode> {
  let code: ExitCode = 0
  const program = createProgram(io, (result) => {
    code = result
  })
  try {
    await program.parseAsync(io.argv, { from: "user" })
    return code
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : 2
    const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    io.stderr.write(`${safeLines(`This should not have happened. Please report it.\n${message}`)}\n`)
    return 1
  }
}

/** Adds a command to the program; `done` is told its exit code. */
export type Done = (code: ExitCode) => void

function createProgram(io: Io, done: Done): Command {
  const program = new Command("byleave")
    .description("Nothing an agent proposes runs without someone's leave.")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("Add --help to see what can be written.")
    .configureOutput({
      writeOut: io.stdout.write,
      writeErr: (text) => io.stderr.write(safeLines(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText("after", exitCodes)
  const policy = program.command("policy").description("check a policy, and explain what it decides").helpCommand(false)
  addPolicyCheck(policy, io, done)
  addPolicyExplain(policy, io, done)
  return program
}

const exitCodes = `
Exit codes: 0 done, 1 refused or failed, 2 wrong use, 3 nobody listening.`
