import { isUtf8 } from "node:buffer"
import { StringDecoder } from "node:string_decoder"
import { createLineFeeds } from "@byleave/core"
import { createParser } from "eventsource-parser"
import { type PausableSource, sharedPauses } from "../source-pace.ts"
import type { Setting } from "../upstream-options.ts"
import type { HttpAnswer } from "./http-answer.ts"
import { largeAnswerBytes } from "./large-answers.ts"

export type AnswerBody =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly tooLarge: boolean }

/** Reads a body whole; not ok when it is larger than the limit or broke off. `onLarge`: told once, when it has become so. */
export function readBody(
  answer: HttpAnswer,
  maxBytes: number,
  onLarge: () => void,
  done: (body: AnswerBody) => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  answer.read({
    onChunk: (chunk) => {
      chunks.push(chunk)
      const before = bytes
      bytes += chunk.length
      if (before <= largeAnswerBytes && bytes > largeAnswerBytes) onLarge()
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
  /** The event that is being read from the source has become large; told once of each. */
  readonly onLarge?: (source: PausableSource) => void
  readonly onRetry?: (ms: number) => void
  /** The stream has ended. `tooLarge`: because an event passed the limit. */
  readonly onClose: (tooLarge: boolean) => void
}

export type ServerEvent = { readonly event: string; readonly id: string | undefined; readonly data: string }

/** Reads a stream of server-sent events. */
export function readEvents(
  answer: HttpAnswer,
  { maxMessageBytes: maxBytes, pace }: Pick<Setting, "maxMessageBytes" | "pace">,
  reader: EventReader,
): void {
  const source = sharedPauses(answer)
  const decode = createDecoder()
  const lineFeeds = createLineFeeds()
  let tooLarge = false
  // Of what came since the last event, to about the size of a chunk.
  let unread = 0
  let events = 0
  const stop = (): void => {
    tooLarge = true
    answer.destroy()
  }
  const parser = createParser({
    maxBufferSize: maxBytes,
    onEvent: ({ event = "", id, data }) => {
      unread = 0
      events += 1
      if (tooLarge) return
      if (data.length > maxBytes) stop()
      else reader.onEvent({ event, id, data })
    },
    onRetry: (ms) => reader.onRetry?.(ms),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") stop()
    },
  })
  answer.read({
    onChunk: (chunk) => {
      if (tooLarge) return
      const before = unread
      unread += chunk.length
      if (before <= largeAnswerBytes && unread > largeAnswerBytes) reader.onLarge?.(source)
      events = 0
      parser.feed(decode(lineFeeds(chunk)))
      pace.came(source, { events, bytes: chunk.length })
    },
    onClose: () => reader.onClose(tooLarge),
  })
}

/** Bytes to text, however they are cut. Most answers are never cut within a character, and need no decoder that remembers. */
function createDecoder(): (chunk: Buffer) => string {
  let decoder: StringDecoder | null = null
  return (chunk) => {
    if (decoder === null && isUtf8(chunk)) return chunk.toString("utf8")
    decoder ??= new StringDecoder("utf8")
    return decoder.write(chunk)
  }
}
