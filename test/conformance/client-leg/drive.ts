// Started by the suite with the address of its server: the official client does all that can be done with that server,
// directly or with something in between.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { isObject, type Json, objectAt } from "../fixture/protocol.ts"
import { middleNamed } from "../middles.ts"

const server = process.argv.at(-1) ?? ""
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? ""
const middle = await middleNamed(process.argv.at(-2) ?? "")(server)
const client = new Client(
  { name: "conformance-driver", version: "1.0.0" },
  {
    capabilities: { elicitation: { form: {} } },
    ...(version === "2026-07-28" ? { versionNegotiation: { mode: { pin: version } } } : {}),
  },
)
client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { confirmed: true } }))
await client.connect(new StreamableHTTPClientTransport(new URL(middle.url)))
await useTools()
if (client.getServerCapabilities()?.resources) await useResources()
if (client.getServerCapabilities()?.prompts) await usePrompts()
await client.close()
await middle.close()
process.exit(0)

async function useTools(): Promise<void> {
  const { tools } = await client.listTools()
  const schemas = new Map(tools.map((tool) => [tool.name, tool.inputSchema as Json]))
  for (const call of givenCalls() ??
    [...schemas].map(([name, schema]) => ({ name, arguments: fill(name, schema, schemas) }))) {
    await client.callTool(call).catch((error: unknown) => console.error(call.name, error))
  }
}

async function useResources(): Promise<void> {
  for (const { uri } of (await client.listResources()).resources) {
    await client.readResource({ uri }).catch((error: unknown) => console.error(uri, error))
  }
}

async function usePrompts(): Promise<void> {
  for (const { name } of (await client.listPrompts()).prompts) {
    await client.getPrompt({ name }).catch((error: unknown) => console.error(name, error))
  }
}

/** Some scenarios say which calls they want. */
function givenCalls(): { readonly name: string; readonly arguments: Record<string, unknown> }[] | undefined {
  return JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}").toolCalls
}

function fill(name: string, schema: Json, schemas: ReadonlyMap<string, Json>): Record<string, unknown> {
  if (name === "json_schema_echo") return { schema: schemas.get("json_schema_2020_12_tool") }
  const samples = new Map<unknown, unknown>([
    ["number", 1],
    ["integer", 1],
    ["boolean", true],
  ])
  return Object.fromEntries(
    Object.entries(objectAt(schema, "properties")).map(([key, property]) => [
      key,
      samples.get(isObject(property) ? property.type : undefined) ?? "text",
    ]),
  )
}
