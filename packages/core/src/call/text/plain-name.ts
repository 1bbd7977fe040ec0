/**
 * The name of a server or tool as Claude Code, opencode and others give it to their model: only letters, digits, `_` and `-` stay, and
 * everything else is `_`. Two names may become one.
 */
export function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_")
}
