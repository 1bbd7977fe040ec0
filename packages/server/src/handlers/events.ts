/**
 * The stream of what becomes true. A reader that comes back with the last number it saw gets everything after it, once, in
 * order: live events are listened to first and history is read up to them.
 */
import type { EventView } from "@byleave/api"
import type { StoreEvent } from "@byleave/core"
import type { ApiService } from "../service.ts"
import { opaqueKey } from "../show/session-key.ts"
import { eventsAfter } from "./events-after.ts"
import type { Handler } from "./handler.ts"

const defaultKeepAliveMs = 15_000
/** A reader this far behind is let go; it comes back where it stopped. */
const mostUnread = 10_000

export const events: Handler<"events"> = async (service, { request, query }) => {
  const told = request.headers.get("last-event-id")
  const after = told !== null && /^\d{1,15}$/.test(told) ? Number(told) : query?.after
  const gone = AbortSignal.any([request.signal, service.closing])
  const headers = { "content-type": "text/event-stream", "x-accel-buffering": "no" }
  return new Response(streamOf(service, after, gone), { headers })
}

function streamOf(service: ApiService, after: number | undefined, gone: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const over = new AbortController()
  const ended = AbortSignal.any([gone, over.signal])
  return new ReadableStream<Uint8Array>(
    {
      start: async (controller) => {
        const send = (text: string): void => {
          if (ended.aborted) return
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text))
          else over.abort()
        }
        const beat = setInterval(() => send(": still here\n\n"), service.keepAliveMs ?? defaultKeepAliveMs)
        ended.addEventListener("abort", () => {
          clearInterval(beat)
          closeQuietly(controller)
        })
        send("retry: 1000\n\n")
        try {
          await eventsAfter(service.store, after, ended, (event) => {
            const view = viewOf(service, event)
            if (view !== null) send(`id: ${view.seq}\ndata: ${JSON.stringify(view)}\n\n`)
          })
        } catch (error) {
          service.onTrouble?.(error)
          over.abort()
        }
      },
      cancel: () => over.abort(),
    },
    { highWaterMark: mostUnread },
  )
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch {
    // The reader has gone already; there is nobody to tell.
  }
}

/** Sessions by their opaque key; documents not at all, whose ids may be other people's secrets, save the names and facts of sessions. */
function viewOf(service: ApiService, { type, subject, seq, at }: StoreEvent | EventView): EventView | null {
  if (type === "mode.changed" || type === "session.ended") {
    return { seq, type, subject: opaqueKey(subject, service.hasher), at }
  }
  if (type !== "document.changed") return { seq, type, subject, at }
  const [kind = "", key = ""] = subject.split("/", 2)
  const told = sessionEvents.get(kind)
  return told === undefined ? null : { seq, type: told, subject: key, at }
}

const sessionEvents = new Map([
  ["label", "session.named"],
  ["session", "session.seen"],
])
