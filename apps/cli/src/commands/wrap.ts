import { showText } from "@byleave/core"
import type { Command } from "commander"
import { dataFolder, dataOption } from "../data-folder.ts"
import { reportFailure } from "../failure.ts"
import { findService, urlOption } from "../find-service.ts"
import type { Done, ExitCode, Io } from "../io.ts"
import { readGateToken } from "../service/gate-token.ts"
import { startService } from "../start-service.ts"
import { serverName } from "../wrap/server-name.ts"

type WrapFlags = { readonly name?: string; readonly data?: string; readonly url?: string }

export function addWrap(program: Command, io: Io, done: Done): void {
  program
    .command("wrap <command> [args...]")
    .usage("[options] -- command args…")
    .description("an MCP server on standard input and output, before one stdio server: for a client's configuration")
    .option("--name <id>", "what rules call the server; else from its command")
    .addOption(dataOption())
    .addOption(urlOption())
    .passThroughOptions()
    .action(async (command: string, args: readonly string[], flags: WrapFlags) => {
      done(await wrap(io, command, args, flags))
    })
}

async function wrap(io: Io, command: string, args: readonly string[], flags: WrapFlags): Promise<ExitCode> {
  const name = flags.name ?? serverName(command, args)
  if (name.includes("__") || name === "byleave" || name === "") {
    reportFailure(
      { error: `A server cannot be called "${name}". Choose another with --name.`, code: "wrong-use" },
      false,
      io,
    )
    return 2
  }
  const say = (line: string): void => io.stderr.write(`byleave: ${showText(line)}\n`)
  const data = dataFolder(flags.data, io)
  const found =
    flags.url === undefined
      ? await startService({ data, env: io.env, onStarting: () => say("starting the service") })
      : await findService({ data, url: flags.url })
  const token = readGateToken(data)
  if ("missing" in found || token === undefined) {
    say(
      "missing" in found
        ? found.missing
        : `There is no gate credential in ${data}. Start the service there once with byleave serve.`,
    )
    return 3
  }
  say(`${name} asks the service at ${found.url}; see what waits with byleave pending, sign in with byleave open`)
  const { wrapServer } = await import("../wrap/wrap-server.ts")
  await wrapServer({
    name,
    command,
    args,
    env: childEnvironment(io.env),
    cwd: io.cwd,
    service: { url: found.url, token },
    ...io.streams(),
    now: io.now,
    pid: io.pid,
    log: say,
  })
  return 0
}

/** The client's environment without what is Byleave's own. */
function childEnvironment(env: Io["env"]): ReadonlyMap<string, string> {
  return new Map([...env].filter(([name]) => !name.startsWith("BYLEAVE_")))
}
