import type { Command } from "commander"
import { dataFolder, dataOption } from "../data-folder.ts"
import { reportFailure } from "../failure.ts"
import { findService } from "../find-service.ts"
import type { ExitCode, Io } from "../io.ts"
import { jsonLines } from "../paint.ts"

type Flags = { readonly data?: string; readonly json?: true }

export function addStop(program: Command, io: Io, done: (code: ExitCode) => void): void {
  program
    .command("stop")
    .description(
      "end the service of the data folder; what waits is kept, and it stays down until a client or you start it again",
    )
    .addOption(dataOption())
    .option("--json", "answer with JSON, for programs")
    .action(async (flags: Flags) => done(await stop(flags, io)))
}

/** Ends only a process that has proved to be the service of this folder. */
async function stop(flags: Flags, io: Io): Promise<ExitCode> {
  const data = dataFolder(flags.data, io)
  const found = await findService({ data })
  if ("missing" in found || found.pid === null) {
    const error = "missing" in found ? found.missing : "The service does not say which process it is."
    reportFailure({ error }, flags.json === true, io)
    return 3
  }
  io.endProcess(found.pid)
  for (let tries = 0; tries < 200; tries++) {
    await io.pause(50)
    if ("missing" in (await findService({ data }))) {
      io.stdout.write(
        flags.json ? jsonLines({ stopped: found.pid }) : `Stopped. What waits is kept for the next start.\n`,
      )
      return 0
    }
  }
  reportFailure(
    { error: `The process ${found.pid} has not ended yet. Calls that run are given time to.` },
    flags.json === true,
    io,
  )
  return 1
}
