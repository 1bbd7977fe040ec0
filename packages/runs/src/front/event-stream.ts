/** A stream of objects as server-sent events that proxies pass on as they come; comments keep the connection alive while there is nothing to say. */
export function eventStream(
  objects: ReadableStream<object>,
  { keepAliveMs = 15_000, headers = {}, last }: EventStreamOptions = {},
): Response {
  const encoder = new TextEncoder()
  const reader = objects.getReader()
  let timer: ReturnType<typeof setInterval> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(encoder.encode(": still here\n\n")), keepAliveMs)
    },
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`))
        clearInterval(timer)
        if (last !== undefined) controller.enqueue(encoder.encode(`data: ${last}\n\n`))
        controller.close()
      } catch (error) {
        clearInterval(timer)
        controller.error(error)
      }
    },
    cancel: async (reason) => {
      clearInterval(timer)
      await reader.cancel(reason)
    },
  })
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      ...headers,
    },
  })
}

type EventStreamOptions = {
  readonly keepAliveMs?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly last?: string
}
