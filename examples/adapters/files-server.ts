/** A small MCP server over stdio with the tools of the examples; `runs` says what ran. */
import { McpServer } from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { z } from "zod"

const runs: Array<{ tool: string; args: object }> = []
const server = new McpServer({ name: "files", version: "1.0.0" })
for (const name of ["read_file", "write_file", "delete_file", "admin_reset"]) {
  const inputSchema = z.object({ path: z.string(), text: z.string().optional() })
  server.registerTool(name, { description: name, inputSchema }, async (args) => {
    runs.push({ tool: name, args })
    return { content: [{ type: "text", text: `${name} ${JSON.stringify(args)} is done` }] }
  })
}
server.registerTool("runs", { description: "What ran", inputSchema: z.object({}) }, async () => {
  return { content: [{ type: "text", text: JSON.stringify(runs.splice(0)) }] }
})
await server.connect(new StdioServerTransport())
