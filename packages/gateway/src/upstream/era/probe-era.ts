import { asObject, type JsonObject, listAt } from "@byleave/core"
import { errorCode } from "../../wire/errors.ts"
import type { Reply } from "../../wire/message.ts"
import { newestModern } from "../../wire/versions.ts"
import { ownName } from "../connection.ts"
import { statusOf } from "../http/http-status.ts"
import { modernHeaders } from "../http/modern-headers.ts"
import { LinkError } from "../link.ts"
import type { Peer } from "../peer.ts"
import { mustBeShort } from "./hello-limit.ts"
import { type Asker, askModern } from "./speak-era.ts"

/** Asks a server whether it is modern: what it says of itself, or null when it must be legacy. Fails when it cannot be reached. */
export async function probeEra(peer: Peer, timeoutMs: number): Promise<JsonObject | null> {
  const hello = await discovered(peer, timeoutMs)
  return hello === null ? null : mustBeShort(hello)
}

async function discovered(peer: Peer, timeoutMs: number): Promise<JsonObject | null> {
  try {
    const first = await discover(peer, timeoutMs)
    const reply = invitesAgain(first) ? await discover(peer, timeoutMs) : first
    if (reply.kind === "error") return null
    return listAt(reply.result, "supportedVersions")?.includes(newestModern) === true ? reply.result : null
  } catch (error) {
    if (error instanceof LinkError && !saysNothing(error)) return null
    throw error
  }
}

function discover(peer: Peer, timeoutMs: number): Promise<Reply> {
  const self: Asker = { era: "modern", client: ownName, abilities: {} }
  const ask = askModern({ method: "server/discover" }, self, newestModern, ownName)
  return peer.request({ ask, headers: modernHeaders(ask), timeoutMs })
}

// A server that refuses the version and lists it all the same is modern, and is asked once more.
function invitesAgain(reply: Reply): boolean {
  if (reply.kind !== "error" || reply.error.code !== errorCode.unsupportedVersion) return false
  return listAt(asObject(reply.error.data), "supported")?.includes(newestModern) === true
}

// Not there, or not for us: that tells nothing about its era. Everything else is how legacy servers meet a question they do not know.
function saysNothing(error: LinkError): boolean {
  const status = statusOf(error)
  if (status === undefined) return error.code === "unreachable"
  return status === 401 || status === 403 || (status >= 300 && status < 400)
}
