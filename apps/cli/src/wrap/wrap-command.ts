import { ownNameLikeness, ownNameWarning, showText } from "@byleave/core"
import { dataFolder } from "../files/data-place.ts"
import type { ExitCode, Io } from "../io.ts"
import { switchesIn } from "../launch/switches.ts"
import { reachGate } from "./reach-gate.ts"
import type { WrapWords } from "./read-wrap-words.ts"
import { serverName } from "./server-name.ts"
import { childEnvironment, type EarlyChild } from "./start-early.ts"

export type WrapStart = {
  readonly words: WrapWords
  /** The command's, as it has been found; null: there is none. */
  readonly file: string | null
  /** Its process, where it is starting already. */
  readonly early: EarlyChild | null
}

/** `byleave wrap`: finds or starts the service, then relays until the client is gone. */
export async function wrapCommand(io: Io, { words, file, early }: WrapStart): Promise<ExitCode> {
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
  const service = await reachGate(io, data, words.url, say)
  if (service === null) {
    early?.discard()
    return 3
  }
  say(`${name} uses the service at ${service.url}; list waiting calls with byleave pending, sign in with byleave open`)
  const { wrapServer } = await loading
  await wrapServer({
    ...{ name, command, file, args, cwd: io.cwd, now: io.now, pid: io.pid, log: say },
    env: childEnvironment(io.env),
    ...(early === null ? {} : { started: early.take }),
    service,
    switches: switchesIn(io.env),
    stopped: io.untilStopped(),
    ...io.streams(),
  })
  // A client that left without a word has had no use for it.
  early?.discard()
  return 0
}
