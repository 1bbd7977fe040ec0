/**
 * The response to one POST: plain JSON as long as nothing but the reply was said, else a stream of events that ends with it.
 * A batch has several replies and ends with the last.
 */
import type { Message, ResponseMessage } from "../wire/message.ts"
import { sseFrame } from "../wire/sse-frame.ts"
import { writeMessage } from "../wire/write-message.ts"
import type { FrontResponse } from "./front-message.ts"
import { eventStreamHeaders, sendJson } from "./http-answer.ts"
import type { KeepAlive } from "./keep-alive.ts"
import { type EventLog, logEvent, primingFrame } from "./legacy/event-log.ts"
import type { ReplyStream } from "./reply-stream.ts"
import { largeReply } from "./unread-replies.ts"

export type PostStreamParts = {
  readonly response: FrontResponse
  readonly keepAlive: KeepAlive
  /** How many replies end it; null for one message that was not in a batch. */
  readonly batch: number | null
  readonly statusOf: (reply: ResponseMessage) => number
  /** The last reply was given, also where nobody is left to read it. */
  readonly onReplied?: () => void
  /** Told of each request in it that waits for a person from then on. */
  readonly waits: () => void
  /** Whether a large message of so many characters may be written, with all that its reader has not read. */
  readonly fits: (characters: number) => boolean
  /** Makes the log of a stream that can be resumed; absent where the era has no such streams. */
  readonly newLog?: () => { readonly log: EventLog; readonly prime: boolean }
  /** The connection is over. `delivered`: everything up to the last reply was handed to it. */
  readonly onClose: (delivered: boolean, log: EventLog | null) => void
  readonly onEnd?: (log: EventLog) => void
}

// A client that reads nothing while its server says much is let go rather than remembered.
const mostUnread = 16 * 1024 * 1024

export function openPostStream(parts: PostStreamParts): ReplyStream {
  const { response, keepAlive } = parts
  const replies: ResponseMessage[] = []
  let left = parts.batch ?? 1
  let log: EventLog | null = null
  let isOpen = false
  let isOver: boolean | null = null
  let tell: ((delivered: boolean) => void) | null = null
  response.on("close", () => {
    if (isOpen) keepAlive.remove(response)
    if (log?.live === response) log.live = null
    isOver = left === 0 && response.writableFinished
    tell?.(isOver)
    parts.onClose(isOver, log)
  })
  return {
    delivered: () =>
      new Promise((resolve) => {
        if (isOver === null) tell = resolve
        else resolve(isOver)
      }),
    keepOpen: open,
    waits: () => {
      open()
      parts.waits()
    },
    say: (message) => {
      if (left === 0) return
      open()
      write(message)
    },
    reply: (message) => {
      if (left === 0) return
      left--
      if (left === 0) parts.onReplied?.()
      if (isOpen) write(message)
      else replies.push(message)
      if (left === 0) end()
    },
  }

  function open(): void {
    if (isOpen || left === 0 || response.headersSent) return
    isOpen = true
    const made = parts.newLog?.()
    log = made?.log ?? null
    if (!response.destroyed) {
      response.writeHead(200, eventStreamHeaders)
      if (log !== null) log.live = response
      if (made?.prime === true) response.write(primingFrame(made.log))
      else response.flushHeaders()
      keepAlive.add(response)
    }
    for (const reply of replies.splice(0)) write(reply)
  }

  function write(message: Message): void {
    const json = writeMessage(message)
    if (!mayWrite(json)) return
    if (log !== null) {
      logEvent(log, json, !("method" in message))
      return
    }
    if (response.destroyed) return
    response.write(sseFrame(json))
    const unread = response.writableLength
    if (unread > mostUnread || (unread > largeReply && !parts.fits(0))) response.destroy()
  }

  function end(): void {
    if (isOpen) {
      keepAlive.remove(response)
      if (log === null) response.end()
      else {
        log.live?.end()
        parts.onEnd?.(log)
      }
      return
    }
    const [first] = replies
    if (first === undefined) return
    const json = writeMessage(parts.batch === null ? first : replies)
    if (mayWrite(json)) sendJson(response, parts.statusOf(first), json)
  }

  function mayWrite(json: string): boolean {
    if (json.length <= largeReply || parts.fits(json.length)) return true
    response.destroy()
    return false
  }
}
