import type { IncomingHttpHeaders } from "node:http"
import type { BodyBudget, JudgingTurns, UnreadBudget } from "@byleave/core"
import type { GatewayTimes, Identity } from "../gateway.ts"
import type { Caller } from "../wire/caller.ts"
import type { Backend } from "../wire/exchange.ts"
import type { ConversationRecords, Sealer } from "../wire/ports.ts"
import type { HeldElsewhere } from "./legacy/held-elsewhere.ts"
import type { OpenRequestLimits } from "./open-requests.ts"

export type FrontTimes = Pick<GatewayTimes, "keepAliveMs" | "parkedMs" | "idleConversationMs">

/** The options of every front, for any transport. */
export type FrontOptions = {
  readonly sealer: Sealer
  readonly times: FrontTimes
  readonly newId: () => string
  /** Of one message; 4 MiB unless set. */
  readonly maxBodyBytes?: number
  readonly log?: (line: string) => void
  /** Asked with each request over HTTP, and once of a client on stdio. */
  readonly openRequests?: () => Partial<OpenRequestLimits>
  /** Whether the client is gone for good; absent where it may come back. */
  readonly isGone?: () => boolean
}

export type HttpFrontOptions = FrontOptions & {
  /** The backend of a path: one server, or all of them for null. Undefined is answered 404. */
  readonly backendOf: (server: string | null) => Backend | undefined
  readonly identify: (headers: Readonly<IncomingHttpHeaders>) => Identity | null | Promise<Identity | null>
  readonly hosts: () => ReadonlySet<string>
  readonly origins: () => ReadonlySet<string>
  readonly conversations: ConversationRecords
  /** Legacy conversations of one principal in memory; 1,000 unless set. */
  readonly mostConversations?: number
  /** Counts the bodies of open requests; one with the usual limits where it is absent. */
  readonly bodies?: BodyBudget
  /** Counts replies that nobody has read; one with the usual limits where it is absent. */
  readonly unread?: UnreadBudget
  /** The turns in which the gate judges: requests of an agent whose calls take long to judge wait for theirs. */
  readonly judging?: JudgingTurns
  /** Does the work of a request for its sender; absent: as it is. */
  readonly asReader?: <Result>(principal: string, work: () => Result) => Result
  /** Where other processes answer requests of the same conversations. */
  readonly heldElsewhere?: HeldElsewhere | undefined
  readonly now: () => number
  /** A client ended its conversation (DELETE); one that only went quiet is not over. */
  readonly onEnded?: (caller: Caller) => Promise<void>
}

export const defaultMaxBodyBytes = 4 * 1024 * 1024

export type FrontPath = { readonly server: string | null }

/** The path as the book of conversations and digests know it. Server ids are never empty. */
export function pathKey(path: FrontPath): string {
  return path.server === null ? "/mcp" : `/mcp/${path.server}`
}
