import type { JsonObject } from "@byleave/core"
import type { Era } from "../wire/caller.ts"
import type { Notice, Reply } from "../wire/message.ts"
import type { Continuity, LinkFor, LinkRequest } from "./link.ts"
import type { LinkListeners } from "./listeners.ts"
import type { PeerRequest } from "./peer.ts"

/** The state that several links share: one conversation with a server, in the era it speaks. */
export type UpstreamConnection = {
  readonly era: Era
  readonly version: string
  readonly hello: JsonObject
  readonly listeners: LinkListeners
  readonly request: (carried: LinkRequest) => Promise<Reply>
  readonly notify: (notice: Notice) => Promise<void>
  readonly want: (wants: Subscriptions) => void
  readonly inFlight: () => number
  readonly continuity: () => Continuity
  readonly close: () => Promise<void>
}

export type Subscriptions = { readonly lists: ReadonlySet<string>; readonly resources: ReadonlySet<string> }

export const ownName = { name: "byleave", version: "0.1.0" }

export function clientOf(wanted: LinkFor): JsonObject & { readonly name: string; readonly version: string } {
  return wanted.client ?? ownName
}

export function peerRequest(carried: LinkRequest, serverTimeoutMs: number | undefined): Omit<PeerRequest, "ask"> {
  const timeoutMs = carried.timeoutMs ?? serverTimeoutMs
  return {
    onNotice: carried.onNotice,
    askable: carried.askable,
    signal: carried.signal,
    ...(carried.principal === undefined ? {} : { principal: carried.principal }),
    ...(carried.mayLeave === undefined ? {} : { mayLeave: carried.mayLeave }),
    ...(carried.once === undefined ? {} : { once: carried.once }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}
