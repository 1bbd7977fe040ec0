/** Finds out which era a server speaks, remembers it for a while, and opens conversations in it. */
import type { JsonObject } from "@byleave/core"
import type { GatewayServer } from "../gateway.ts"
import type { Era } from "../wire/caller.ts"
import { methodRow } from "../wire/methods/methods.ts"
import { newestModern } from "../wire/versions.ts"
import type { OpenChannel } from "./channel.ts"
import type { UpstreamConnection } from "./connection.ts"
import { openLegacy } from "./era/legacy-connection.ts"
import { type ModernConnection, openModern } from "./era/modern-connection.ts"
import { probeEra } from "./era/probe-era.ts"
import { httpChannel } from "./http/http-channel.ts"
import { createHttpClient } from "./http/http-client.ts"
import { type HttpEndpoint, httpEndpoint } from "./http/http-endpoint.ts"
import { statusOf } from "./http/http-status.ts"
import { openSse } from "./http/sse-channel.ts"
import type { LinkError, LinkFor } from "./link.ts"
import { createPeer, type Peer } from "./peer.ts"
import { startStdio } from "./stdio/stdio-channel.ts"
import type { Setting } from "./upstream-options.ts"

export type Dialer = {
  /** Known, or found out now; several who ask at once share the question. */
  readonly era: () => Promise<Era>
  /** The era found, if it still holds; null if the server must be asked. */
  readonly known: () => Era | null
  /** The era found last, for information only. */
  readonly lastFound: () => Era | null
  readonly open: (wanted: LinkFor, onEnd: (error: LinkError | null) => void) => Promise<UpstreamConnection>
  /** The era found may no longer hold. */
  readonly forget: () => void
  readonly close: () => Promise<void>
}

type Found = { readonly era: Era; readonly at: number }
type Modern = { readonly peer: Peer; readonly hello: JsonObject; readonly connections: Set<ModernConnection> }

export function createDialer(server: GatewayServer, setting: Setting): Dialer {
  const { transport } = server
  const client = createHttpClient(setting)
  const place = transport.kind === "stdio" ? null : httpEndpoint(transport, client)
  let found: Found | null = null
  let last: Era | null = null
  let finding: Promise<Era> | null = null
  let modern: Modern | null = null
  // The child that was asked for its era and turned out to be legacy serves the first connection.
  let spare: Peer | null = null
  let oldest = transport.kind === "sse"
  // Every conversation that was begun, so that none outlives us, whatever became of it.
  const begun = new Set<Peer>()

  function begin(channel: OpenChannel, cancelByNotice: boolean): Peer {
    for (const peer of begun) if (peer.ended() !== null) begun.delete(peer)
    const peer = createPeer(channel, cancelByNotice)
    begun.add(peer)
    return peer
  }

  function known(): Era | null {
    if (found === null || setting.now() - found.at > setting.times.eraMs) return null
    return found.era === "modern" && modern?.peer.ended() !== null ? null : found.era
  }

  async function find(): Promise<Era> {
    if (transport.kind === "sse") return learn("legacy")
    const peer = begin(await probeChannel(), transport.kind === "stdio")
    const hello = await probeEra(peer, setting.times.probeMs).catch(async (error: unknown) => {
      await peer.close()
      throw error
    })
    if (hello !== null) return learnModern(peer, hello)
    if (transport.kind === "stdio" && peer.ended() === null) spare = peer
    else await peer.close()
    return learn("legacy")
  }

  function learn(era: Era): Era {
    found = { era, at: setting.now() }
    last = era
    return era
  }

  function learnModern(peer: Peer, hello: JsonObject): Era {
    const next: Modern = { peer, hello, connections: new Set() }
    modern = next
    peer.use({
      onNotice: () => {},
      onInquiry: () => null,
      standing: () => null,
      onUnclear: () => {},
      mayAsk: () => false,
      passes: (form, method) => methodRow("server", form, method, newestModern) !== undefined,
      owned: false,
      onDoubt: () => {
        for (const { listeners } of next.connections) listeners.doubt()
      },
      onEnd: () => {
        for (const connection of [...next.connections]) connection.lost()
      },
    })
    return learn("modern")
  }

  function probeChannel(): Promise<OpenChannel> | OpenChannel {
    return transport.kind === "stdio" ? startStdio(transport, setting) : httpChannel(at(place), "modern", setting)
  }

  async function legacyPeer(): Promise<Peer> {
    if (transport.kind !== "stdio") {
      return begin(oldest ? await openSse(at(place), setting) : httpChannel(at(place), "legacy", setting), true)
    }
    const asked = spare
    spare = null
    return asked !== null && asked.ended() === null ? asked : begin(await startStdio(transport, setting), true)
  }

  async function openInLegacy(wanted: LinkFor, onEnd: (error: LinkError) => void): Promise<UpstreamConnection> {
    const needs = { timeoutMs: server.timeoutMs, onEnd }
    try {
      return await openLegacy(await legacyPeer(), wanted, setting, needs)
    } catch (error) {
      if (transport.kind !== "http" || oldest || !mayBeOldest.has(statusOf(error) ?? 0)) throw error
      const channel = await openSse(at(place), setting).catch(() => null)
      if (channel === null) throw error
      oldest = true
      return openLegacy(begin(channel, true), wanted, setting, needs)
    }
  }

  function openInModern(shared: Modern, wanted: LinkFor, onEnd: (error: LinkError | null) => void): UpstreamConnection {
    const connection = openModern(shared.peer, shared.hello, wanted, setting, {
      timeoutMs: server.timeoutMs,
      onEnd: () => {
        shared.connections.delete(connection)
        onEnd(shared.peer.ended())
      },
    })
    shared.connections.add(connection)
    return connection
  }

  async function era(): Promise<Era> {
    const now = known()
    if (now !== null) return now
    finding ??= find().finally(() => {
      finding = null
    })
    return finding
  }

  return {
    era,
    known,
    lastFound: () => last,
    open: async (wanted, onEnd) => {
      const speaks = await era()
      return speaks === "modern" && modern !== null ? openInModern(modern, wanted, onEnd) : openInLegacy(wanted, onEnd)
    },
    forget: () => {
      found = null
    },
    close: async () => {
      found = null
      await Promise.allSettled([...begun].map((peer) => peer.close()))
      begun.clear()
      spare = null
      modern = null
      client.close()
    },
  }
}

// How a server of the oldest transport meets a POST to its address.
const mayBeOldest: ReadonlySet<number> = new Set([400, 404, 405])

function at(place: HttpEndpoint | null): HttpEndpoint {
  if (place === null) throw new Error("A child process has no address.")
  return place
}
