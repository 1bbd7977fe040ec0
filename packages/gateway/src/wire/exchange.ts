import type { JsonObject } from "@byleave/core"
import type { Caller } from "./caller.ts"
import type { Ask, Notice, Reply } from "./message.ts"
import type { Signal } from "./signal.ts"

/**
 * One request on its way through the relay, and the two ways back to whoever made it besides the reply.
 * The front makes it; the relay answers it; an upstream's words about it come back through it.
 */
export type Exchange = {
  readonly caller: Caller
  /** Modern envelope keys are still in `params._meta`; ids are the carriers' affair. */
  readonly ask: Ask
  /** Headers a modern client sent that mirror arguments (`Mcp-Param-*`); the relay, which knows the schema, checks them. Null where there are no headers, as on stdio. */
  readonly paramHeaders: ReadonlyMap<string, string> | null
  /** Progress and log lines about this request. Progress carries the token its caller gave, put back by the relay. */
  readonly notify: (notice: Notice) => void
  /** A server asks its client something while this request runs: sent as a request (legacy) or as input required (modern). */
  readonly inquire: (ask: Ask) => Promise<Reply>
  /** The caller withdrew: `notifications/cancelled`, or a modern stream that was closed. */
  readonly withdrawn: Signal
  /** A legacy connection broke without a cancellation: nobody is there to be told, though the request stands. */
  readonly dropped: Signal
  /** Keeps the response open from now on: headers go out and keep-alive comments follow until the reply. */
  readonly keepOpen: () => void
  /**
   * Whether the reply was handed to the caller's connection, once that is known: true when all of it was flushed, false when the connection
   * ended before. Asked at most once, only for calls that were held, and before the reply is given. Absent: what is replied is received.
   */
  readonly delivered?: () => Promise<boolean>
}

/** What stands behind one path of the front: one server, or all of them. */
export type Backend = {
  /** What `initialize` and `server/discover` say: capabilities, serverInfo, instructions, as the server gave them. */
  readonly hello: (caller: Caller) => Promise<Hello>
  readonly handle: (exchange: Exchange) => Promise<Reply>
  /** `notifications/…` from the client that are not about a request in flight, such as roots that changed. */
  readonly note: (caller: Caller, notice: Notice) => Promise<void>
  /** Everything a server says that belongs to no request, for as long as the conversation listens. */
  readonly attend: (caller: Caller, attendance: Attendance) => Promise<() => void>
  /** The conversation is over (DELETE, end of stdin, its time is up): frees what was kept for it. */
  readonly leave: (caller: Caller) => Promise<void>
}

export type Attendance = {
  readonly notify: (notice: Notice) => void
  readonly inquire: (ask: Ask) => Promise<Reply>
  /** What a modern subscription named; absent for a legacy conversation, which hears of every list. */
  readonly wants?: {
    readonly lists: ReadonlySet<"tools" | "prompts" | "resources">
    readonly resources: ReadonlySet<string>
  }
}

export type Hello = {
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject
  readonly instructions?: string
  /** The protocol revision agreed with a legacy caller. */
  readonly version: string
  /** Other members the server sent with its hello (`_meta`, and what we do not know). */
  readonly more: JsonObject
}
