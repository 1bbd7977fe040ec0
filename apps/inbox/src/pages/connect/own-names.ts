/**
 * Servers that an agent cannot be told to leave to Byleave: their name is a word or a server of its own, which it would allow. A test holds
 * these to the rule languages.
 */
const copilotWords = [
  ...["shell", "write", "read", "url", "memory", "hook", "workflow", "custom-tool"],
  ...["extension-management", "extension-permission-access", "extension-env-access"],
]

const claudeServers = [
  ...["ide", "claude-in-chrome", "Claude_in_Chrome", "Claude_Browser", "Claude_Preview", "computer-use", "workspace"],
  ...["claude-device", "remote-devices", "claude-code-remote", "claude_ai", "ccr-email", "webagent", "hearthbot"],
]

/** Whether `--allow-tool` and this name allow the tools of a server, and nothing else. */
export function isCopilotServer(name: string): boolean {
  return /^[\w@./-]+$/.test(name) && !copilotWords.includes(name)
}

/** Whether `mcp__` and this name allow the tools of a server, and nothing else. */
export function isClaudeServer(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name) && !name.includes("__") && !claudeServers.includes(name)
}
