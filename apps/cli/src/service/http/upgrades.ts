import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"

/** Connections that become something else. Those nobody wants are answered as if they had not asked. */
export type Upgrades = {
  readonly isWanted: (request: IncomingMessage) => boolean
  readonly take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Takes what is wanted, and gives what ends it. A Node that would hand over every upgrade, wanted or not, is asked for none. */
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
