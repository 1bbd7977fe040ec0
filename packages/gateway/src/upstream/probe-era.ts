import type { JsonObject } from "@byleave/core"
import { listAt } from "../wire/members.ts"
import { ownName } from "./connection.ts"
import { statusOf } from "./http-status.ts"
import { LinkError } from "./link.ts"
import { modernHeaders, modernVersion, withEnvelope } from "./modern-envelope.ts"
import type { Peer } from "./peer.ts"

/** Asks a server whether it is modern: what it says of itself, or null when it must be legacy. Fails when it cannot be reached. */
export async function probeEra(peer: Peer, timeoutMs: number): Promise<JsonObject | null> {
  const ask = withEnvelope({ method: "server/discover" }, {}, ownName)
  try {
    const reply = await peer.request({ ask, headers: modernHeaders(ask), timeoutMs })
    if (reply.kind === "error") return null
    return listAt(reply.result, "supportedVersions")?.includes(modernVersion) === true ? reply.result : null
  } catch (error) {
    if (error instanceof LinkError && !saysNothing(error)) return null
    throw error
  }
}

// Not there, or not for us: that tells nothing about its era. Everything else is how legacy servers meet a question they do not know.
function saysNothing(error: LinkError): boolean {
  const status = statusOf(error)
  if (status === undefined) return error.code === "unreachable"
  return status === 401 || status === 403 || (status >= 300 && status < 400)
}
