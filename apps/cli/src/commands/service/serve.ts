import { type Command, InvalidArgumentError, Option } from "commander"
import { dataOption } from "../../files/data-folder.ts"
import type { ExitCode, Io } from "../../io.ts"
import { leanHeap } from "../../service/process/lean-heap.ts"
import { type LogFormat, type LogLevel, logFormats, logLevels } from "../../service/process/log.ts"
import { isStore } from "../../store/is-store.ts"

export type ServeOptions = {
  readonly config?: string
  readonly data?: string
  readonly host: string
  readonly port: number
  readonly store?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly behindProxy?: true
  readonly fastPath: boolean
  readonly orAnyPort?: true
  readonly background?: true
  readonly demo?: true
  readonly json?: true
  readonly log: LogFormat
  readonly logLevel: LogLevel
}

export function addServe(program: Command, io: Io, done: (code: ExitCode) => void): void {
  program
    .command("serve")
    .description("run the gateway, API and inbox on one port")
    .option("--config <file>", "configuration file (default: ./byleave.yaml, then the data folder's)")
    .addOption(dataOption())
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(new Option("--port <number>", "port to listen on").default(7337).argParser(portOf))
    .addOption(
      new Option("--store <where>", "sqlite, or postgres://… for several services (default: BYLEAVE_STORE)").argParser(
        storeOf,
      ),
    )
    .option("--tls-cert <file>", "TLS certificate (PEM); requires --tls-key")
    .option("--tls-key <file>", "TLS private key (PEM)")
    .option("--behind-proxy", "a TLS proxy is in front")
    .option("--no-fast-path", "use Node's HTTP stack for every request (slower)")
    .addOption(new Option("--or-any-port", "use another port if that one is taken").hideHelp())
    .addOption(new Option("--background", "started by a wrap, which restarts it if it exits").hideHelp())
    .addOption(new Option("--demo", "the inbox tells of the demo agent").hideHelp())
    .option("--json", "print one line of JSON when listening")
    .addOption(new Option("--log <format>", "format of the log on stderr").choices(logFormats).default("text"))
    .addOption(new Option("--log-level <level>", "least important entries to log").choices(logLevels).default("info"))
    .addHelpText("after", examples)
    .action(async (options: ServeOptions) => {
      leanHeap()
      // Loaded when needed: other commands start the quicker.
      const { serve } = await import("../../service/serve.ts")
      done(await serve(options, io))
    })
}

const examples = `
Servers started as programs inherit only PATH, HOME, LANG, LC_ALL, TERM, USER, LOGNAME, SHELL and TMPDIR, plus
the variables under env in the configuration.

Examples:
  byleave serve
  byleave serve --config team/byleave.yaml --port 8000
  byleave serve --store postgres://user:password@host/database`

function portOf(written: string): number {
  const port = Number(written)
  if (!/^\d{1,5}$/.test(written) || port > 65_535) throw new InvalidArgumentError("Enter a number from 0 to 65535.")
  return port
}

function storeOf(written: string): string {
  // The words of an address may hold a password: they are not repeated.
  if (!isStore(written)) throw new InvalidArgumentError("Enter sqlite, or an address that starts with postgres://.")
  return written
}
