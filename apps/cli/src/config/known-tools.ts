import { asObject, listAt, readJson, textAt } from "@byleave/core"
import { reachService } from "../commands/policy/explain-by-service.ts"
import { readText } from "../files/read-text.ts"
import type { Io } from "../io.ts"

export type KnownToolsResult =
  | { readonly ok: true; readonly tools: ReadonlyMap<string, readonly string[]> }
  | { readonly ok: false; readonly problem: string }

type Flags = { readonly tools?: string; readonly config?: string; readonly data?: string }

/** The names of tools by server: of a file, else of the running service, unless a configuration was named. */
export async function knownTools(flags: Flags, io: Io): Promise<KnownToolsResult> {
  if (flags.tools !== undefined) return toolsOfFile(flags.tools, io)
  const service = flags.config === undefined ? await reachService(flags, io) : null
  if (service === null || "problem" in service) return { ok: true, tools: new Map() }
  const listed = await service.client.listServers()
  if (!listed.ok) return { ok: true, tools: new Map() }
  return { ok: true, tools: new Map(listed.value.items.map(({ id, tools }) => [id, tools.map(({ name }) => name)])) }
}

/** `{ "server": ["tool"] }`, or what `byleave servers list --json` prints. */
async function toolsOfFile(path: string, io: Io): Promise<KnownToolsResult> {
  const read = await readText(path, io)
  if (!read.ok) return { ok: false, problem: read.problem }
  const json = readJson(read.text)
  const root = json.ok ? asObject(json.value) : undefined
  if (root === undefined) return { ok: false, problem: `${path} is not JSON of the form {"server": ["tool"]}.` }
  const servers = listAt(root, "servers")
  const entries =
    servers === undefined
      ? Object.entries(root).map(([id, tools]) => [id, Array.isArray(tools) ? tools : []] as const)
      : servers.map(
          (server) => [textAt(asObject(server), "id") ?? "", listAt(asObject(server), "tools") ?? []] as const,
        )
  const nameOf = (tool: unknown) => (typeof tool === "string" ? tool : textAt(asObject(tool as never), "name"))
  return {
    ok: true,
    tools: new Map(entries.map(([id, tools]) => [id, tools.flatMap((tool) => nameOf(tool) ?? [])])),
  }
}
