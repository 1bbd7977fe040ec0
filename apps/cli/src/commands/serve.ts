import { type Command, InvalidArgumentError, Option } from "commander"
import { dataOption } from "../data-folder.ts"
import type { ExitCode, Io } from "../io.ts"
import { isStore } from "../is-store.ts"
import { leanHeap } from "../service/lean-heap.ts"

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
  readonly json?: true
}

export function addServe(program: Command, io: Io, done: (code: ExitCode) => void): void {
  program
    .command("serve")
    .description("run the gateway, the API and the inbox on one port")
    .option("--config <file>", "the configuration (else byleave.yaml here, else the data folder's)")
    .addOption(dataOption())
    .option("--host <address>", "where to listen", "127.0.0.1")
    .addOption(new Option("--port <number>", "where to listen").default(7337).argParser(portOf))
    .addOption(
      new Option("--store <where>", "sqlite, or postgres://… for several services (else BYLEAVE_STORE)").argParser(
        storeOf,
      ),
    )
    .option("--tls-cert <file>", "the certificate, in PEM; with --tls-key")
    .option("--tls-key <file>", "its private key, in PEM")
    .option("--behind-proxy", "a proxy that speaks TLS stands in front")
    .option("--no-fast-path", "let Node's own HTTP read and send every request, at some cost")
    .addOption(new Option("--or-any-port", "take another port when that one is taken").hideHelp())
    .addOption(new Option("--background", "started by a wrap, which starts it again when it dies").hideHelp())
    .option("--json", "print one line of JSON when listening")
    .addHelpText("after", examples)
    .action(async (options: ServeOptions) => {
      leanHeap()
      // Loaded when needed: other commands start the quicker.
      const { serve } = await import("../service/serve.ts")
      done(await serve(options, io))
    })
}

const examples = `
Servers that are started as programs get PATH, HOME, LANG, LC_ALL, TERM, USER, LOGNAME, SHELL and TMPDIR of this process, and
what the configuration gives them under env; nothing else.

Examples:
  byleave serve
  byleave serve --config team/byleave.yaml --port 8000
  byleave serve --store postgres://user:password@host/database`

function portOf(written: string): number {
  const port = Number(written)
  if (!/^\d{1,5}$/.test(written) || port > 65_535) throw new InvalidArgumentError("Write a number from 0 to 65535.")
  return port
}

function storeOf(written: string): string {
  // The words of an address may hold a password: they are not repeated.
  if (!isStore(written)) throw new InvalidArgumentError("Write sqlite, or an address that starts with postgres://.")
  return written
}
