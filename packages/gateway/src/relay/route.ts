/**
 * The door of one server's relay: what is asked is understood here, or goes no further; who asks, and over which connection, is resolved here and
 * passed on to the end.
 *
 * I1. A request that is no method of the caller's revision reaches no server, unless policy names its method.
 * I2. What goes on is built from params that are known.
 * I3. Answers to a server's question are judged and shown only where the server takes them: a legacy one is sent none.
 */
import { type Call, type JsonObject, memberAt, objectAt, type TargetKind, without } from "@byleave/core"
import type { Caller } from "../wire/caller.ts"
import { withoutEnvelope } from "../wire/envelope.ts"
import { errorCode, errorReply } from "../wire/errors.ts"
import { changedExchange, type Exchange } from "../wire/exchange.ts"
import type { Ask, Reply } from "../wire/message.ts"
import type { MethodRow } from "../wire/methods/method-row.ts"
import { isProtocolMethod, mayGoOn, methodRow } from "../wire/methods/methods.ts"
import { buildParams } from "../wire/methods/params.ts"
import type { ServerConnection } from "./server-connection.ts"
import type { ServerRelay } from "./server-relay.ts"
import type { Speaker } from "./several/exchanged-names.ts"

/** The caller, the server and the connection of a request. */
export type RequestRoute = {
  readonly relay: ServerRelay
  readonly caller: Caller
  readonly connection: ServerConnection
}

/** Whose words go over this connection. */
export function speakerOf({ relay, caller, connection }: RequestRoute): Speaker {
  return { caller, at: relay.server.transport.kind === "stdio" ? connection.owner : null }
}

/** A request that was understood. */
export type Routed = RequestRoute & {
  /** With params of which everything is known; it has no envelope any more. */
  readonly exchange: Exchange
  /** Null: not a method of MCP. */
  readonly row: MethodRow | null
  /** Names of params that were left out. */
  readonly dropped: readonly string[]
}

export type Understood = { readonly ok: true; readonly routed: Routed } | { readonly ok: false; readonly reply: Reply }

export function understand(relay: ServerRelay, given: Exchange): Understood {
  const { caller, ask } = given
  const row = methodRow("client", "request", ask.method, caller.version) ?? null
  if (row === null && isProtocolMethod(ask.method)) return { ok: false, reply: methodNotFound }
  if (row === null) return routedTo(relay, withoutEnvelopeIn(given), null, [])
  const built = buildParams(row, ask.params, caller.version, relay.context.unknownParams())
  if (!built.ok) return { ok: false, reply: { kind: "error", error: built.error } }
  const { params, dropped } = built
  if (params === ask.params) return routedTo(relay, given, row, dropped)
  const known = params === undefined ? { method: ask.method } : { method: ask.method, params }
  return routedTo(relay, changedExchange(given, { ask: known }), row, dropped)
}

function withoutEnvelopeIn(exchange: Exchange): Exchange {
  const { method, params } = exchange.ask
  const kept = withoutEnvelope(params)
  return kept === undefined || kept === params ? exchange : changedExchange(exchange, { ask: { method, params: kept } })
}

function routedTo(
  relay: ServerRelay,
  exchange: Exchange,
  row: MethodRow | null,
  dropped: readonly string[],
): Understood {
  const { caller } = exchange
  return { ok: true, routed: { relay, caller, connection: relay.connections.of(caller), exchange, row, dropped } }
}

/** The same on the caller's connection: which that is depends on what its server speaks, which nobody knows before the first one is open. */
export async function withItsConnection(routed: Routed): Promise<Routed> {
  const { relay, caller, connection } = routed
  if (relay.upstream.era() !== null) return routed
  await connection.link()
  return { ...routed, connection: relay.connections.of(caller) }
}

export function hasAnswers({ exchange: { ask } }: Routed): boolean {
  return mayGoOn(ask.method) && memberAt(ask.params, "inputResponses") !== undefined
}

/** The request without answers that its server is not sent. Connects to the server where nobody knows yet what it speaks. */
export async function withAnswersTaken(routed: Routed): Promise<Routed> {
  const { relay, connection, exchange, dropped } = routed
  const era = relay.upstream.era() ?? (await connection.link()).era
  if (era === "modern") return routed
  const { method, params = {} } = exchange.ask
  const isEmpty = Object.keys(objectAt(params, "inputResponses") ?? {}).length === 0
  const kept = { method, params: without(params, ["inputResponses"]) }
  return {
    ...routed,
    exchange: changedExchange(exchange, { ask: kept }),
    dropped: isEmpty ? dropped : [...dropped, "inputResponses"],
  }
}

export const methodNotFound: Reply = errorReply(errorCode.methodNotFound, "Method not found")

/** The call that a request proposes, for the gate. */
export function callFor(
  { relay, caller, connection, exchange, dropped }: Routed,
  what: { readonly kind: TargetKind; readonly name: string; readonly args: JsonObject },
  listed?: Call["listed"],
): Call {
  const extraParams = extraParamsOf(exchange.ask, what.kind)
  const own = connectionOf(caller, connection)
  const tool = { server: relay.server.id, tool: what.name }
  const { principal, session } = caller
  const { args } = what
  const call = listed === undefined ? { tool, args, principal, session } : { tool, args, principal, session, listed }
  if (what.kind === "tool" && extraParams === undefined && dropped.length === 0 && own === shared) return call
  return {
    ...(what.kind === "tool" ? {} : { kind: what.kind }),
    ...call,
    ...(extraParams === undefined ? {} : { extraParams }),
    ...(dropped.length === 0 ? {} : { droppedParams: dropped }),
    ...own,
  }
}

/** Nothing where everybody shares it and nobody names roots, which is so of most calls. */
function connectionOf({ abilities }: Caller, { owner }: ServerConnection): Pick<Call, "connection"> {
  const hasRoots = Object.hasOwn(abilities, "roots")
  return owner === null && !hasRoots ? shared : { connection: { isOwn: owner !== null, hasRoots } }
}

const shared = {}

/** Asks for something of a kind that is usually asked for otherwise: a yes to one is no yes to the other. */
const unusual: ReadonlySet<string> = new Set(["completion/complete", "resources/subscribe"])

/**
 * The params that go to the server besides the judged ones: `_meta`, without the caller's progress token; a wish for a task; and the method,
 * where the kind does not tell it.
 */
function extraParamsOf({ method, params }: Ask, kind: TargetKind): JsonObject | undefined {
  const meta = objectAt(params, "_meta")
  const kept = meta === undefined ? undefined : without(meta, ["progressToken"])
  const task = kind === "tool" ? memberAt(params, "task") : undefined
  const hasMeta = kept !== undefined && Object.keys(kept).length > 0
  const isUnusual = unusual.has(method)
  if (!hasMeta && task === undefined && !isUnusual) return undefined
  return {
    ...(isUnusual ? { method } : {}),
    ...(task === undefined ? {} : { task }),
    ...(hasMeta ? { _meta: kept } : {}),
  }
}
