import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/mcp-client"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { anasReview, checkStep, oneStep, openGate } from "./open-gate.ts"

const server = { command: process.execPath, args: [`${import.meta.dirname}/files-server.ts`] }
const info = { name: "example", version: "1.0.0" }

/** A program that speaks MCP itself, with the client of either SDK, before a real server process. */
export async function mcpClient(): Promise<void> {
  const client = new Client(info)
  await client.connect(new StdioClientTransport(server))
  await tell(client)
  await client.close()

  const older = new OlderClient(info)
  await older.connect(new OlderTransport(server))
  await tell(older as unknown as Client)
  await older.close()
  console.log("mcp-client: allowed, denied, approved, edited, not waited for, with either client; the audit verifies")
}

async function tell(client: Client): Promise<void> {
  const { gate, runs, reviewWith, answer, waiting, close } = await openGate()
  reviewWith(anasReview)
  const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1" }

  const files = gated(client, options)
  const { tools } = await files.listTools()
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), ["delete_file", "read_file", "runs", "write_file"])
  const results = await Promise.all(oneStep.map(([name, args]) => files.callTool({ name, arguments: { ...args } })))

  // The server is asked past the gate what really ran.
  const said = await client.callTool({ name: "runs", arguments: {} })
  runs.push(...JSON.parse(textOf(said)))
  checkStep(results.map(textOf), runs)
  assert.deepEqual(
    results.map(({ isError }) => isError === true),
    [false, true, false, true, false],
  )

  const impatient = gated(client, { ...options, wait: false })
  const later = { name: "write_file", arguments: { path: "later.md" } }
  const ticket = await impatient.callTool(later)
  assert.partialDeepStrictEqual(ticket, {
    requiresPermission: true,
    isError: false,
    permissionRequest: { toolName: "write_file", serverName: "files", permissionType: "tool" },
  })
  const [held] = await waiting()
  assert(held !== undefined)
  await answer(held, {})
  assert.match(textOf(await impatient.callTool(later)), /later.md.* is done/)
  await close()
}

function textOf({ content }: object & { readonly content?: unknown }): string {
  return (content as Array<{ text?: string }>).map(({ text = "" }) => text).join("\n")
}
