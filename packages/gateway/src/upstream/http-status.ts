import { LinkError } from "./link.ts"

/** An answer that is no MCP message, as the failure it means for the request. */
export function statusFailure(status: number): LinkError {
  const cause = { status }
  if (status === 401 || status === 403) {
    return new LinkError("unreachable", "The server refused the credentials in its configuration. Correct them.", {
      cause,
    })
  }
  if (notDone.has(status)) {
    return new LinkError("unreachable", `The server refused the request (HTTP ${status}). Check its address.`, {
      cause,
    })
  }
  const doubt = status < 300 ? "accepted the request without answering it" : "failed without an MCP answer"
  return new LinkError("cut-off", `The server ${doubt} (HTTP ${status}). Whether it did anything is not known.`, {
    cause,
  })
}

// By these a server says that it did not take the request on.
const notDone: ReadonlySet<number> = new Set([404, 405, 406, 410, 411, 413, 414, 415, 421, 426, 429, 431])

/** The HTTP status behind a failure, where there was one. */
export function statusOf(error: unknown): number | undefined {
  const cause: unknown = error instanceof LinkError ? error.cause : undefined
  if (typeof cause !== "object" || cause === null || !("status" in cause)) return undefined
  return typeof cause.status === "number" ? cause.status : undefined
}
