import type { NotificationMessage, RequestMessage, ResponseMessage } from "../wire/message.ts"
import type { Received } from "./http/read-received.ts"
import type { Continuity, LinkError, MayLeave } from "./link.ts"

/** Carries messages to one server and back. Knows bytes and streams; what the messages mean is the peer's affair. */
export type Channel = {
  /** Sends a request. The events report its outcome. */
  readonly ask: (message: RequestMessage, sending: ChannelRequest) => void
  /** The request needs nothing more: it is answered, or nobody waits for it. Ends what is still open for it, and frees what waits to be sent. */
  readonly drop: (id: number, why: "answered" | "abandoned") => void
  readonly tell: (message: NotificationMessage | ResponseMessage) => Promise<void>
  readonly continuity: () => Continuity
  /** A legacy server agreed on this revision. */
  readonly agreed: (version: string) => void
  readonly close: () => Promise<void>
}

export type ChannelRequest = {
  /** Whose request it is; undefined: the gateway's own. */
  readonly principal?: string
  readonly headers?: ReadonlyMap<string, string>
  /** A person approved it: it is never sent a second time. */
  readonly once?: boolean | undefined
  /** As of a link's request. Every channel asks it of every request: what it was not asked of counts as not sent. */
  readonly mayLeave: MayLeave
}

export type ChannelEvents = {
  /** `about`: the request whose stream it came on, where the transport can tell. */
  readonly onMessage: (received: Received, about?: number) => void
  /** Something came that is no message. */
  readonly onGarbled: (text: string, problem: string) => void
  /** This request gets no answer. */
  readonly onFail: (id: number, error: LinkError) => void
  /** Another server may answer by now; told only where `continuity` is not `bound`. */
  readonly onDoubt: () => void
  /** Nothing comes any more. Told once, unless the channel was closed from this side. */
  readonly onEnd: (error: LinkError) => void
}

export type OpenChannel = (events: ChannelEvents) => Channel
