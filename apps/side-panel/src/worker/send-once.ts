/**
 * Requests to a server in a way that Chrome does not repeat by itself.
 *
 * Chrome repeats a request whose connection ends without an answer. A streamed body it cannot send again; but only HTTP/2 and later take one, and on
 * HTTP/1.1 Chrome refuses it before anything is sent. There, the rule in connections.json keeps it from repeating.
 *
 * I1. A call is handed to Chrome once: streamed, unless the server was found not to take that.
 * I2. How a server takes requests is found out by those that may be repeated, such as the first of a connection.
 */
type Send = (url: string | URL, init?: RequestInit) => Promise<Response>

/** For the requests of one connection. */
export function createSendOnce(send: Send): Send {
  let way: "unknown" | "streamed" | "whole" = "unknown"
  return async (url, init = {}) => {
    const { body } = init
    if (typeof body !== "string" || new URL(url).protocol !== "https:" || way === "whole") return send(url, init)
    if (way === "streamed" || !mayBeRepeated(body)) return send(url, streamed(init, body))
    const tried = await send(url, streamed(init, body)).catch((error: unknown) => {
      if (!(error instanceof TypeError) || init.signal?.aborted === true) throw error
      return null
    })
    if (tried?.ok === true) {
      way = "streamed"
      return tried
    }
    // HTTP/1.1, or a server that wants to know a body's length, or one that refuses this request in either way.
    void tried?.body?.cancel()
    const response = await send(url, init)
    if (response.status !== tried?.status) way = "whole"
    return response
  }
}

const repeatable: ReadonlySet<unknown> = new Set(["initialize", "server/discover", "tools/list", "ping"])

function mayBeRepeated(body: string): boolean {
  try {
    return repeatable.has((JSON.parse(body) as { readonly method?: unknown }).method)
  } catch {
    return false
  }
}

function streamed(init: RequestInit, body: string): RequestInit {
  return { ...init, body: new Blob([body]).stream(), duplex: "half" } as RequestInit
}
