import { lstatSync } from "node:fs"
import { isAbsolute } from "node:path"
import type { RiskContext } from "@byleave/core"
import type { ServerConfig } from "@byleave/formats"

type Located = Pick<ServerConfig, "transport"> | null | undefined

/** What warnings about a server's calls can be measured against on this machine. */
export function riskContextOf(server: Located): RiskContext {
  const folders = serverFolders(server)
  return folders.length === 0 || seesOtherFiles(server) ? { folders } : { folders, isMissing }
}

/** A program in a container or on another machine has files of its own under the same paths. */
function seesOtherFiles(server: Located): boolean {
  if (server?.transport.kind !== "stdio") return true
  const { command, args } = server.transport
  return [command, ...args].some((word) =>
    /(?:^|[\\/])(?:docker|podman|nerdctl|ssh|wsl|kubectl|chroot|bwrap)(?:\.exe)?$/i.test(word),
  )
}

/** Nothing is there, not even a link that leads nowhere. What cannot be looked at may be there. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/**
 * The folders that a server is known to work in: its declared `cwd` and the folders in its arguments. Empty where neither says so: a path in the
 * arguments of a server that is not known to take folders may be anything.
 */
function serverFolders(server: Located): readonly string[] {
  if (server?.transport.kind !== "stdio") return []
  const { cwd, args } = server.transport
  const takesFolders = args.findIndex((arg) => /server-filesystem\b/.test(arg))
  if (cwd === undefined && takesFolders === -1) return []
  const named = args.slice(takesFolders + 1).filter((arg) => isAbsolute(arg))
  return cwd === undefined ? named : [cwd, ...named]
}
