import type { Io } from "../io.ts"
import { findGate, type GateAddress } from "./find-gate.ts"
import { findGateAgain, isBroughtBack } from "./find-gate-again.ts"

/** A gate, and how to find it again once its connection broke. */
export type ReachedGate = GateAddress & {
  readonly again: () => Promise<GateAddress | null>
  readonly isBroughtBack: () => boolean
}

/** Finds the service of a data folder, or starts it. Null where that fails; `say` has been told why. */
export async function reachGate(
  io: Io,
  data: string,
  url: string | undefined,
  say: (line: string) => void,
): Promise<ReachedGate | null> {
  const start = () => startGate(io, data, url, say)
  const gate = (await findGate(data, url)) ?? (await start())
  if (gate === null) return null
  const again = findGateAgain({ data, url, start, now: io.now })
  return { ...gate, again, isBroughtBack: () => isBroughtBack({ data, url }) }
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
