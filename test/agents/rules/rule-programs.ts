import { join } from "node:path"
import type { ClientStart } from "../run-client.ts"
import type { Scene } from "../scene.ts"

/** How a server of the table is started. */
export type ServerStart = { readonly command: string; readonly args: readonly string[] }

/** How one program is given servers and rules, and started on a prompt without a terminal: what it would ask about, it refuses. */
export type RuleProgram = {
  /** The rule language, by its id. */
  readonly language: string
  /** The servers that this program takes at all. */
  readonly prepare: (scene: Scene, servers: ReadonlyMap<string, ServerStart>, rules: string) => void
  /** The words after the program's name. */
  readonly start: (scene: Scene, rules: string) => Pick<ClientStart, "args"> & { readonly shell?: string }
  readonly env?: Readonly<Record<string, string>>
}

const prompt = "Go."

export const rulePrograms: Readonly<Record<string, RuleProgram>> = {
  claude: {
    language: "claude-code",
    prepare: (scene, servers, rules) => {
      scene.write(".mcp.json", json({ mcpServers: Object.fromEntries(servers) }))
      scene.write("~/.claude/settings.json", rules)
    },
    start: (scene) => ({
      args: ["-p", prompt, "--strict-mcp-config", "--mcp-config", join(scene.project, ".mcp.json")],
    }),
    env: { ENABLE_TOOL_SEARCH: "false", MCP_CONNECTION_NONBLOCKING: "0" },
  },
  codex: {
    language: "codex",
    prepare: (scene, servers, rules) => scene.write("~/.codex/config.toml", withCodexServers(servers, rules)),
    start: () => ({ args: ["exec", "--skip-git-repo-check", prompt] }),
  },
  copilot: {
    language: "copilot",
    prepare: (scene, servers) => {
      const entries = [...servers].map(([name, start]) => [name, { type: "local", ...start, tools: ["*"] }])
      scene.write("~/.copilot/mcp-config.json", json({ mcpServers: Object.fromEntries(entries) }))
    },
    start: (_, rules) => ({ args: ["-p", prompt], shell: rules.replaceAll("\n", " ") }),
  },
  gemini: {
    language: "gemini",
    prepare: (scene, servers, rules) => {
      const isSettings = rules.trimStart().startsWith("{")
      scene.write("~/.gemini/settings.json", withServers("mcpServers", servers, isSettings ? rules : "{}"))
      if (!isSettings) scene.write("~/.gemini/policies/rules.toml", rules)
    },
    start: () => ({ args: ["--skip-trust", "-p", prompt] }),
  },
  qwen: {
    language: "qwen",
    prepare: (scene, servers, rules) => scene.write("~/.qwen/settings.json", withServers("mcpServers", servers, rules)),
    // Without its search, tools of servers are offered at once.
    start: () => ({ args: ["--exclude-tools=tool_search", "--prompt", prompt] }),
  },
  opencode: {
    language: "opencode",
    prepare: (scene, servers, rules) => {
      const entries = [...servers].map(([name, { command, args }]) => {
        return [name, { type: "local", command: [command, ...args] }] as const
      })
      scene.write("opencode.json", withServers("mcp", new Map(entries), rules))
    },
    start: () => ({ args: ["run", prompt] }),
  },
  goose: {
    language: "goose",
    prepare: (scene, servers, rules) => {
      const entries = [...servers].map(([name, { command, args }]) => {
        return [name, { type: "stdio", name, enabled: true, cmd: command, args, timeout: 60 }]
      })
      // JSON is YAML.
      scene.write("~/.config/goose/config.yaml", json({ extensions: Object.fromEntries(entries) }))
      scene.write("~/.config/goose/permission.yaml", rules)
    },
    start: () => ({ args: ["run", "--no-session", "-t", prompt] }),
    env: { GOOSE_MODE: "approve" },
  },
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}

/** Servers beside what a text of JSON says of them. */
function withServers(key: string, servers: ReadonlyMap<string, object>, rules: string): string {
  const settings = JSON.parse(rules) as Record<string, Record<string, object>>
  const said = settings[key] ?? {}
  const entries = [...servers].map(([name, start]) => [name, { ...start, ...said[name] }])
  return json({ ...settings, [key]: { ...said, ...Object.fromEntries(entries) } })
}

/** A table of TOML may stand once: how a server starts goes into the table that the rules have of it. */
function withCodexServers(servers: ReadonlyMap<string, ServerStart>, rules: string): string {
  return [...servers].reduce((text, [name, { command, args }]) => {
    const header = `[mcp_servers.${name}]\n`
    const start = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nrequired = true\n`
    return text.includes(header) ? text.replace(header, `${header}${start}`) : `${text}\n${header}${start}`
  }, rules)
}
