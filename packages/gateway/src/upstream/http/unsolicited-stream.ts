import { defaultJsonValues } from "@byleave/core"
import type { Setting } from "../upstream-options.ts"
import { sendableEventId } from "./come-back.ts"
import { isEventStream } from "./http-answer.ts"
import type { HttpEndpoint } from "./http-endpoint.ts"
import { readEvents } from "./read-answer.ts"
import { type Received, readReceived } from "./read-received.ts"

export type StreamNeeds = {
  readonly place: HttpEndpoint
  readonly headers: () => Readonly<Record<string, string>>
  readonly setting: Setting
  readonly onMessage: (received: Received) => void
  /** The stream ended, or is open again: messages in between are not known. */
  readonly onBroken: () => void
  /** The server no longer knows the session. */
  readonly onGone: () => void
}

export type KeptStream = { readonly isOpen: () => boolean; readonly stop: () => void }

/** A stream that lasted less counts as a failure. */
const shortMs = 1_000

/** Keeps a legacy server's stream of unsolicited messages open; many servers have none, which is fine. */
export function keepStream(needs: StreamNeeds): KeptStream {
  const { place, setting } = needs
  let stopped = false
  let stop = () => {}
  let lastEventId: string | undefined
  let opened = false
  let isOpen = false
  let retryMs = 1_000
  let failures = 0
  let openedAt = 0

  function again(): void {
    if (stopped) return
    const wait = Math.min(Math.max(retryMs, 100) * 2 ** failures, setting.times.longestBackOffMs)
    const timer = setTimeout(connect, wait).unref()
    stop = () => clearTimeout(timer)
  }

  function connect(): void {
    const resume = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
    stop = place.client.send({
      method: "GET",
      url: place.url,
      headers: { ...needs.headers(), accept: "text/event-stream", ...resume },
      onAnswer: (answer) => {
        if (answer.status === 200 && isEventStream(answer)) {
          if (opened) needs.onBroken()
          opened = true
          isOpen = true
          openedAt = setting.now()
          readEvents(answer, setting, { onEvent, onRetry, onClose: closed })
          return
        }
        answer.discard()
        if (stopped || !opened) return
        if (answer.status === 404) needs.onGone()
        else if (answer.status >= 500) failAndWait()
      },
      onFail: failAndWait,
    })
  }

  function closed(): void {
    isOpen = false
    // A stream that ends as soon as it is open counts as one that could not be opened.
    failures = setting.now() - openedAt < shortMs ? Math.min(failures + 1, 10) : 0
    if (!stopped) needs.onBroken()
    again()
  }

  function failAndWait(): void {
    failures = Math.min(failures + 1, 10)
    again()
  }

  function onEvent(event: { readonly id: string | undefined; readonly data: string }): void {
    if (stopped) return
    if (event.id !== undefined) lastEventId = sendableEventId(event.id)
    if (event.data === "") return
    const read = readReceived(event.data, setting.maxMessageBytes, defaultJsonValues)
    if (read.ok) for (const received of read.received) needs.onMessage(received)
  }

  function onRetry(ms: number): void {
    retryMs = ms
  }

  connect()
  return {
    isOpen: () => isOpen,
    stop: () => {
      stopped = true
      stop()
    },
  }
}
