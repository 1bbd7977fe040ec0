/** Names that are words of Copilot CLI itself, as version 1.0.102 has them. It compares them as they are written. */

/** Kinds of its own permissions: `--allow-tool=shell` is leave for every command, whatever servers there are. */
const ownKinds = [
  ...["shell", "write", "read", "url", "memory", "hook", "workflow", "custom-tool"],
  ...["extension-management", "extension-permission-access", "extension-env-access"],
]

/** Its own tools, of this version and earlier ones. */
const ownTools = [
  ...["bash", "read_bash", "stop_bash", "list_bash", "view", "create", "edit", "str_replace_editor", "grep", "glob"],
  ...["skill", "sql", "session_store_sql", "task", "read_agent", "list_agents", "write_agent", "web_fetch"],
  "fetch_copilot_cli_documentation",
]

/** Servers that it brings itself. It compares their names, too, as they are written. */
export const ownServers: ReadonlySet<string> = new Set(["github-mcp-server"])

/** Whether a flag that names this server is about what Copilot CLI brings itself. */
export function isOwnServer(server: string): boolean {
  return ownPermissions.has(server) || ownServers.has(server)
}

/** What `--allow-tool` and `--deny-tool` mean by themselves. */
export const ownPermissions: ReadonlySet<string> = new Set(ownKinds)

/** What lists of available and excluded tools mean by themselves. */
export const ownListed: ReadonlySet<string> = new Set([...ownKinds, ...ownTools])

/** Whether a flag can name this server. Copilot CLI does not start with one that has other characters. */
export function isServerNamed(server: string): boolean {
  return /^[\w@./-]+$/.test(server) && !ownPermissions.has(server)
}

/** Whether Copilot CLI finds a tool by the name that a flag gives: one with other characters it neither allows nor denies. */
export function isToolNamed(tool: string): boolean {
  return /^[\w-]+$/.test(tool)
}
