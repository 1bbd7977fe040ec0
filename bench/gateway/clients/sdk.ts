import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { type BenchClient, type ClientOptions, checkEcho, type Endpoint, echoAmong } from "./bench-client.ts"

export async function openSdk(endpoint: Endpoint, { elicitation }: ClientOptions): Promise<BenchClient> {
  const client = new Client(
    { name: "byleave-bench", version: "1.0.0" },
    { capabilities: elicitation ? { elicitation: {} } : {} },
  )
  const transport = transportTo(endpoint)
  await client.connect(transport)
  const listTools = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name)
  const tool = echoAmong(await listTools())
  const pid = transport instanceof StdioClientTransport ? transport.pid : null
  return {
    listTools,
    echo: async (message) =>
      checkEcho(message, (await client.callTool({ name: tool, arguments: { message } })).content),
    ...(pid === null ? {} : { pid }),
    close: () => client.close(),
  }
}

function transportTo(endpoint: Endpoint): StreamableHTTPClientTransport | SSEClientTransport | StdioClientTransport {
  switch (endpoint.transport) {
    case "http":
      return new StreamableHTTPClientTransport(new URL(endpoint.url))
    case "sse":
      return new SSEClientTransport(new URL(endpoint.url))
    case "stdio":
      return new StdioClientTransport({
        command: process.execPath,
        args: [endpoint.file, ...endpoint.args],
        ...(endpoint.env === undefined ? {} : { env: { ...endpoint.env } }),
        stderr: "ignore",
      })
  }
}
