/** The same response, whose body ends once nothing has come for so long: a line that is dead without saying so is let go. */
export function endWhenSilent(response: Response, silentMs: number): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await within(reader.read(), silentMs, () => void reader.cancel())
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

/** Cancelling a reader ends the read that hangs on it. */
async function within<Value>(work: Promise<Value>, ms: number, onLate: () => void): Promise<Value> {
  const timer = setTimeout(onLate, ms)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
