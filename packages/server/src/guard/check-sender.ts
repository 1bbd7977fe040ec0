import { type Refused, refuse } from "../refused.ts"

/** A page of another origin, or a name rebound to this address, is nobody we answer. */
export function checkSender(
  request: Request,
  hosts: ReadonlySet<string>,
  origins: ReadonlySet<string>,
): Refused | null {
  const host = (request.headers.get("host") ?? new URL(request.url).host).toLowerCase()
  if (!hosts.has(host)) {
    return refuse("foreign-host", "This service does not answer to that name. Use the address it printed at its start.")
  }
  const origin = request.headers.get("origin")
  if (origin !== null && !origins.has(origin)) {
    return refuse("foreign-origin", "Pages of other origins may not ask this service anything.")
  }
  return null
}
