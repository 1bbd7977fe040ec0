/**
 * The requests of a modern client, over any transport: discovery, subscriptions, and all requests to the backend.
 *
 * I1. No principal has more calls parked than allowed, and what a parked call was sent with counts as long as it is there.
 */
import { type JsonObject, objectAt, sessionKey, textAt, without } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import { serverInfoKey } from "../../wire/envelope.ts"
import { errorCode, errorMessage, replyMessage, rpcError } from "../../wire/errors.ts"
import type { Backend, ServerHello } from "../../wire/exchange.ts"
import type { Ask, RpcError } from "../../wire/message.ts"
import { modernVersions } from "../../wire/versions.ts"
import type { FrontOptions } from "../front-options.ts"
import { unreachable } from "../legacy/initialize.ts"
import { handleSafely } from "../legacy/legacy-messages.ts"
import { listen } from "../listen.ts"
import type { OpenRequest } from "../open-requests.ts"
import { askDigest } from "./ask-digest.ts"
import { type Leg, type ModernExchange, startModernExchange } from "./modern-exchange.ts"

export type ModernRequest = {
  readonly ask: Ask
  readonly caller: Caller
  readonly backend: Backend
  readonly path: string
  readonly paramHeaders: ReadonlyMap<string, string> | null
  readonly leg: Leg
  /** Counts what the request was sent with; absent where nobody counts it. */
  readonly body?: Pick<OpenRequest, "bytes" | "uses" | "counts" | "isEnded">
}

type Parked = {
  readonly running: ModernExchange
  readonly timer: NodeJS.Timeout
  readonly owner: string
  readonly bytes: number
}

export type ModernRequests = {
  /** Answers through the leg's outlet. */
  readonly answer: (request: ModernRequest) => Withdraw
  readonly parked: () => number
  /** Gives up what a principal has parked. */
  readonly giveUp: (principal: string) => void
  readonly close: () => void
}

/** To be called when the client withdrew: its stream closed, or it said so. `gone`: its connection has ended for good, and what runs may end. */
export type Withdraw = (how?: "gone") => void

/** Methods of the legacy era that this one has not. */
const removed = new Set(["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"])
const nothing = (): void => {}
/** Of one principal: calls whose servers asked something that its clients have not answered yet. */
const mostParked = 100
/** In bytes of what they were sent with: half of what an agent's bodies may hold by default, for each answer comes with the call once more. */
const mostParkedBytes = 32_000_000

export function createModernRequests(options: FrontOptions): ModernRequests {
  const { sealer, times, newId, log } = options
  const parked = new Map<string, Parked>()
  return {
    answer,
    parked: () => parked.size,
    giveUp: (principal) => {
      for (const { running, owner } of [...parked.values()]) if (owner === principal) running.giveUp()
    },
    close: () => {
      for (const { running } of [...parked.values()]) running.giveUp()
    },
  }

  function answer(request: ModernRequest): Withdraw {
    const { ask, leg } = request
    if (removed.has(ask.method)) {
      leg.outlet.reply(errorMessage(leg.id, noMethod))
      return nothing
    }
    if (ask.method === "server/discover") {
      void discover(request)
      return nothing
    }
    if (ask.method === "subscriptions/listen") return listen(request, (words) => log?.(`${request.path}: ${words}`))
    const state = textAt(ask.params, "requestState")
    const opened = state === undefined ? null : sealer.open(state)
    return opened?.k === "parked" ? goOn(request, opened) : begin(request)
  }

  function begin(request: ModernRequest): Withdraw {
    const { ask, caller, backend, path, paramHeaders, leg, body } = request
    const digest = askDigest(path, ask)
    // In use by the backend as long as that works, and by the exchange as long as its client may come back.
    const [worked, ended] = [body?.uses() ?? nothing, body?.uses() ?? nothing]
    const key = newId()
    const running: ModernExchange = startModernExchange({
      caller,
      ask,
      paramHeaders,
      digest,
      leg,
      isGone: options.isGone,
      isRevoked: body?.isEnded,
      onPark: () => {
        const bytes =
          parked.get(key)?.bytes ?? body?.bytes() ?? JSON.stringify(running.exchange.ask.params ?? {}).length
        const refused = whyNotParked(key, caller.principal.id, bytes)
        if (refused !== null) return { refused }
        if (body?.counts() === false) return { refused: tooMuchParked }
        park(key, { running, owner: caller.principal.id, bytes })
        return { state: sealer.seal({ k: "parked", exchange: key, principal: caller.principal.id, digest }) }
      },
      onEnd: () => {
        unpark(key)
        ended()
      },
    })
    handleSafely(backend, running.exchange, log)
      .then(running.settle)
      .finally(worked)
      .catch(() => log?.("A reply could not be written."))
    return withdrawing(running, leg)
  }

  /** A request that was parked before and is repeated still has its place. */
  function whyNotParked(key: string, principal: string, more: number): RpcError | null {
    if (parked.has(key)) return null
    const own = [...parked.values()].filter(({ owner }) => owner === principal)
    if (own.length >= mostParked) return tooManyParked
    return own.reduce((sum, { bytes }) => sum + bytes, more) > mostParkedBytes ? tooMuchParked : null
  }

  function park(key: string, what: Omit<Parked, "timer">): void {
    unpark(key)
    parked.set(key, { ...what, timer: setTimeout(what.running.giveUp, times.parkedMs).unref() })
  }

  function unpark(key: string): void {
    clearTimeout(parked.get(key)?.timer)
    parked.delete(key)
  }

  function goOn(request: ModernRequest, opened: JsonObject): () => void {
    const { ask, caller, path, leg } = request
    const key = textAt(opened, "exchange") ?? ""
    const found = parked.get(key)
    const owner = caller.principal.id
    if (found === undefined || opened.principal !== owner || found.owner !== owner || !found.running.isParked()) {
      return no(leg, lost)
    }
    const { running } = found
    if (sessionKey(running.exchange.caller.session) !== sessionKey(caller.session)) return no(leg, lost)
    if (askDigest(path, ask) !== running.digest) return no(leg, otherAsk)
    clearTimeout(found.timer)
    running.rebind(leg, objectAt(ask.params, "inputResponses"))
    return withdrawing(running, leg)
  }

  async function discover({ caller, backend, leg }: ModernRequest): Promise<void> {
    try {
      const result = discoverResult(await backend.hello(caller))
      leg.outlet.reply(replyMessage(leg.id, { kind: "result", result }))
    } catch (cause) {
      log?.(`A server could not be greeted: ${cause instanceof Error ? cause.message : String(cause)}`)
      leg.outlet.reply(replyMessage(leg.id, unreachable))
    }
  }
}

function withdrawing(running: ModernExchange, leg: Leg): Withdraw {
  return (how) => (how === "gone" ? running.drop() : running.closed(leg))
}

function no(leg: Leg, error: RpcError): () => void {
  leg.outlet.reply(errorMessage(leg.id, error))
  return nothing
}

const tooManyParked = rpcError(
  errorCode.internal,
  `The server asked something during this call, and this agent has ${mostParked} calls that wait for its answers already, which is as many as it may. The call was withdrawn. Answer those, then call again.`,
)
const tooMuchParked = rpcError(
  errorCode.internal,
  "The server asked something during this call, and this agent's calls that wait for its answers hold as much as they may. The call was withdrawn. Answer those, or send less, then call again.",
)
const noMethod = rpcError(errorCode.methodNotFound, "This revision has no such method.")
/** Marks errors of the request itself, which HTTP answers with 400. */
const badState = { code: "request-state" } as const
const lost = rpcError(
  errorCode.invalidParams,
  "The call that this requestState belongs to does not wait here any more. Make the call again without it.",
  badState,
)
const otherAsk = rpcError(
  errorCode.invalidParams,
  "This requestState belongs to another call. Send it with the method, name and arguments it was given for.",
  badState,
)

function discoverResult(hello: ServerHello): JsonObject {
  const { capabilities, serverInfo, instructions, more } = hello
  const meta = { ...objectAt(more, "_meta"), [serverInfoKey]: serverInfo }
  return {
    ttlMs: 0,
    cacheScope: "private",
    ...without(more, ["protocolVersion"]),
    resultType: "complete",
    supportedVersions: [...modernVersions],
    capabilities,
    ...(instructions === undefined ? {} : { instructions }),
    _meta: meta,
  }
}

export function isBadState(error: RpcError): boolean {
  return error.data === badState
}
