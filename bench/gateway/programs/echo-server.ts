import { createServer, type IncomingMessage, type Server } from "node:http"
import { performance } from "node:perf_hooks"

const tool = {
  name: "echo",
  description: "Echoes back the input string",
  inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
}

type Asked = {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly message?: string } }
}

/** A server with an echo tool and nothing else, which says when a call reached it. */
export async function startEcho(onCall: (message: string, at: number) => void = () => {}): Promise<{
  readonly url: string
  readonly server: Server
}> {
  const server = createServer(async (incoming, response) => {
    const at = performance.now()
    if (incoming.method !== "POST") return void response.writeHead(405).end()
    const asked = JSON.parse(await textOf(incoming)) as Asked
    if (asked.id === undefined) return void response.writeHead(202).end()
    const message = asked.params?.arguments?.message ?? ""
    if (asked.method === "tools/call") onCall(message, at)
    const answer = { jsonrpc: "2.0", id: asked.id, ...answerTo(asked, message) }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/mcp`, server }
}

function answerTo({ method, params }: Asked, message: string): object {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: params?.protocolVersion ?? "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "echo", version: "1.0.0" },
        },
      }
    case "tools/list":
      return { result: { tools: [tool] } }
    case "tools/call":
      return { result: { content: [{ type: "text", text: `Echo: ${message}` }] } }
    default:
      return { error: { code: -32601, message: "Method not found" } }
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk
  return text
}
