import type { Command } from "commander"
import { reportFailure } from "../../failure.ts"
import { dataFolder, dataOption } from "../../files/data-folder.ts"
import type { ExitCode, Io } from "../../io.ts"
import { exitCodeOf, findService } from "../../reach/find-service.ts"
import { jsonLines } from "../../terminal/paint.ts"

type Flags = { readonly data?: string; readonly json?: true }

export function addStop(program: Command, io: Io, done: (code: ExitCode) => void): void {
  program
    .command("stop")
    .description("stop the service; waiting calls are kept, and it stays down until you or a client starts it again")
    .addOption(dataOption())
    .option("--json", "print JSON")
    .action(async (flags: Flags) => done(await stop(flags, io)))
}

/** Ends only a process that has proved to be the service of this folder. */
async function stop(flags: Flags, io: Io): Promise<ExitCode> {
  const data = dataFolder(flags.data, io)
  const found = await findService({ data })
  if ("missing" in found || found.pid === null) {
    const error = "missing" in found ? found.missing : "The service did not report its process ID."
    reportFailure({ error }, flags.json === true, io)
    return "missing" in found ? exitCodeOf(found) : 3
  }
  io.endProcess(found.pid)
  for (let tries = 0; tries < 200; tries++) {
    await io.pause(50)
    const still = await findService({ data })
    if ("missing" in still && still.code !== "busy") {
      io.stdout.write(
        flags.json ? jsonLines({ stopped: found.pid }) : `Stopped. Waiting calls are kept for the next start.\n`,
      )
      return 0
    }
  }
  reportFailure(
    { error: `Process ${found.pid} has not exited yet. Running calls are given time to finish.` },
    flags.json === true,
    io,
  )
  return 1
}
