import type { JsonObject } from "@byleave/core"
import type { ClientInfo, Era } from "../wire/caller.ts"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import type { Signal } from "../wire/signal.ts"
import type { Asker } from "./era/speak-era.ts"
import type { Askable, StandingClient } from "./question-routes.ts"
import type { Turns } from "./take-turns.ts"

/** For whom a connection is opened. Connections are shared by all who ask for the same. */
export type LinkFor = {
  /** The legacy revision the client asked for; the newest we know when it is modern. */
  readonly version: string
  readonly client: ClientInfo | null
  /** The client abilities that the server may use. */
  readonly abilities: JsonObject
  /** Set where a server may ask this client something: nobody else shares the connection then. */
  readonly owner: string | null
  /** The principal that declares these abilities: a failure may be due to them, and then is nobody else's. Null if nothing is declared. */
  readonly principal: string | null
}

/**
 * Asked once, when the first byte of a request is about to leave: it may have waited for a connection, or for a server that reads slowly. False: nothing is
 * sent, and the request fails as `outdated`.
 */
export type MayLeave = () => boolean

/** How one request is carried. */
export type LinkRequest = {
  /** Without an envelope: the connection speaks the server's era. */
  readonly ask: Ask
  readonly asker: Asker
  /** Whose share of the server it takes; undefined: the gateway's own. */
  readonly principal?: string
  readonly paramHeaders?: ReadonlyMap<string, string>
  /** Progress (with our own token) and log lines that belong to this request. `guessed`: the server did not say so; it is the only one in flight. */
  readonly onNotice: (notice: Notice, guessed?: true) => void
  /** Whom the server asks something while this request runs (legacy servers only); null: nobody behind it can be asked. */
  readonly askable: () => Askable | null
  /** Cancels it upstream: `notifications/cancelled` on a legacy connection, closing the stream on a modern one. */
  readonly signal: Signal
  readonly mayLeave?: MayLeave | undefined
  /** A person approved it: it is sent at most once, though its method could be repeated. */
  readonly once?: boolean | undefined
  readonly timeoutMs?: number | undefined
}

/**
 * How it would be noticed that another server answers by now, as after a new deployment. `bound`: nothing would reach it, as on a pipe or in a session that it
 * does not know. `heard`: a stream stands that would have broken. `unseen`: not at all.
 */
export type Continuity = "bound" | "heard" | "unseen"

/** One connection to one server, in the era it speaks. */
export type Link = {
  readonly era: Era
  readonly version: string
  /** The result of `initialize` or `server/discover`, whole. */
  readonly hello: JsonObject
  /** Takes its turn at the server first. Rejects with a `LinkError` when no reply came. */
  readonly request: (carried: LinkRequest) => Promise<Reply>
  /**
   * Sends at once, for whoever has its turn already. `sendAnew`: sends it in another session, where the server has forgotten this one and did nothing;
   * what was seen of one session may not hold of the next. Null: it fails then.
   */
  readonly requestInTurn: (carried: LinkRequest, sendAnew: (() => Promise<Reply>) | null) => Promise<Reply>
  readonly notify: (notice: Notice) => Promise<void>
  /** Hears what belongs to no request: list changes, resource updates, unsolicited log lines, and inquiries. */
  readonly listen: (listener: LinkListener) => () => void
  /** Modern only: sets the wanted notifications of `subscriptions/listen`; legacy servers send all. */
  readonly want: (wants: { readonly lists: ReadonlySet<string>; readonly resources: ReadonlySet<string> }) => void
  readonly continuity: () => Continuity
  /** Frees this holder's share; the connection ends when nobody holds it and it has been idle. */
  readonly release: () => void
}

export type LinkListener = {
  readonly onNotice: (notice: Notice) => void
  readonly onInquiry: (ask: Ask) => Promise<Reply>
  /** Whom a question may be for that came while requests were in flight, though it is about none of them; null or absent: nobody. */
  readonly standing?: () => StandingClient | null
  /** Another server may answer by now: what this one listed may not hold any more. Never told of a connection that is bound to one. */
  readonly onDoubt?: () => void
  /** The connection is gone; ask for another when one is needed. */
  readonly onEnd: () => void
}

/** One configured server: its connections, its life, its health. */
export type Upstream = {
  readonly id: string
  readonly link: (wanted: LinkFor) => Promise<Link>
  /** Waits for a turn at this server, and sends then. */
  readonly inTurn: Turns
  readonly health: () => Health
  /** The era it was last found to speak. */
  readonly era: () => Era | null
  /** Ends every connection and child; new ones are opened on demand, also when it was stopped. */
  readonly restart: () => Promise<void>
  /** Ends every connection and child; none is opened until it is restarted. */
  readonly stop: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Health = {
  readonly state: "idle" | "connecting" | "connected" | "failing" | "stopped"
  readonly era: Era | null
  readonly lastConnectedAt: number | null
  readonly lastError: string | null
  readonly retryAt: number | null
  readonly links: number
}

/**
 * No reply came. `unreachable`: nothing was sent, the server did nothing. `changed`: nothing was sent, for the tool is not what was judged. `outdated`:
 * nothing was sent, for it has to be looked at again. `refused`: the server answered with an HTTP status that says
 * it did not take the request on. `cut-off`, `timeout`, `malformed`: something may have been done. `withdrawn`: the caller cancelled,
 * and whether the server had begun is not known. `unsent`: the caller cancelled before anything was sent.
 */
export class LinkError extends Error {
  override readonly name = "LinkError"
  readonly code: LinkErrorCode
  constructor(code: LinkError["code"], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export type LinkErrorCode =
  | "unreachable"
  | "changed"
  | "outdated"
  | "refused"
  | "cut-off"
  | "timeout"
  | "malformed"
  | "withdrawn"
  | "unsent"

export function outdated(): LinkError {
  return new LinkError("outdated", "Something changed while this waited to be sent. Nothing was sent.")
}

export function isOutdated(error: unknown): boolean {
  return error instanceof LinkError && error.code === "outdated"
}

export function unsent(): LinkError {
  return new LinkError("unsent", "The call was withdrawn before it was sent. Nothing was done.")
}
