import type { Command } from "commander"
import { dataOption } from "../data-folder.ts"
import { urlOption } from "../find-service.ts"
import type { Done, Io } from "../io.ts"
import type { WrapWords } from "../wrap/read-wrap-words.ts"
import { wrapCommand } from "../wrap/wrap-command.ts"

export function addWrap(program: Command, io: Io, done: Done): void {
  program
    .command("wrap <command> [args...]")
    .usage("[options] -- command args…")
    .description("an MCP server on standard input and output, before one stdio server: for a client's configuration")
    .option("--name <id>", "what rules call the server; else from its command")
    .addOption(dataOption())
    .addOption(urlOption())
    .passThroughOptions()
    .action(async (command: string, args: readonly string[], flags: Omit<WrapWords, "command" | "args">) => {
      done(await wrapCommand(io, { ...flags, command, args }, null))
    })
}
