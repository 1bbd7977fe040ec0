import type { ToolDefinition } from "@byleave/core"
import type { AdapterOptions } from "./adapter-options.ts"
import { hiddenTools } from "./hidden-tools.ts"

/** An MCP server's tools as the model may be told of them. `tools`: all that the server has, by which the gate pins what each of them says. */
export async function offeredTools<Tool extends ToolDefinition>(
  options: AdapterOptions,
  tools: readonly Tool[],
): Promise<readonly Tool[]> {
  const { gate, server } = options
  await gate.seeTools(server, tools)
  const hidden = await hiddenTools(
    options,
    tools.map(({ name }) => name),
  )
  const offered = tools.filter(({ name }) => !hidden.has(name))
  return (await gate.offeredTools(server, offered)) as readonly Tool[]
}
