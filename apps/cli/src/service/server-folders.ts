import { isAbsolute } from "node:path"
import type { ServerConfig } from "@byleave/formats"

/**
 * The folders that a server is known to work in: its declared `cwd` and the folders in its arguments. Empty where neither says so: a path in the
 * arguments of a server that is not known to take folders may be anything.
 */
export function serverFolders(server: Pick<ServerConfig, "transport"> | null | undefined): readonly string[] {
  if (server?.transport.kind !== "stdio") return []
  const { cwd, args } = server.transport
  const takesFolders = args.findIndex((arg) => /server-filesystem\b/.test(arg))
  if (cwd === undefined && takesFolders === -1) return []
  const named = args.slice(takesFolders + 1).filter((arg) => isAbsolute(arg))
  return cwd === undefined ? named : [cwd, ...named]
}
