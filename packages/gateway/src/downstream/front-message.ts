/** A request and its response as the front sees them, whoever took them from the connection: node's own, or the fast path. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"

export type Arrived = {
  readonly method: "POST"
  readonly url: string
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bytes: Buffer
}

export type FrontRequest = IncomingMessage | Arrived

/** What the front uses of a response. Node's is one. */
export type FrontResponse = {
  readonly headersSent: boolean
  readonly destroyed: boolean
  /** Everything was handed to the system. */
  readonly writableFinished: boolean
  readonly writableLength: number
  writeHead(status: number, headers?: Readonly<Record<string, string | number>>): unknown
  flushHeaders(): void
  write(text: string): unknown
  end(text?: string): unknown
  destroy(): unknown
  /** It is over: finished, or its connection is gone. */
  on(event: "close", listener: () => void): unknown
}
