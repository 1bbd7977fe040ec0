import { Agent, type IncomingMessage, request } from "node:http"
import { request as requestSafely, Agent as SafeAgent } from "node:https"
import { type GateTransport, lineReader } from "@byleave/api"

export type NodeTransportOptions = { readonly url: string; readonly token: string }

/** The gate's transport over kept connections of Node's own HTTP client: a call should not wait for much more than its verdict. */
export function nodeTransport({ url, token }: NodeTransportOptions): GateTransport & { readonly close: () => void } {
  const base = new URL(url)
  const isSafe = base.protocol === "https:"
  const agent = isSafe ? new SafeAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const send = isSafe ? requestSafely : request
  const carry = (
    method: "GET" | "POST",
    path: string,
    body: string | undefined,
    { onLine, signal }: NonNullable<Parameters<GateTransport["get"]>[1]> = {},
  ): ReturnType<GateTransport["get"]> =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { authorization: `Bearer ${token}` }
      if (body !== undefined) {
        headers["content-type"] = "application/json"
        headers["content-length"] = Buffer.byteLength(body)
      }
      const outgoing = send(
        new URL(path, base),
        { method, agent, headers, ...(signal ? { signal } : {}) },
        (incoming) => {
          readAnswer(incoming, onLine).then(resolve, reject)
        },
      )
      outgoing.setNoDelay(true)
      outgoing.on("error", reject)
      outgoing.end(body)
    })
  return {
    post: (path, body, options) => carry("POST", path, body, options),
    get: (path, options) => carry("GET", path, undefined, options),
    close: () => agent.destroy(),
  }
}

function readAnswer(
  incoming: IncomingMessage,
  onLine: ((line: string) => void) | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  const status = incoming.statusCode ?? 0
  const isStream = onLine !== undefined && status === 200
  const pieces: string[] = []
  const take = isStream ? lineReader(onLine) : (piece: string) => void pieces.push(piece)
  return new Promise((resolve, reject) => {
    incoming.setEncoding("utf8")
    incoming.on("data", take)
    incoming.on("error", reject)
    incoming.on("end", () => resolve({ status, text: pieces.join("") }))
    incoming.on("close", () => reject(new Error("The service's answer broke off.")))
  })
}
