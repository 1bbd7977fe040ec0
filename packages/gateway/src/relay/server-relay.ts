import type { GatewayServer } from "../gateway.ts"
import { LinkError, type Upstream } from "../upstream/link.ts"
import type { Reply } from "../wire/message.ts"
import { carry } from "./carry.ts"
import type { ListeningLimit } from "./listening/listening-limit.ts"
import type { RelayContext } from "./relay-context.ts"
import type { Routed } from "./route.ts"
import type { ServerConnections } from "./server-connections.ts"
import type { ExchangedNames } from "./several/exchanged-names.ts"
import { finalReply } from "./talk/final-reply.ts"
import type { ServerTools } from "./tools/server-tools.ts"

/** One server, with everything the steps of its relay need. */
export type ServerRelay = {
  readonly context: RelayContext
  readonly server: GatewayServer
  readonly upstream: Upstream
  readonly connections: ServerConnections
  readonly tools: ServerTools
  readonly names: ExchangedNames
  readonly listening: ListeningLimit
  /** By a person. */
  readonly isStopped: () => boolean
}

/** To the server, with nobody's word in between, and back, with an end that the client may have. */
export function passOn(routed: Routed, ask = routed.exchange.ask): Promise<Reply> {
  const { exchange } = routed
  const { withdrawn: signal, isGone } = exchange
  return orUnreachable(routed.relay, async () =>
    finalReply(routed, ask.method, await carry(routed, { ask, audience: exchange, signal, isGone }), signal),
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
