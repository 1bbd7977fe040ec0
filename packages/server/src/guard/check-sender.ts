/**
 * Whom the service answers.
 *
 * I1. A name that is not ours is answered nothing: a rebound one is a foreign page. Where a request's target names a host as well, that
 *     must be ours, too.
 * I2. A page of another origin is answered nothing, also one that hides its own.
 * I3. An extension is heard no further than its device's key takes it: with a proof, at the API alone, and never with a token.
 */
import { type RefusedRequest, refuse } from "../refused.ts"
import { isExtensionOrigin } from "./extension-origin.ts"

export type RequestOrigin = {
  readonly host: string
  /** The host of its target, where that is told apart. */
  readonly target?: string
  readonly origin: string | null
}

export function senderOf({ headers, url }: Request): RequestOrigin {
  const target = new URL(url).host
  return { host: headers.get("host") ?? target, target, origin: headers.get("origin") }
}

/** A page of another origin, or a name rebound to this address, is nobody we answer. */
export function checkSender(
  { host, target = host, origin }: RequestOrigin,
  hosts: ReadonlySet<string>,
  origins: ReadonlySet<string>,
): RefusedRequest | null {
  if (!hosts.has(host.toLowerCase()) || !hosts.has(target.toLowerCase())) {
    return refuse("foreign-host", "This service does not use that host name. Use the address it printed at startup.")
  }
  if (origin !== null && !origins.has(origin)) {
    return refuse("foreign-origin", "Requests from other origins are not allowed.")
  }
  return null
}

/** Whether a request of an extension goes on to where its key is looked up: there it must be of a device that a person approved for this very origin. */
export function mayProveItself(request: Request): boolean {
  const { headers, url } = request
  const isApi = new URL(url).pathname.startsWith("/api/")
  return isApi && isExtensionOrigin(headers.get("origin")) && headers.has("dpop") && !headers.has("authorization")
}
