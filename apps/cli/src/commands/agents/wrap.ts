import type { Command } from "commander"
import { dataOption } from "../../files/data-folder.ts"
import type { Done, Io } from "../../io.ts"
import { urlOption } from "../../reach/find-service.ts"
import { findProgram } from "../../wrap/find-program.ts"
import type { WrapWords } from "../../wrap/read-wrap-words.ts"
import { childEnvironment } from "../../wrap/start-early.ts"
import { wrapCommand } from "../../wrap/wrap-command.ts"

export function addWrap(program: Command, io: Io, done: Done): void {
  program
    .command("wrap <command> [args...]")
    .usage("[options] -- command args…")
    .description("run one stdio MCP server behind Byleave; for use in a client's configuration")
    .option("--name <id>", "server name used in rules (default: derived from the command)")
    .addOption(dataOption())
    .addOption(urlOption())
    .passThroughOptions()
    .action(async (command: string, args: readonly string[], flags: Omit<WrapWords, "command" | "args">) => {
      const file = findProgram(command, childEnvironment(io.env), io.cwd)
      done(await wrapCommand(io, { words: { ...flags, command, args }, file, early: null }))
    })
}
