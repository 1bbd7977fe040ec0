import { type BenchClient, type ClientOptions, checkEcho, type Endpoint, echoAmong } from "./bench-client.ts"
import { leanHttp } from "./lean-http.ts"
import { leanSse } from "./lean-sse.ts"
import { leanStdio } from "./lean-stdio.ts"

/** A reply as far as anyone looks at it. */
export type Reply = {
  readonly id?: number
  readonly result?: { readonly content?: unknown; readonly tools?: ReadonlyArray<{ readonly name: string }> }
  readonly error?: unknown
}

/** A way to send messages: text out, the reply to its id back. */
export type LeanWire = {
  readonly request: (id: number, method: string, params: string, name?: string) => Promise<Reply>
  readonly notify: (method: string) => Promise<void>
  /** Called once the conversation stands. */
  readonly listen?: () => Promise<void>
  readonly pid?: number
  readonly close: () => Promise<void>
}

export async function openLean(endpoint: Endpoint, options: ClientOptions): Promise<BenchClient> {
  const wire = await wireTo(endpoint, options)
  let lastId = 0
  const ask = async (method: string, params: string, name?: string): Promise<NonNullable<Reply["result"]>> => {
    const reply = await wire.request(++lastId, method, params, name)
    if (reply.result === undefined) throw new Error(`${method} failed: ${JSON.stringify(reply)}`)
    return reply.result
  }
  if (options.kind === "lean") await greet(ask, wire, options)
  const listTools = async (): Promise<readonly string[]> =>
    ((await ask("tools/list", "{}")).tools ?? []).map(({ name }) => name)
  const tool = echoAmong(await listTools())
  const head = `{"name":${JSON.stringify(tool)},"arguments":{"message":`
  return {
    listTools,
    echo: async (message) => {
      const { content } = await ask("tools/call", `${head}${JSON.stringify(message)}}}`, tool)
      checkEcho(message, content)
    },
    ...(wire.pid === undefined ? {} : { pid: wire.pid }),
    close: wire.close,
  }
}

async function greet(
  ask: (method: string, params: string) => Promise<unknown>,
  wire: LeanWire,
  { elicitation }: ClientOptions,
): Promise<void> {
  const capabilities = elicitation ? { elicitation: {} } : {}
  const clientInfo = { name: "byleave-bench", version: "1.0.0" }
  await ask("initialize", JSON.stringify({ protocolVersion: "2025-11-25", capabilities, clientInfo }))
  await wire.notify("notifications/initialized")
  if (elicitation) await wire.listen?.()
}

async function wireTo(endpoint: Endpoint, { kind, sockets = 4 }: ClientOptions): Promise<LeanWire> {
  switch (endpoint.transport) {
    case "http":
      return leanHttp(endpoint.url, kind === "lean-modern", sockets)
    case "sse":
      return await leanSse(endpoint.url)
    case "stdio":
      return leanStdio(endpoint)
  }
}
