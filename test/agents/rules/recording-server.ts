/**
 * `node recording-server.ts CATALOGUE SERVER RECORD`: an MCP server over stdio with the tools that a catalogue gives it. Each call that reaches
 * it is a line of the record, written before it is answered.
 */
import { appendFileSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import type { CatalogueTool } from "./rule-cases.ts"

type Message = { readonly id?: number | string; readonly method?: string; readonly params?: Record<string, unknown> }

const [catalogue = "", server = "", record = ""] = process.argv.slice(2)
const tools = (JSON.parse(readFileSync(catalogue, "utf8")) as readonly CatalogueTool[]).filter(
  (tool) => tool.server === server,
)

const answers: Readonly<Record<string, (params: Record<string, unknown>) => object>> = {
  initialize: ({ protocolVersion }) => ({
    ...{ protocolVersion, capabilities: { tools: {} } },
    serverInfo: { name: "recording", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: tools.map(({ name, description, readOnly }) => ({
      ...{ name, description, inputSchema: { type: "object", properties: { n: { type: "string" } } } },
      annotations: { readOnlyHint: readOnly },
    })),
  }),
  "tools/call": ({ name }) => {
    appendFileSync(record, `${JSON.stringify({ server, tool: name })}\n`)
    return { content: [{ type: "text", text: "It ran." }] }
  },
}

createInterface(process.stdin).on("line", (line) => {
  const { id, method = "", params = {} } = JSON.parse(line) as Message
  if (id === undefined) return
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
  const said =
    answer === undefined
      ? { error: { code: -32601, message: `There is no ${method} here.` } }
      : { result: answer(params) }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`)
})
