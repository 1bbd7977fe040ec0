import type { Client } from "@byleave/api"
import type { ToolDefinition } from "@byleave/core"
import type { CatalogueTool, ToolUse } from "@byleave/core/compare"
import { reachService } from "../commands/policy/explain-by-service.ts"
import type { Io } from "../io.ts"

/** The tools that servers of the running service list, and the calls it has recorded. */
export type LiveTools = {
  readonly url: string
  /** Only of servers whose tools are known. */
  readonly tools: readonly CatalogueTool[]
  readonly use: ToolUse | null
}

const days = 30
const mostCalls = 5_000
const pageSize = 500

/** Null where no service runs; a sentence where it cannot be asked. */
export async function liveTools(
  flags: { readonly data?: string; readonly url?: string },
  io: Io,
): Promise<LiveTools | { readonly problem: string } | null> {
  const service = await reachService(flags, io)
  if (service === null || "problem" in service) return service
  const listed = await service.client.listServers()
  if (!listed.ok) return { problem: listed.problem.detail }
  const tools = listed.value.items.flatMap(({ id, tools: ofServer }) =>
    ofServer.map(({ name, definition }) => ({
      tool: { server: id, tool: name },
      definition: asDefinition(name, definition),
    })),
  )
  return { url: service.url, tools, use: await usedTools(service.client, io.now()) }
}

type Words = { readonly inputSchema: object | null; readonly annotations: object | null }

function asDefinition(name: string, words: Words | null): ToolDefinition | null {
  if (words === null) return null
  const { inputSchema, annotations } = words
  const members = { ...(inputSchema === null ? {} : { inputSchema }), ...(annotations === null ? {} : { annotations }) }
  return { name, ...members } as ToolDefinition
}

async function usedTools(client: Client, now: number): Promise<ToolUse | null> {
  const calls: Array<ToolUse["calls"][number]> = []
  const since = now - days * 24 * 60 * 60_000
  let after: string | null = null
  do {
    const page = await client.listCalls({ query: { since, limit: pageSize, ...(after === null ? {} : { after }) } })
    if (!page.ok) return null
    calls.push(...page.value.items.filter(({ kind }) => kind === "tool").map(({ tool }) => tool))
    after = page.value.next
  } while (after !== null && calls.length < mostCalls)
  return { days, calls }
}
