import { LinkError } from "../link.ts"

/**
 * An answer that is no MCP message, as the failure it means for the request. `once`: the request may have done something, so that only
 * a status that servers give before they look at a request counts as a refusal.
 */
export function statusFailure(status: number, once: boolean): LinkError {
  const cause = { status }
  const why = refusals.get(status)
  if (why !== undefined) return new LinkError("refused", `The server refused ${why} (HTTP ${status}).`, { cause })
  if (isMissing(status) && !once) {
    return new LinkError("refused", `The server refused the request (HTTP ${status}). Check its address.`, { cause })
  }
  return new LinkError(
    "cut-off",
    `The server ${doubtOf(status)} (HTTP ${status}). Whether it did anything is not known.`,
    {
      cause,
    },
  )
}

const credentials = "the credentials in its configuration"
const request = "the request"

// By these a server says that it did not take the request on.
const refusals: ReadonlyMap<number, string> = new Map([
  [401, credentials],
  [403, credentials],
  ...[405, 406, 411, 413, 414, 415, 421, 426, 431].map((status): [number, string] => [status, request]),
  [429, "the request, as it gets too many"],
])

// By these it says that it knows no such session or address; some say so of what a call looked for, after they have begun.
function isMissing(status: number): boolean {
  return status === 404 || status === 410
}

function doubtOf(status: number): string {
  if (status < 300) return "accepted the request without answering it"
  return isMissing(status) ? "knows no such session or address and gave no MCP answer" : "failed without an MCP answer"
}

/** The HTTP status behind a failure, where there was one. */
export function statusOf(error: unknown): number | undefined {
  const cause: unknown = error instanceof LinkError ? error.cause : undefined
  if (typeof cause !== "object" || cause === null || !("status" in cause)) return undefined
  return typeof cause.status === "number" ? cause.status : undefined
}
