import type { RiskContext } from "./risks/text-risks.ts"
import type { Policy, ServerPolicy } from "./rules/rule.ts"

/** Stands among the starts of a server for one that nobody knows. It is no absolute path, so that what starts there is in doubt. */
export const unknownStart = "an unknown folder"

/** The folders that a server may take relative paths to start from. Null where its file does not say where it is started: then nobody knows. */
export function basesOf(server: Pick<ServerPolicy, "cwd" | "folders" | "starts">): readonly string[] | null {
  const folders = homesOf(server)
  return folders === null ? null : [...new Set([...folders, ...(server.starts ?? [])])]
}

/** The folders that a server surely works in; null where its file does not say where it is started. */
export function homesOf({ cwd, folders = [] }: Pick<ServerPolicy, "cwd" | "folders">): readonly string[] | null {
  return cwd === undefined ? null : [...new Set([cwd, ...folders])]
}

/** The folders in which a server works, as far as the policy knows them, for warnings. */
export function foldersIn({ servers }: Pick<Policy, "servers">, id: string): Pick<RiskContext, "folders" | "bases"> {
  const server = servers.find((one) => one.id === id)
  const bases = server === undefined ? null : basesOf(server)
  const folders = server === undefined ? null : homesOf(server)
  if (bases !== null && folders !== null) return { folders, bases }
  return server?.folders === undefined ? {} : { folders: server.folders, bases: server.folders }
}
