import type { JsonObject } from "@byleave/core"
import type { Caller } from "./caller.ts"
import type { Ask, Notice, Reply, RpcError } from "./message.ts"
import { progressTokenOf } from "./progress-token.ts"
import type { Signal } from "./signal.ts"

/**
 * `until`: aborts once the question can be about nothing any more. With it the question may be about more than the request during which it is put: it stays
 * open as long as its client can answer it. Without it, it ends with the request.
 */
export type Inquire = (ask: Ask, until?: Signal) => Promise<Reply>

/** Whom a running request is told and asked about. `isThere`: whether somebody could be asked now; absent: somebody is there while the request runs. */
export type Audience = Pick<Exchange, "notify" | "inquire"> & { readonly isThere?: (() => boolean) | undefined }

/**
 * One request on its way through the relay, and the two ways back to whoever made it besides the reply.
 * The front makes it; the relay answers it; an upstream's words about it come back through it.
 */
export type Exchange = {
  readonly caller: Caller
  /** Modern envelope keys are still in `params._meta`; ids are the carriers' affair. Once it is let go, its method and its progress token alone. */
  readonly ask: Ask
  /** The exchange that this one is made of, with another request or caller. */
  readonly of?: Exchange
  /** Headers a modern client sent that mirror arguments (`Mcp-Param-*`); the relay, which knows the schema, checks them. Null where there are no headers, as on stdio. */
  readonly paramHeaders: ReadonlyMap<string, string> | null
  /** Progress and log lines about this request. Progress carries the token its caller gave, put back by the relay. */
  readonly notify: (notice: Notice) => void
  /** A server asks its client something while this request runs: sent as a request (legacy) or as input required (modern). */
  readonly inquire: Inquire
  /** The caller withdrew: `notifications/cancelled`, or a modern stream that was closed. */
  readonly withdrawn: Signal
  /** A legacy connection broke without a cancellation: nobody is there to be told, though the request stands. */
  readonly dropped: Signal
  /** Whether the caller is gone for good, as a client whose pipe has ended: its held calls are withdrawn, and nothing more begins. Absent: it may come back. */
  readonly isGone?: (() => boolean) | undefined
  /** Whether the credential it came with was revoked since: it is withdrawn for that, and not by its caller. */
  readonly isRevoked?: (() => boolean) | undefined
  /** Told of the approval that it waits for, or runs by; absent: nobody wants to know. */
  readonly onHeld?: ((approval: string) => void) | undefined
  /** A person is to decide: the response stays open from now on, headers go out and keep-alive comments follow until the reply. */
  readonly keepOpen: () => void
  /**
   * Whether the reply was handed to the caller's connection, once that is known: true when all of it was flushed, false when the connection
   * ended before. Asked at most once, only for calls that were held, and before the reply is given. Absent: what is replied is received.
   */
  readonly delivered?: () => Promise<boolean>
}

/** Whether its caller still waits for a reply, and may have one. */
export function isWanted({
  withdrawn,
  isGone,
  isRevoked,
}: Pick<Exchange, "withdrawn" | "isGone" | "isRevoked">): boolean {
  return !withdrawn.aborted && isGone?.() !== true && isRevoked?.() !== true
}

/** The same request, asked otherwise or by its caller as others see it. */
export function changedExchange(of: Exchange, change: Partial<Pick<Exchange, "ask" | "caller">>): Exchange {
  return { ...of, ...change, of }
}

/**
 * Forgets what was sent, here and in the exchanges that this one is made of: a person decides, which may take days, and what runs then is what the store
 * has. Params as they were parsed take many times the memory of their JSON.
 */
export function letGo(exchange: Exchange): void {
  for (let one: Exchange | undefined = exchange; one !== undefined; one = one.of) forgetAsk(one)
}

function forgetAsk(exchange: { ask: Ask }): void {
  const { method, params } = exchange.ask
  const progressToken = progressTokenOf(params)
  exchange.ask = progressToken === undefined ? { method } : { method, params: { _meta: { progressToken } } }
}

/** `over`: it was ended (DELETE, end of stdin). `idle`: nothing goes on in it, and it may come back. */
export type Leaving = "over" | "idle"

/** The backend of one path of the front: one server, or all of them. */
export type Backend = {
  /** The answer to `initialize` and `server/discover`: capabilities, serverInfo, instructions, as the server gave them. */
  readonly hello: (caller: Caller) => Promise<ServerHello>
  readonly handle: (exchange: Exchange) => Promise<Reply>
  /** `notifications/…` from the client that are not about a request in flight, such as roots that changed. Returns the problem with it, if any. */
  readonly note: (caller: Caller, notice: Notice) => RpcError | null
  /** Everything a server says that belongs to no request, for as long as the conversation listens. Throws `AttendanceRefused`. */
  readonly attend: (caller: Caller, listener: NoticeListener) => Promise<() => void>
  /** Frees the state kept for a conversation. */
  readonly leave: (caller: Caller, why: Leaving) => Promise<void>
}

export type NoticeListener = {
  readonly notify: (notice: Notice) => void
  readonly inquire: (ask: Ask) => Promise<Reply>
  /** False while its connection is broken and its client may come back to it; absent: it ends with its connection. */
  readonly isOpen?: () => boolean
  /** Told which of the resources it wants will be told of, before `attend` resolves; several times, where several servers are attended. */
  readonly granted?: (resources: ReadonlySet<string>) => void
  /** The notifications that a modern subscription named; absent for a legacy conversation, which hears of every list. */
  readonly wants?: {
    readonly lists: ReadonlySet<"tools" | "prompts" | "resources">
    readonly resources: ReadonlySet<string>
  }
}

/** More is to be listened to than may be; its message is for the client. */
export class AttendanceRefused extends Error {
  override readonly name = "AttendanceRefused"
}

export type ServerHello = {
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject
  readonly instructions?: string
  /** The protocol revision agreed with a legacy caller. */
  readonly version: string
  /** Other members the server sent with its hello (`_meta`, and what we do not know). */
  readonly more: JsonObject
}
