import { shownName } from "@byleave/core"
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
import type { HandedTasks } from "./tasks/handed-tasks.ts"
import type { ServerTools } from "./tools/server-tools.ts"
import type { UnderWay } from "./under-way.ts"

/** One server, with everything the steps of its relay need. */
export type ServerRelay = {
  readonly context: RelayContext
  readonly server: GatewayServer
  readonly upstream: Upstream
  readonly connections: ServerConnections
  readonly tools: ServerTools
  readonly names: ExchangedNames
  readonly listening: ListeningLimit
  readonly underWay: UnderWay
  readonly handedTasks: HandedTasks
  /** By a person. */
  readonly isStopped: () => boolean
}

/**
 * To the server, with nobody's word in between, and back, with an end that the client may have. `tool`: the one that the request is about, as a task of a call;
 * null: it is about none.
 */
export function passOn(routed: Routed, tool: string | null, ask = routed.exchange.ask): Promise<Reply> {
  const { relay, caller, exchange } = routed
  const { withdrawn, isGone } = exchange
  const request = { caller, tool, audience: exchange, signal: withdrawn }
  return orUnreachable(relay, () =>
    relay.underWay.watch(request, async ({ audience, signal }) =>
      finalReply(routed, ask.method, await carry(routed, { ask, audience, signal, isGone }), signal),
    ),
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
  const message = `The server ${shownName(relay.server.id)} gave no answer (${error.code}): ${error.message}`
  return { kind: "error", error: { code: -32603, message } }
}
