import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** Where to break a connection: when a message has come from the client, or when the server has answered it. */
export type Cut = "before COMMIT arrives" | "after COMMIT is done"

/** A wire to a PostgreSQL server that tests can cut. */
export type CutProxy = {
  readonly url: string
  /** Cuts the next connection that comes to this point, once. */
  readonly cutNext: (cut: Cut) => void
  /** Cuts everything and lets nobody in until `restore`. */
  readonly sever: () => void
  readonly restore: () => void
  /** Called whenever a cut has been made. */
  readonly onCut: (then: () => void) => void
  readonly close: () => Promise<void>
}

export async function openCutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let severed = false
  let next: Cut | null = null
  let afterCut = (): void => {}

  const server = createServer((client) => {
    if (severed) return client.destroy()
    const upstream = connect(Number(port), hostname)
    const cut = (): void => {
      next = null
      client.destroy()
      upstream.destroy()
      afterCut()
    }
    const relay = (from: Socket, to: Socket, fatal: Cut): void => {
      sockets.add(from)
      from.on("data", (chunk) => {
        if (next === fatal && chunk.includes("COMMIT\0")) cut()
        else to.write(chunk)
      })
      from.on("error", () => {})
      from.on("close", () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    relay(client, upstream, "before COMMIT arrives")
    relay(upstream, client, "after COMMIT is done")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")

  const address = server.address()
  const url = new URL(target)
  url.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const sever = (): void => {
    severed = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cutNext: (cut) => {
      next = cut
    },
    sever,
    restore: () => {
      severed = false
    },
    onCut: (then) => {
      afterCut = then
    },
    close: async () => {
      sever()
      server.close()
      await once(server, "close")
    },
  }
}
