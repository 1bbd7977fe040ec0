import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"

/** Connections that become something else. Unwanted upgrades are answered as if they had not been requested. */
export type Upgrades = {
  readonly isWanted: (request: IncomingMessage) => boolean
  readonly take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Takes wanted upgrades, and returns how to end them. A Node that would hand over every upgrade, wanted or not, is asked for none. */
export function takeUpgrades(server: Server, upgrades: Upgrades): { readonly closeAll: () => void } {
  const taken = new Set<Duplex>()
  if ("shouldUpgradeCallback" in server) {
    server.on("upgrade", (request, socket, head) => {
      taken.add(socket)
      socket.on("close", () => taken.delete(socket))
      upgrades.take(request, socket, head)
    })
  }
  return {
    closeAll: () => {
      for (const socket of taken) socket.destroy()
    },
  }
}
