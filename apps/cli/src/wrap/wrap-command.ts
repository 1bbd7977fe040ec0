import { ownNameLikeness, ownNameWarning, showText } from "@byleave/core"
import { dataFolder } from "../files/data-place.ts"
import type { ExitCode, Io } from "../io.ts"
import { findGate, type GateAddress } from "./find-gate.ts"
import { findGateAgain } from "./find-gate-again.ts"
import type { WrapWords } from "./read-wrap-words.ts"
import { serverName } from "./server-name.ts"
import { childEnvironment, type EarlyChild } from "./start-early.ts"

/** `byleave wrap`: finds or starts the service, then relays until the client is gone. */
export async function wrapCommand(io: Io, words: WrapWords, early: EarlyChild | null): Promise<ExitCode> {
  const { command, args } = words
  const name = words.name ?? serverName(command, args)
  const say = (line: string): void => io.stderr.write(`byleave: ${showText(line)}\n`)
  if (name.includes("__") || ownNameLikeness(name) === "same" || name === "") {
    say(`"${name}" is not a valid server name. Choose another with --name.`)
    early?.discard()
    return 2
  }
  const warning = ownNameWarning(name)
  if (warning !== null) say(`${warning} Choose another name with --name.`)
  const data = dataFolder(words.data, io)
  const loading = import("./wrap-server.ts")
  const start = () => startGate(io, data, words.url, say)
  const gate = (await findGate(data, words.url)) ?? (await start())
  if (gate === null) {
    early?.discard()
    return 3
  }
  say(`${name} uses the service at ${gate.url}; list waiting calls with byleave pending, sign in with byleave open`)
  const { wrapServer } = await loading
  await wrapServer({
    ...{ name, command, args, cwd: io.cwd, now: io.now, pid: io.pid, log: say },
    env: childEnvironment(io.env),
    ...(early === null ? {} : { started: early.take }),
    service: { ...gate, again: findGateAgain({ data, url: words.url, start, now: io.now }) },
    stopped: io.untilStopped(),
    ...io.streams(),
  })
  // A client that left without a word has had no use for it.
  early?.discard()
  return 0
}

/** Starts the service where none runs; says why when that fails, or when an address was given by hand. */
async function startGate(
  io: Io,
  data: string,
  url: string | undefined,
  say: (line: string) => void,
): Promise<GateAddress | null> {
  const { startService } = await import("../reach/start-service.ts")
  const { findService } = await import("../reach/find-service.ts")
  const onStarting = () => say("starting the service")
  const found =
    url === undefined ? await startService({ data, env: io.env, onStarting }) : await findService({ data, url })
  const gate = "missing" in found ? null : await findGate(data, url)
  if ("missing" in found) for (const line of found.missing.split("\n")) say(line)
  else if (gate === null) say(`No gate credential in ${data}. Start the service once with \`byleave serve\`.`)
  return gate
}
