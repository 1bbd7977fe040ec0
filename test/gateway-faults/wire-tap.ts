import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** Stands between a gateway and its server, byte for byte, and tells when a call comes by. */
export type WireTap = {
  readonly url: string
  /** Called once, with the first bytes of the next `tools/call`; `swallow` keeps them from the server. */
  readonly onNextCall: (act: () => "forward" | "swallow") => void
  readonly close: () => Promise<void>
}

export async function tapWire(upstream: string): Promise<WireTap> {
  const { port, pathname } = new URL(upstream)
  const sockets = new Set<Socket>()
  let act: (() => "forward" | "swallow") | null = null
  const server = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1")
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy())
    }
    far.on("data", (chunk) => near.write(chunk)).on("close", () => near.destroy())
    near.on("close", () => far.end())
    near.on("data", (chunk) => {
      if (act !== null && chunk.includes("tools/call")) {
        const next = act
        act = null
        if (next() === "swallow") return void near.pause()
      }
      far.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    onNextCall: (next) => {
      act = next
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
