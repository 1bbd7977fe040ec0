import { largeAnswer } from "@byleave/core"
import type { ApiService } from "../service.ts"

const defaultKeepAliveMs = 15_000
/** A reader that is so many bytes behind is let go; it comes back where it stopped. */
const mostUnread = 1024 * 1024

/** Begins to tell: `data` is one line of JSON. Rejecting ends the stream, as `end` does. */
export type Teller = (send: (data: string, id?: number) => void, ended: AbortSignal, end: () => void) => Promise<void>

/** A response of server-sent events, kept alive, ended when its reader leaves, falls behind, or the server closes. */
export function eventStream(service: ApiService, request: Request, tell: Teller): Response {
  const gone = AbortSignal.any([request.signal, service.closing])
  const headers = { "content-type": "text/event-stream", "x-accel-buffering": "no" }
  return new Response(streamOf(service, service.unread.senderOf(request), gone, tell), { headers })
}

function streamOf(service: ApiService, sender: string, gone: AbortSignal, tell: Teller): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const over = new AbortController()
  const ended = AbortSignal.any([gone, over.signal])
  return new ReadableStream<Uint8Array>(
    {
      start: async (controller) => {
        const fallBehind = (): void => {
          controller.error(new Error("The reader fell behind."))
          over.abort()
        }
        const answer = {
          principal: sender,
          bytes: () => mostUnread - (controller.desiredSize ?? mostUnread),
          breakOff: fallBehind,
        }
        const write = (text: string): void => {
          if (ended.aborted) return
          const bytes = encoder.encode(text)
          if (bytes.length <= (controller.desiredSize ?? 0)) {
            controller.enqueue(bytes)
            if (answer.bytes() <= largeAnswer) return
            service.unread.open(answer)
            service.unread.makeRoom(sender, 0, "any")
            return
          }
          // Nothing is kept for somebody who does not read.
          fallBehind()
        }
        const beat = setInterval(() => write(": still here\n\n"), service.keepAliveMs ?? defaultKeepAliveMs)
        ended.addEventListener("abort", () => {
          clearInterval(beat)
          service.unread.close(answer)
          closeQuietly(controller)
        })
        write("retry: 1000\n\n")
        try {
          const send = (data: string, id?: number): void =>
            write(`${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`)
          await tell(send, ended, () => over.abort())
        } catch (error) {
          service.onTrouble?.(error)
          over.abort()
        }
      },
      cancel: () => over.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
  )
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch {
    // The reader has gone already; there is nobody to tell.
  }
}
