/**
 * Servers that Claude Code brings itself, as version 2.1.325 has them: code in an editor, browsers, the desktop, claude.ai. It adds no
 * other server under these names but `ide`.
 */
export const ownServers: ReadonlySet<string> = new Set([
  ...["ide", "claude-in-chrome", "Claude_in_Chrome", "Claude_Browser", "Claude_Preview", "computer-use", "workspace"],
  ...["claude-device", "remote-devices", "claude-code-remote", "claude_ai", "ccr-email", "webagent", "hearthbot"],
])

/**
 * The rule for all tools of a server; null where it could be about another one. `mcp__a__b` is the tool `b` of the server `a`; a name with
 * other characters is written as another server's might be.
 */
export function serverRule(server: string): string | null {
  const isSure = /^[A-Za-z0-9_-]+$/.test(server) && !server.includes("__") && !ownServers.has(server)
  return isSure ? `mcp__${server}` : null
}
