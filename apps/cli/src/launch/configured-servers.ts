import { asObject, readJson, textAt } from "@byleave/core"
import type { Io } from "../io.ts"
import type { LaunchClient } from "./launch-clients.ts"

/** The MCP servers that a program has, where it must be known: Codex does not start with settings of a server that it does not have. */
export async function configuredServers({ id, command }: LaunchClient, io: Io): Promise<readonly string[]> {
  if (id !== "codex") return []
  const printed = await io.outputOf({ command, args: ["mcp", "list", "--json"], env: io.env, cwd: io.cwd })
  const read = printed === null ? null : readJson(printed)
  if (read === null || !read.ok || !Array.isArray(read.value)) return []
  return read.value.flatMap((server) => textAt(asObject(server), "name") ?? [])
}
