import type { IncomingMessage } from "node:http"

/** An answer whose head has come. The receiver says at once how its body is used: read or discarded. */
export type HttpAnswer = {
  readonly status: number
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined
  readonly read: (reader: BodyReader) => void
  readonly discard: () => void
  /** Nothing more of it is read until `resume`, but for what has come already. */
  readonly pause: () => void
  readonly resume: () => void
  /** Ends the connection; the reader hears that it closed. */
  readonly destroy: () => void
}

export type BodyReader = {
  readonly onChunk: (chunk: Buffer) => void
  /** Nothing comes any more. `complete`: because all of it came. */
  readonly onClose: (complete: boolean) => void
}

export function isEventStream(answer: HttpAnswer): boolean {
  return answer.header("content-type")?.startsWith("text/event-stream") === true
}

/** The same of node:http's client. */
export function answerOf(message: IncomingMessage): HttpAnswer {
  message.on("error", () => {})
  return {
    status: message.statusCode ?? 0,
    header: (name) => {
      const value = message.headers[name]
      return typeof value === "string" ? value : undefined
    },
    read: (reader) => {
      message.on("data", reader.onChunk)
      message.on("close", () => reader.onClose(message.complete))
    },
    discard: () => void message.resume(),
    pause: () => void message.pause(),
    resume: () => void message.resume(),
    destroy: () => void message.destroy(),
  }
}
