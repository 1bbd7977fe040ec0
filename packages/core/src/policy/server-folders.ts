import type { RiskContext } from "./risks/text-risks.ts"
import type { Policy, ServerPolicy } from "./rules/rule.ts"

/** The folders that a server may take relative paths to start from. Null where its file does not say where it is started: then nobody knows. */
export function basesOf({ cwd, folders = [] }: Pick<ServerPolicy, "cwd" | "folders">): readonly string[] | null {
  return cwd === undefined ? null : [...new Set([cwd, ...folders])]
}

/** The folders in which a server works, as far as the policy knows them, for warnings. */
export function foldersIn({ servers }: Pick<Policy, "servers">, id: string): Pick<RiskContext, "folders" | "bases"> {
  const server = servers.find((one) => one.id === id)
  const bases = server === undefined ? null : basesOf(server)
  if (bases !== null) return { folders: bases, bases }
  return server?.folders === undefined ? {} : { folders: server.folders, bases: server.folders }
}
