import { lstatSync } from "node:fs"
import type { RiskContext } from "@byleave/core"
import type { ServerConfig } from "@byleave/formats"

type Located = Pick<ServerConfig, "transport" | "cwd" | "folders"> | null | undefined

/** The folders of a server, named by its policy, that warnings can look at on this machine. */
export function riskContextOf(server: Located): Pick<RiskContext, "isMissing"> {
  const isKnown = server?.cwd !== undefined || server?.folders !== undefined
  return isKnown && !seesOtherFiles(server) ? { isMissing } : {}
}

/** A program in a container or on another machine has files of its own under the same paths. */
function seesOtherFiles(server: Located): boolean {
  if (server?.transport.kind !== "stdio") return true
  const { command, args } = server.transport
  return [command, ...args].some((word) =>
    /(?:^|[\\/])(?:docker|podman|nerdctl|ssh|wsl|kubectl|chroot|bwrap)(?:\.exe)?$/i.test(word),
  )
}

/** Nothing is there, not even a link that leads nowhere. A path that cannot be looked at may be there. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
