/** A request and its response as the front sees them, read from the connection by node's own server or by the fast path. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { RequestId } from "../wire/message.ts"

/** A message that has come and has not begun: all of it is still to arrive, or it waits. */
export type ComingMessage = {
  /** Whether a request of it, by its id, was cancelled since it came. */
  readonly isCancelled: (id: RequestId) => boolean
  /** It has begun, or never will. */
  readonly done: () => void
}

export type Arrived = {
  readonly method: "POST"
  readonly url: string
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bytes: Buffer
  /** Where its head came before the rest of it. */
  readonly coming?: ComingMessage | null
}

/** `coming`: where its head came to the fast path, which left the rest of it to node. */
export type NodeRequest = IncomingMessage & { coming?: ComingMessage }

export type FrontRequest = NodeRequest | Arrived

/** The members of a response that the front uses. Node's response has them. */
export type FrontResponse = {
  readonly headersSent: boolean
  readonly destroyed: boolean
  /** `end` was called: nothing more may be written, though not everything may have left yet. */
  readonly writableEnded: boolean
  /** Everything was handed to the system. */
  readonly writableFinished: boolean
  readonly writableLength: number
  writeHead(status: number, headers?: Readonly<Record<string, string | number>>): unknown
  flushHeaders(): void
  write(text: string): unknown
  end(text?: string): unknown
  destroy(): unknown
  /** `close`: it is over, finished or with its connection gone. `error`: told before a `close`, and fatal to the process where nobody listens. */
  on(event: "close" | "error", listener: () => void): unknown
}
