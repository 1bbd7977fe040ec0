import { type IncomingMessage, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { gatePaths, gateProtocol, lineNameHeader } from "@byleave/api"
import type { Server } from "@byleave/server"
import { lineWriter } from "../../terminal/line-writer.ts"
import type { Upgrades } from "./upgrades.ts"

/** Connections of programs that stand open to the gate. Any other upgrade is left to plain HTTP. */
export function gateSockets(line: Server["line"], onTrouble: (trouble: unknown) => void): Upgrades {
  return {
    isWanted: ({ method, url, headers }) =>
      method === "GET" && url === gatePaths.line && headers.upgrade === gateProtocol,
    take: (request, socket, head) => {
      // Before anything else: a connection that breaks meanwhile must not take the service along.
      socket.on("error", () => socket.destroy())
      open(line, request, socket, head, onTrouble).catch((trouble: unknown) => {
        onTrouble(trouble)
        socket.destroy()
      })
    },
  }
}

async function open(
  line: Server["line"],
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onTrouble: (trouble: unknown) => void,
): Promise<void> {
  const { host = "", origin = null, authorization = "" } = request.headers
  const opened = await line({ host, origin, authorization })
  if (opened instanceof Response) return refuse(opened, socket)
  if (socket.destroyed) return
  const headers = ["Connection: Upgrade", `Upgrade: ${gateProtocol}`, `${lineNameHeader}: ${opened.name}`]
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join("\r\n")}\r\n\r\n`)
  const { write, flush } = lineWriter(socket)
  const end = (): void => {
    flush()
    socket.end()
  }
  const unread = (): number => socket.writableLength
  const { take, gone } = opened.open({ write, end, later, unread, breakOff: () => socket.destroy() })
  // A program whose lines cannot be processed must not end the connections of others.
  socket.on("data", (bytes: Buffer) => {
    try {
      take(bytes)
    } catch (trouble) {
      onTrouble(trouble)
      socket.destroy()
    }
  })
  socket.on("end", () => socket.end())
  socket.on("close", gone)
  if (head.length > 0) take(head)
}

/** Two turns on: in the next, what has arrived is committed and answered. */
const later = (work: () => void): void => void setImmediate(setImmediate, work)

async function refuse(response: Response, socket: Duplex): Promise<void> {
  const text = await response.text()
  const headers = [...response.headers, ["connection", "close"], ["content-length", String(Buffer.byteLength(text))]]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  socket.end(`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}\r\n${lines}\r\n${text}`)
}
