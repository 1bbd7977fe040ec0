/**
 * The wrap's end of a connection that stands: see packages/server/src/gate/gate-line.ts for what is said over it.
 *
 * When it ends, everything asked over it has broken off: nothing is asked twice by itself.
 */
import type { ClientRequest } from "node:http"
import type { Duplex } from "node:stream"
import { type GateTransport, gateProtocol, lineNameHeader, lineReader } from "@byleave/api"
import { lineWriter } from "../terminal/line-writer.ts"

type PostOptions = NonNullable<Parameters<GateTransport["post"]>[2]>
type Answer = Awaited<ReturnType<GateTransport["post"]>>

export type GateSocket = {
  /** The name that the service gave it; absent: an older one gives none. */
  readonly name: string | undefined
  readonly post: GateTransport["post"]
  /** Ends it once nothing is under way. */
  readonly retire: () => void
  readonly destroy: () => void
}

type Asked = {
  readonly isOpenEnded: boolean
  readonly onLine: PostOptions["onLine"]
  readonly resolve: (answer: Answer) => void
  readonly reject: (why: Error) => void
}

/** The headers that ask for one. */
export const lineHeaders = { connection: "Upgrade", upgrade: gateProtocol }

/** Resolves once the connection stands; null when the service knows no such thing. `onEnd`: it stood, and has ended. */
export function openGateSocket(outgoing: ClientRequest, onEnd: () => void): Promise<GateSocket | null> {
  return new Promise((resolve) => {
    outgoing.on("upgrade", ({ headers }, socket, head) => {
      const { [lineNameHeader]: name } = headers
      resolve(lineOver(socket, head, typeof name === "string" ? name : undefined, onEnd))
    })
    outgoing.on("response", (incoming) => {
      incoming.resume()
      resolve(null)
    })
    outgoing.on("error", () => resolve(null))
    outgoing.end()
  })
}

const answerLine = /^(\d+) (\.|\d{3}) (.*)$/s

function lineOver(socket: Duplex, head: Buffer, name: string | undefined, onEnd: () => void): GateSocket {
  const asked = new Map<number, Asked>()
  const { write } = lineWriter(socket)
  let last = 0
  let isRetired = false
  const endIfIdle = (): void => {
    if (isRetired && [...asked.values()].every(({ isOpenEnded }) => isOpenEnded)) socket.destroy()
  }
  const hear = lineReader((line) => {
    const [, number, what, text = ""] = answerLine.exec(line) ?? []
    const one = asked.get(Number(number))
    if (one === undefined) return
    if (what === ".") return one.onLine?.(text)
    asked.delete(Number(number))
    one.resolve({ status: Number(what), text })
    endIfIdle()
  })
  const decoder = new TextDecoder()
  socket.on("data", (bytes: Buffer) => hear(decoder.decode(bytes, { stream: true })))
  socket.on("error", () => socket.destroy())
  socket.on("end", () => socket.destroy())
  socket.on("close", () => {
    onEnd()
    for (const { reject } of asked.values()) reject(new Error("The connection to the service was lost."))
    asked.clear()
  })
  if (head.length > 0) hear(decoder.decode(head, { stream: true }))
  return {
    name,
    post: (path, body, { onLine, isLate = false, isOpenEnded = false } = {}) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error("The connection to the service was closed."))
        const number = ++last
        asked.set(number, { isOpenEnded, onLine, resolve, reject })
        write(`${number} ${path} ${body}\n`, isLate)
      }),
    retire: () => {
      isRetired = true
      endIfIdle()
    },
    destroy: () => socket.destroy(),
  }
}
