/** A program between people and their service: it answers for it, and may change what either side says. */
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

export type Exchanged = {
  readonly method: string
  readonly path: string
  /** What was answered, where it was JSON. */
  readonly answer: unknown
}

export type Meddling = {
  /** Another path and query for what is sent on; undefined: as it came. */
  readonly path?: (path: string) => string | undefined
  /** Another text for what is sent on; undefined: as it came. */
  readonly request?: (path: string, body: string) => string | undefined
  /** Another answer; undefined: as it came. */
  readonly answer?: (exchanged: Exchanged) => unknown
}

export type ProxyBefore = {
  readonly url: string
  readonly port: number
  /** What it does from now on; nothing at first. */
  readonly meddle: (how: Meddling) => void
  /** Paths that were asked for, in their order. */
  readonly asked: readonly string[]
  readonly close: () => Promise<void>
}

export async function openProxyBefore(
  target: () => string,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<ProxyBefore> {
  let how: Meddling = {}
  const asked: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    const sent = await textOf(incoming)
    const path = incoming.url ?? "/"
    asked.push(`${incoming.method} ${path}`)
    const body = how.request?.(path, sent) ?? sent
    const sentPath = how.path?.(path) ?? path
    const to = new URL(target())
    const headers = { ...incoming.headers, host: to.host, "content-length": String(Buffer.byteLength(body)) }
    delete headers["accept-encoding"]
    const passed = request(
      { host: to.hostname, port: to.port, method: incoming.method, path: sentPath, headers },
      async (answered) => {
        if (!String(answered.headers["content-type"]).includes("json")) {
          outgoing.writeHead(answered.statusCode ?? 502, answered.headers)
          answered.pipe(outgoing)
          return
        }
        const text = await textOf(answered)
        const changed = how.answer?.({ method: incoming.method ?? "", path, answer: JSON.parse(text) })
        const said = changed === undefined ? text : JSON.stringify(changed)
        const { "content-length": _, "transfer-encoding": __, ...rest } = answered.headers
        outgoing.writeHead(answered.statusCode ?? 502, { ...rest, "content-length": Buffer.byteLength(said) }).end(said)
      },
    )
    passed.on("error", () => outgoing.destroy())
    outgoing.on("close", () => passed.destroy())
    passed.end(body)
  })
  server.listen(port, host)
  await once(server, "listening")
  const at = (server.address() as AddressInfo).port
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${at}`,
    port: at,
    asked,
    meddle: (next) => {
      how = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces).toString("utf8")
}
