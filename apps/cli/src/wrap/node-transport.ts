/**
 * The gate's transport: a call should not wait for much more than its verdict. Requests go over a lasting connection, once there is
 * one; before, and where the service has none, over kept connections of Node's own HTTP client, as do large requests.
 *
 * The credential goes to a service that has proved to be ours. Once a connection has failed, whoever listens there now has proved nothing:
 * the service is looked for again, perhaps at another address.
 */
import { Agent, type IncomingMessage, request } from "node:http"
import { request as requestSafely, Agent as SafeAgent } from "node:https"
import { type GateTransport, gatePaths, lineNameHeader, lineReader } from "@byleave/api"
import { type GateSocket, lineHeaders, openGateSocket } from "./gate-socket.ts"

type Address = { readonly url: string; readonly token: string }

export type NodeTransportOptions = Address & {
  /** Looks for the service again; null when there is none. Without it, the address stays what it is. */
  readonly again?: () => Promise<Address | null>
  /** Whether `again` starts a service that is gone. */
  readonly isBroughtBack?: () => boolean
}

type Options = NonNullable<Parameters<GateTransport["post"]>[2]>
type Answer = ReturnType<GateTransport["get"]>

/** Longer texts do not hold up others: the service takes no line of more than a megabyte. */
const mostOnLine = 256 * 1024

export type NodeTransport = GateTransport & {
  /** Resolves once there is a connection that stands, or it is known that there will be none. */
  readonly connected: () => Promise<void>
  readonly close: () => void
}

export function nodeTransport(options: NodeTransportOptions): NodeTransport {
  let way: Way | null = null
  let looking: Promise<Way> | undefined
  let isClosed = false
  const drop = (used: Way): void => {
    if (way !== used) return
    way = null
    // Other requests under way there may still end well.
    used.line?.retire()
  }
  const take = (address: Address): Way => {
    const opened = openWay(address)
    opened.lineOpened = openGateSocket(askForLine(opened), () => drop(opened)).then((line) => {
      opened.line = line
      if (isClosed) line?.destroy()
      else if (way !== opened) line?.retire()
    })
    way = opened
    return opened
  }
  const look = async (): Promise<Way> => {
    const found = options.again === undefined ? options : await options.again()
    if (found === null) throw new Error("The service was not found.")
    return take(found)
  }
  const found = (): Promise<Way> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const carry = async (method: "GET" | "POST", path: string, body: string | undefined, how: Options = {}): Answer => {
    const used = way ?? (await found())
    try {
      const { line } = used
      const fits = line !== null && body !== undefined && body.length <= mostOnLine && how.signal === undefined
      return await (fits ? line.post(path, body, how) : send(used, method, path, body, how))
    } catch (cause) {
      if (how.signal?.aborted !== true) drop(used)
      throw cause
    }
  }
  take(options)
  return {
    post: (path, body, how) => carry("POST", path, body, how),
    get: (path, how) => carry("GET", path, undefined, how),
    isBroughtBack: () => options.isBroughtBack?.() === true,
    connected: async () => (way ?? (await found())).lineOpened,
    close: () => {
      isClosed = true
      way?.line?.destroy()
      way?.agent.destroy()
    },
  }
}

type Way = {
  readonly send: typeof request
  readonly agent: Agent
  readonly target: { readonly protocol: string; readonly hostname: string; readonly port: string }
  readonly authorization: string
  /** Null until it stands, and where the service has none. */
  line: GateSocket | null
  lineOpened: Promise<void>
}

function openWay({ url, token }: Address): Way {
  const { protocol, hostname, port } = new URL(url)
  const isSafe = protocol === "https:"
  return {
    send: isSafe ? requestSafely : request,
    agent: isSafe ? new SafeAgent({ keepAlive: true }) : new Agent({ keepAlive: true }),
    target: { protocol, hostname: hostname.replace(/^\[(.*)\]$/, "$1"), port },
    authorization: `Bearer ${token}`,
    line: null,
    lineOpened: Promise.resolve(),
  }
}

function askForLine(way: Way): ReturnType<typeof request> {
  const headers = { ...lineHeaders, authorization: way.authorization }
  const outgoing = way.send({ ...way.target, agent: way.agent, method: "GET", path: gatePaths.line, headers })
  outgoing.setNoDelay(true)
  return outgoing
}

function send(way: Way, method: string, path: string, body: string | undefined, { onLine, signal }: Options): Answer {
  const headers: Record<string, string | number> = { authorization: way.authorization }
  if (way.line?.name !== undefined) headers[lineNameHeader] = way.line.name
  if (body !== undefined) {
    headers["content-type"] = "application/json"
    headers["content-length"] = Buffer.byteLength(body)
  }
  const asked = { ...way.target, agent: way.agent, method, path, headers, ...(signal ? { signal } : {}) }
  return new Promise((resolve, reject) => {
    const outgoing = way.send(asked, (incoming) => void readAnswer(incoming, onLine).then(resolve, reject))
    outgoing.setNoDelay(true)
    outgoing.on("error", reject)
    outgoing.end(body)
  })
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
    incoming.on("close", () => reject(new Error("The service's response was cut off.")))
  })
}
