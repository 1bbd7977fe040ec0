import type { Command } from "commander"
import { dataOption } from "../data-folder.ts"
import { reportFailure } from "../failure.ts"
import type { ExitCode, Io } from "../io.ts"
import { type Desk, Refused } from "./desk.ts"
import { openDesk } from "./open-desk.ts"

export type DeskFlags = { readonly data?: string; readonly url?: string; readonly json?: true }

/** Adds what every command that speaks with the service takes. */
export function withDeskOptions(command: Command): Command {
  return command
    .addOption(dataOption())
    .option("--url <address>", "service address (default: the one of the data folder)")
    .option("--json", "print JSON")
}

/** Finds the service, does the work, and turns a refusal into a sentence and an exit code. */
export async function atDesk(io: Io, flags: DeskFlags, work: (desk: Desk) => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work(await openDesk(io, flags))
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    const code = cause.code === 2 ? ({ code: "wrong-use" } as const) : {}
    reportFailure({ error: cause.message, ...code }, flags.json === true, io)
    return cause.code
  }
}
