/** An answer whose lines arrive as things happen. Empty lines keep the connection alive in between. */
export type LineStream = {
  readonly response: Response
  readonly write: (value: object) => void
  readonly end: () => void
  /** The bytes that were written and that nobody has read. */
  readonly unread: () => number
  /** Ends it at once: what is unread is lost. */
  readonly breakOff: () => void
}

/** Its queue is empty when nothing is unread. */
const countingBytes = { highWaterMark: 0, size: (bytes?: Uint8Array) => bytes?.byteLength ?? 0 }

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
  const breakOff = (): void => {
    clearInterval(timer)
    controller?.error(new Error("The reader was too slow."))
    controller = undefined
  }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start: (opened) => {
      controller = opened
      timer = setInterval(() => send("\n"), keepAliveMs)
      send("\n")
    },
    cancel: () => {
      clearInterval(timer)
      controller = undefined
    },
  }
  const body = new ReadableStream(source, countingBytes)
  gone.addEventListener("abort", end, { once: true })
  const response = new Response(body, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  })
  const write = (value: object): void => send(`${JSON.stringify(value)}\n`)
  return { response, write, end, unread: () => -(controller?.desiredSize ?? 0), breakOff }
}
