import { type JsonObject, quoted, textAt } from "@byleave/core"
import { abilitiesForServer, clientForServer } from "../../wire/client-for-server.ts"
import { methodRow } from "../../wire/methods/methods.ts"
import { isLegacyVersion } from "../../wire/versions.ts"
import { clientOf, peerRequest, type UpstreamConnection } from "../connection.ts"
import { LinkError, type LinkFor, type LinkRequest } from "../link.ts"
import { createListeners } from "../listeners.ts"
import type { Peer, PeerRequest } from "../peer.ts"
import type { Setting } from "../upstream-options.ts"
import { mustBeShort } from "./hello-limit.ts"
import { askLegacy } from "./speak-era.ts"

/** Opens a legacy conversation: `initialize`, and what both sides agree on. Closes the peer when that fails. */
export async function openLegacy(
  peer: Peer,
  wanted: LinkFor,
  setting: Setting,
  needs: { readonly timeoutMs: number | undefined; readonly onEnd: (error: LinkError) => void },
): Promise<UpstreamConnection> {
  try {
    const hello = await sayHello(peer, wanted, setting)
    const version = textAt(hello, "protocolVersion") ?? ""
    if (!isLegacyVersion(version)) throw unknownVersion(version)
    const listeners = createListeners(setting.times.coalesceMs, peer.guard)
    peer.use({
      onNotice: listeners.tell,
      onInquiry: listeners.ask,
      standing: listeners.standing,
      onUnclear: ({ method }) =>
        setting.log(
          `${setting.id}: it asked something (${method}) while requests of several sessions were under way on its connection. Nobody was asked: it cannot be told whose question it is.`,
        ),
      mayAsk: (method) => declares(wanted.abilities, method),
      passes: (form, method) => methodRow("server", form, method, version) !== undefined,
      owned: wanted.owner !== null,
      onDoubt: listeners.doubt,
      onEnd: (error) => {
        needs.onEnd(error)
        listeners.end()
      },
    })
    peer.agreed(version)
    await peer.notify({ method: "notifications/initialized" })
    return {
      era: "legacy",
      version,
      hello,
      listeners,
      request: (carried) => peer.request(legacyRequest(carried, needs.timeoutMs)),
      notify: peer.notify,
      want: () => {},
      inFlight: peer.inFlight,
      continuity: peer.continuity,
      close: peer.close,
    }
  } catch (error) {
    peer.close().catch(() => {})
    throw error
  }
}

async function sayHello(peer: Peer, wanted: LinkFor, setting: Setting): Promise<JsonObject> {
  const capabilities = abilitiesForServer("legacy", wanted.abilities)
  const params = { protocolVersion: wanted.version, capabilities, clientInfo: clientForServer(clientOf(wanted)) }
  const reply = await peer.request({ ask: { method: "initialize", params }, timeoutMs: setting.times.helloMs })
  if (reply.kind === "result") return mustBeShort(reply.result)
  const { code, message } = reply.error
  throw new LinkError("unreachable", `The server refused to begin (${code}). It said: ${quoted(message)}`)
}

function unknownVersion(version: string): LinkError {
  return new LinkError(
    "unreachable",
    `The server speaks a revision of MCP that is not known here: ${JSON.stringify(version)}.`,
  )
}

/** A server may ask only for what was declared, for all who share its connection. */
function declares(abilities: JsonObject, method: string): boolean {
  return Object.hasOwn(abilities, method.slice(0, Math.max(0, method.indexOf("/"))))
}

/** Most are what the peer takes, as they are. */
function legacyRequest(carried: LinkRequest, timeoutMs: number | undefined): PeerRequest {
  const ask = askLegacy(carried.ask)
  const isAsItIs = ask === carried.ask && (carried.timeoutMs !== undefined || timeoutMs === undefined)
  return isAsItIs ? carried : { ...peerRequest(carried, timeoutMs), ask }
}
