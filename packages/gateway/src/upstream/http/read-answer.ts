import { splitLines } from "../stdio/split-lines.ts"
import type { HttpAnswer } from "./http-answer.ts"

export type AnswerBody =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly tooLarge: boolean }

/** Reads a body whole; not ok when it is larger than the limit or broke off. */
export function readBody(answer: HttpAnswer, maxBytes: number, done: (body: AnswerBody) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  answer.read({
    onChunk: (chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) answer.destroy()
    },
    onClose: (complete) => {
      const tooLarge = bytes > maxBytes
      if (tooLarge || !complete) done({ ok: false, tooLarge })
      else done({ ok: true, text: (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString("utf8") ?? "" })
    },
  })
}

export type EventReader = {
  readonly onEvent: (event: ServerEvent) => void
  readonly onRetry?: (ms: number) => void
  /** The stream has ended. `tooLarge`: because an event passed the limit. */
  readonly onClose: (tooLarge: boolean) => void
}

export type ServerEvent = { readonly event: string; readonly id: string | undefined; readonly data: string }

/** Reads a stream of server-sent events. Each byte is looked at once, however large an event is and however it is cut. */
export function readEvents(answer: HttpAnswer, maxBytes: number, reader: EventReader): void {
  let tooLarge = false
  let event = ""
  let id: string | undefined
  let data: string[] = []
  let size = 0

  function stop(): void {
    tooLarge = true
    answer.destroy()
  }

  function dispatch(): void {
    // An event without data still moves the place from which a broken stream is resumed.
    if (data.length > 0 || id !== undefined) reader.onEvent({ event, id, data: data.join("\n") })
    event = ""
    id = undefined
    data = []
    size = 0
  }

  function onLine(line: string): void {
    if (line === "") dispatch()
    else takeField(line)
  }

  function takeField(line: string): void {
    const colon = line.indexOf(":")
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1)
    if (field === "data") {
      size += value.length + 1
      data.push(value)
      if (size > maxBytes) stop()
    } else if (field === "event") event = value
    else if (field === "id") id = value
    else if (field === "retry" && /^\d{1,9}$/.test(value)) reader.onRetry?.(Number(value))
  }

  const feed = splitLines(maxBytes + 16, (line) => (tooLarge ? undefined : onLine(line)), stop)
  answer.read({
    onChunk: (chunk) => {
      if (!tooLarge) feed(chunk)
    },
    onClose: () => reader.onClose(tooLarge),
  })
}
