/** How a remote gate talks to its service. By `fetch` unless the composition has something leaner. */
export type GateTransport = {
  /**
   * Posts one JSON text, of one line. Rejects when no answer came; `onLine` hears each line of a streamed answer as it arrives. `isLate`:
   * nobody waits for it, so that it may go after what else is to be done now.
   */
  readonly post: (
    path: string,
    body: string,
    options?: {
      readonly onLine?: (line: string) => void
      readonly signal?: AbortSignal
      readonly isLate?: boolean
      /** Its answer ends with the connection and not before. */
      readonly isOpenEnded?: boolean
    },
  ) => Promise<{ readonly status: number; readonly text: string }>
  readonly get: (
    path: string,
    options?: { readonly onLine?: (line: string) => void; readonly signal?: AbortSignal },
  ) => Promise<{ readonly status: number; readonly text: string }>
  /** Whether a service that cannot be reached is started again without a person. Absent: it is not. */
  readonly isBroughtBack?: () => boolean
}

export type FetchTransportOptions = {
  readonly url: string
  readonly token: string
  readonly fetch: typeof fetch
}

export function fetchTransport({ url, token, fetch }: FetchTransportOptions): GateTransport {
  const headers = { authorization: `Bearer ${token}` }
  return {
    post: async (path, body, { onLine, signal } = {}) => {
      const request = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body }
      return readAnswer(await fetch(new URL(path, url), signal ? { ...request, signal } : request), onLine)
    },
    get: async (path, { onLine, signal } = {}) =>
      readAnswer(await fetch(new URL(path, url), signal ? { headers, signal } : { headers }), onLine),
  }
}

async function readAnswer(
  response: Response,
  onLine: ((line: string) => void) | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  if (onLine === undefined || !response.ok || response.body === null) {
    return { status: response.status, text: await response.text() }
  }
  const lines = lineReader(onLine)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    lines(value)
  }
  return { status: response.status, text: "" }
}

/** Cuts text that arrives in pieces into lines; empty ones, which only keep a connection alive, are dropped. */
export function lineReader(onLine: (line: string) => void): (text: string) => void {
  let rest = ""
  return (text) => {
    const parts = (rest + text).split("\n")
    rest = parts.pop() ?? ""
    for (const part of parts) if (part.trim() !== "") onLine(part)
  }
}
