/**
 * The events of one stream of a legacy conversation, kept for a client whose connection broke and who comes back naming the last
 * event it saw. Bounded: what is older than the newest few is lost to it, but never the reply.
 */
import { sseFrame, ssePriming } from "../../wire/sse-frame.ts"
import type { FrontResponse } from "../front-message.ts"
import { largeReply } from "../unread-replies.ts"

const mostEvents = 64
const mostCharacters = 256 * 1024
/** A client that reads nothing is let go; what it missed is bounded like everything kept here. */
const mostUnread = 16 * 1024 * 1024
/** How soon a client is to come back; each reconnection is cheap. */
const retryMs = 1_000

export type EventLog = {
  readonly name: string
  /** Of the newest event. */
  last: number
  readonly kept: Array<{ readonly at: number; readonly frame: string }>
  characters: number
  /** Where events go now; null while the connection is broken. */
  live: FrontResponse | null
  /** Set when nothing more will come. */
  endedAt: number | null
  /** Whether its client may leave this much unread, beside what it leaves unread elsewhere. */
  readonly mayLag: MayLag
}

export type MayLag = (response: FrontResponse) => boolean

export function newEventLog(name: string, mayLag: MayLag): EventLog {
  return { name, last: 0, kept: [], characters: 0, live: null, endedAt: null, mayLag }
}

export function primingFrame(log: EventLog): string {
  return ssePriming(`${log.name}-${log.last}`, retryMs)
}

/** Keeps an event and sends it to the listeners. `isReply`: it is kept however large it is. */
export function logEvent(log: EventLog, json: string, isReply: boolean): void {
  log.last++
  const frame = sseFrame(json, `${log.name}-${log.last}`)
  log.kept.push({ at: log.last, frame })
  log.characters += frame.length
  const least = isReply ? 1 : 0
  while (log.kept.length > least && (log.kept.length > mostEvents || log.characters > mostCharacters)) {
    log.characters -= log.kept.shift()?.frame.length ?? 0
  }
  const { live } = log
  if (live === null || live.writableEnded) return
  live.write(frame)
  const unread = live.writableLength
  if (unread > mostUnread || (unread > largeReply && !log.mayLag(live))) live.destroy()
}

export function framesAfter(log: EventLog, seen: number): string {
  return log.kept
    .filter(({ at }) => at > seen)
    .map(({ frame }) => frame)
    .join("")
}

export function parseEventId(text: string): { readonly name: string; readonly seen: number } | undefined {
  const match = /^([A-Za-z0-9]{1,40})-(\d{1,15})$/.exec(text)
  return match?.[1] === undefined ? undefined : { name: match[1], seen: Number(match[2]) }
}
