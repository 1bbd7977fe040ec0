import type { WireEvent } from "./items.ts"

export type EventStreamOptions = {
  /** How often a comment is sent while nothing else is. */
  readonly keepAliveMs: number
  /** Events up to this number were received before. */
  readonly after?: number
  readonly onTrouble: (trouble: unknown) => void
}

/**
 * Events as SSE, numbered in their order; comments keep it alive while a response is held. Cancelling the body stops the source. Nothing is kept
 * for a reader who does not read: an event may have megabytes.
 */
export function eventStream(
  source: (signal: AbortSignal) => AsyncIterable<WireEvent>,
  { keepAliveMs, after = -1, onTrouble }: EventStreamOptions,
): Response {
  const stop = new AbortController()
  const encoder = new TextEncoder()
  let timer: ReturnType<typeof setInterval> | undefined
  let goOn = (): void => {}
  let isWanted = false
  const tell = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const send = (text: string): void => {
      isWanted = false
      controller.enqueue(encoder.encode(text))
    }
    timer = setInterval(() => {
      if (isWanted) send(": still waiting\n\n")
    }, keepAliveMs)
    let number = 0
    try {
      for await (const event of source(stop.signal)) {
        const { sequence_number: given = number, ...rest } = event
        const sequence_number = Number(given)
        number = sequence_number + 1
        // A client that does not read is not written to.
        while (!isWanted && !stop.signal.aborted) {
          await new Promise<void>((resolve) => {
            goOn = resolve
          })
        }
        if (sequence_number > after) {
          send(`event: ${event.type}\ndata: ${JSON.stringify({ ...rest, sequence_number })}\n\n`)
        }
      }
      send("data: [DONE]\n\n")
      controller.close()
    } catch (error) {
      if (stop.signal.aborted) return
      onTrouble(error)
      controller.error(error)
    } finally {
      clearInterval(timer)
    }
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => void tell(controller),
      pull: () => {
        isWanted = true
        goOn()
      },
      cancel: () => {
        clearInterval(timer)
        stop.abort()
        goOn()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  })
}
