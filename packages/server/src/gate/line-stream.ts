/** An answer whose lines arrive as things happen. Empty lines keep the connection alive in between. */
export type LineStream = {
  readonly response: Response
  readonly write: (value: object) => void
  readonly end: () => void
}

export function lineStream(keepAliveMs: number, gone: AbortSignal): LineStream {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const send = (text: string): void => controller?.enqueue(encoder.encode(text))
  const end = (): void => {
    clearInterval(timer)
    const open = controller
    controller = undefined
    if (!gone.aborted) open?.close()
  }
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened
      timer = setInterval(() => send("\n"), keepAliveMs)
      send("\n")
    },
    cancel: () => {
      clearInterval(timer)
      controller = undefined
    },
  })
  gone.addEventListener("abort", end, { once: true })
  const response = new Response(body, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  })
  return { response, write: (value) => send(`${JSON.stringify(value)}\n`), end }
}
