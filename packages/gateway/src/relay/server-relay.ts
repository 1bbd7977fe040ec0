import type { GatewayServer } from "../gateway.ts"
import type { Upstream } from "../upstream/link.ts"
import { LinkError } from "../upstream/link.ts"
import type { Caller } from "../wire/caller.ts"
import type { Exchange } from "../wire/exchange.ts"
import type { Reply } from "../wire/message.ts"
import { carry, type Destination } from "./carry.ts"
import type { Places } from "./places.ts"
import type { RelayContext } from "./relay-context.ts"
import type { ServerTools } from "./server-tools.ts"

/** One server, with everything the steps of its relay need. */
export type ServerRelay = {
  readonly context: RelayContext
  readonly server: GatewayServer
  readonly upstream: Upstream
  readonly places: Places
  readonly tools: ServerTools
  /** By a person. */
  readonly isStopped: () => boolean
}

export function destination(relay: ServerRelay, caller: Caller): Destination {
  return { server: relay.server.id, place: relay.places.of(caller), timeoutMs: relay.server.timeoutMs }
}

/** To the server and back, with nobody's word in between. */
export function passOn(relay: ServerRelay, exchange: Exchange): Promise<Reply> {
  const { caller, ask, withdrawn } = exchange
  return orUnreachable(relay, () =>
    carry(relay.context, destination(relay, caller), { caller, ask, audience: exchange, signal: withdrawn }),
  )
}

/** A server that does not answer is an error of this request, and of nothing else. */
export async function orUnreachable(relay: ServerRelay, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    return noAnswer(relay, error)
  }
}

export function noAnswer(relay: ServerRelay, error: unknown): Reply {
  if (!(error instanceof LinkError)) throw error
  const message = `The server ${relay.server.id} gave no answer (${error.code}): ${error.message}`
  return { kind: "error", error: { code: -32603, message } }
}
