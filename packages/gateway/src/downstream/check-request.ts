/**
 * The checks on every request before anything in it is read.
 *
 * I1. A Host that is not ours, by name or by port, is answered nothing: a rebound name is a foreign page.
 * I2. A page of an Origin that is not ours is answered nothing, also one that hides where it comes from.
 * I3. Only what says it is JSON is read: a page can send other types without asking.
 * I4. Of two Hosts neither is believed: whoever passed the request on may have gone by the other.
 */
import type { FrontRequest, FrontResponse } from "./front-message.ts"
import { refuse } from "./http-answer.ts"

/** False when the request was refused. A browser page of another site reaches us only through a foreign Host or Origin. */
export function comesFromHere(
  request: Pick<FrontRequest, "headers"> & { readonly rawHeaders?: readonly string[] },
  response: FrontResponse,
  hosts: ReadonlySet<string>,
  origins: ReadonlySet<string>,
): boolean {
  // Requests from the fast path have no raw headers: each of their headers occurs once.
  if (request.rawHeaders !== undefined && namesTwoHosts(request.rawHeaders)) {
    refuse(response, 400, "The request has more than one Host. Send one.", { connection: "close" })
    return false
  }
  if (!isKnownHost(request.headers.host, hosts)) {
    refuse(response, 403, "This Host is not served here. Use the address the service printed when it started.")
    return false
  }
  const { origin } = request.headers
  if (origin !== undefined && !origins.has(origin)) {
    refuse(response, 403, "Pages of this Origin may not call. Add it to the allowed origins if it should.")
    return false
  }
  return true
}

/** `headers`: names and values in turn, as node gives them. */
export function namesTwoHosts(headers: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1
  }
  return hosts > 1
}

const hostForm = /^(\[[0-9a-f:.]+\]|[^[\]:/@\s]+)(?::(\d{1,5}))?$/

function isKnownHost(header: string | undefined, hosts: ReadonlySet<string>): boolean {
  if (header === undefined) return false
  if (hosts.has(header)) return true
  const match = hostForm.exec(header.toLowerCase())
  if (match?.[1] === undefined) return false
  const [, name, port] = match
  // Port 80 is what http means without one.
  if (port === undefined) return hosts.has(name) || hosts.has(`${name}:80`)
  return hosts.has(`${name}:${port}`) || (port === "80" && hosts.has(name))
}

export function isJsonContent(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\s*(?:;|$)/i.test(contentType.trim())
}

/** Whether an Accept header takes this type. Without one nothing is taken: the protocol asks for it. */
export function accepts(header: string | undefined, type: "application/json" | "text/event-stream"): boolean {
  if (header === undefined) return false
  if (header.includes(type) && !header.includes("q=0")) return true
  const family = `${type.slice(0, type.indexOf("/"))}/*`
  return header.split(",").some((part) => {
    const [range = "", ...params] = part.split(";").map((piece) => piece.trim().toLowerCase())
    return (
      (range === type || range === family || range === "*/*") && !params.some((param) => /^q=0(?:\.0*)?$/.test(param))
    )
  })
}
