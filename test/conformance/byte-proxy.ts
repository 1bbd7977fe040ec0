import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Fixture } from "./fixture-server.ts"

/** Forwards bytes and understands nothing: whatever it changes is the fault of the comparison, not of a gateway. */
export async function startByteProxy(upstream: string): Promise<Fixture> {
  const target = new URL(upstream)
  const server = createServer((request, response) => pass(request, response, target))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function pass(request: IncomingMessage, response: ServerResponse, target: URL): void {
  const own = `127.0.0.1:${request.socket.localPort}`
  // The server behind checks Host and Origin against its own address, so ours is put in its place.
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      typeof value === "string" && (name === "host" || name === "origin") ? value.replace(own, target.host) : value,
    ]),
  )
  const { hostname, port, pathname } = target
  const onward = forward({ hostname, port, path: pathname, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
    answer.pipe(response)
  })
  onward.on("error", () => response.destroy())
  response.on("close", () => onward.destroy())
  request.pipe(onward)
}
