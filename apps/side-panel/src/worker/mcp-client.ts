/**
 * The requests that the worker sends to an MCP server.
 *
 * I1. A call is sent once, whatever the server answers: the library would send some again, after a new list of tools or with answers to questions.
 * I2. A server's schemas are not run: a pattern of its own could keep the worker busy for ever.
 * I3. A list of tools takes a bounded time, and bounded room.
 */
import type { JsonObject, ToolDefinition } from "@byleave/core"
import { Client, ProtocolError, SdkError } from "@modelcontextprotocol/client"
import type { ToolCallData } from "../wire/messages.ts"
import { CallRefused } from "./carry-out.ts"

/** A tool may take its time; the worker is kept alive for it. */
const callMs = 10 * 60_000

type ListLimits = { readonly ms: number; readonly pages: number; readonly tools: number; readonly bytes: number }

const usualListLimits: ListLimits = { ms: 20_000, pages: 20, tools: 1_000, bytes: 2_000_000 }
const mostName = 200

export function newMcpClient(): Client {
  return new Client(
    { name: "byleave-side-panel", version: "0.1.0" },
    {
      capabilities: {},
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  )
}

/** Words for people. */
export class TooLong extends Error {
  override readonly name = "TooLong"
}

/** All tools that a server lists. */
export async function listTools(client: Client, limits = usualListLimits): Promise<readonly ToolDefinition[]> {
  const signal = AbortSignal.timeout(limits.ms)
  const tools: ToolDefinition[] = []
  let cursor: string | undefined
  let bytes = 0
  for (let page = 0; page < limits.pages; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const listed = await client.request({ method: "tools/list", params }, { signal, timeout: limits.ms })
    tools.push(...(listed.tools as unknown as readonly ToolDefinition[]))
    bytes += JSON.stringify(listed.tools).length
    if (listed.tools.some(({ name }) => name.length > mostName))
      throw new TooLong(`The name of one of its tools is too long: more than ${mostName} characters.`)
    if (tools.length > limits.tools || bytes > limits.bytes) break
    if (listed.nextCursor === undefined) return tools
    cursor = listed.nextCursor
  }
  throw new TooLong(`Its list of tools is too long: more than ${limits.tools} tools, ${limits.pages} pages or 2 MB.`)
}

/** `definition`: the listed one, of which the library takes the headers that a call must carry. */
export async function callTool(
  client: Client,
  {
    name,
    args,
    definition,
  }: { readonly name: string; readonly args: JsonObject; readonly definition?: ToolDefinition },
  signal: AbortSignal,
): Promise<ToolCallData> {
  const inputSchema = (definition?.inputSchema ?? { type: "object" }) as { readonly type: "object" }
  try {
    const result = await client.callTool(
      { name, arguments: args as Record<string, unknown> },
      { signal, timeout: callMs, resetTimeoutOnProgress: true, toolDefinition: { name, inputSchema } },
    )
    return result as unknown as ToolCallData
  } catch (error) {
    if (error instanceof ProtocolError) throw new CallRefused(error.message)
    if (error instanceof SdkError && asksForInput.test(error.message)) throw new CallRefused(needsInput)
    throw error
  }
}

const asksForInput = /input_required/
const needsInput = "The server asks for more input before it does this, which the side panel cannot give."
