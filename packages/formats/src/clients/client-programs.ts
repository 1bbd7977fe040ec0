import type { JsonValue } from "@byleave/core"
import { serverRule } from "../languages/programs/claude-code-names.ts"
import type { SyntaxName } from "./file-syntax.ts"
import type { KeyPath } from "./placed-tree.ts"

/**
 * A folder that files of clients are in. `home`: the user's. `config`: `~/.config`, or what XDG_CONFIG_HOME names. `application`: where desktop
 * applications keep settings, which differs by system. `project`: the folder that people work in.
 */
export type FileRoot = "home" | "config" | "application" | "project"

export type FilePlace = {
  readonly root: FileRoot
  /** With `/` between folders. */
  readonly path: string
  /** A variable that names another folder, and the file's path in it. */
  readonly moved?: { readonly variable: string; readonly path: string }
}

/** A file in which a client keeps MCP servers. */
export type ServerFile = FilePlace & {
  readonly syntax: SyntaxName
  /** Where maps of servers stand in it; `*` is any key. */
  readonly servers: readonly KeyPath[]
  /** Only on this system, or on all but it. */
  readonly on?: "win32" | "not-win32"
  /** Where the client is told not to ask about this file's servers. */
  readonly allow?: AllowFile
}

/** Lists in another file of the client, to which each server that Byleave gates is added. */
export type AllowFile = FilePlace & { readonly lists: readonly AllowList[] }

export type AllowList = {
  readonly path: KeyPath
  /** Null: nothing can be written there that is about this server alone. */
  readonly item: (server: string) => string | null
}

export type ClientProgram = {
  readonly id: string
  readonly title: string
  readonly files: readonly ServerFile[]
  /** How an entry with a command is written: its keys, or one list with the command first. */
  readonly command: { readonly command: string; readonly args: string } | { readonly line: string }
  /** Keys that an address may stand under; the first is the one to write. */
  readonly url: readonly string[]
  readonly headers: string
  /** The kind of an entry that has the address of a streamable HTTP server. */
  readonly type?: { readonly key: string; readonly value: string }
  /** Kinds of entries that are not servers of their own. */
  readonly notServers?: readonly string[]
  /** Kinds of entries that speak the older protocol over SSE. */
  readonly sse: readonly string[]
  /** Pairs of an entry that leave asking to Byleave. */
  readonly allow: Readonly<Record<string, JsonValue>>
  /** How a value of a file stands for a variable of the environment; null where the client knows no such thing. */
  readonly reference: ((variable: string) => string) | null
  /** It is started from a desktop, which may not know the PATH of terminals. */
  readonly isDesktop?: true
  /** The part about the client's own questions that setup cannot do for people. */
  readonly asks?: string
}

const shellReference = (variable: string): string => `\${${variable}}`
const noPairs = {} as const

const claudeAllow = (path: KeyPath): AllowList => ({ path, item: serverRule })

const jsonFile = (place: FilePlace, ...servers: readonly KeyPath[]): ServerFile => ({
  ...place,
  syntax: "json",
  servers,
})

const plainCommand = { command: "command", args: "args" } as const
const mcpServers: KeyPath = ["mcpServers"]

/** Gemini CLI and Qwen Code read the same file in folders of their own. */
function geminiLike(id: string, title: string, folder: string): ClientProgram {
  return {
    ...{ id, title },
    files: [
      jsonFile({ root: "home", path: `${folder}/settings.json` }, mcpServers),
      jsonFile({ root: "project", path: `${folder}/settings.json` }, mcpServers),
    ],
    command: plainCommand,
    ...{ url: ["httpUrl", "url"], headers: "headers", sse: ["sse"] },
    allow: { trust: true },
    reference: shellReference,
  }
}

const vsCodeSettings = ["Code", "Code - Insiders"].map((folder) => `${folder}/User`)

/** Every client that `byleave setup` knows, as docs/guides/clients has them. */
export const clientPrograms: readonly ClientProgram[] = [
  {
    ...{ id: "claude-code", title: "Claude Code" },
    files: [
      {
        ...{ root: "home", path: ".claude.json", syntax: "json" },
        moved: { variable: "CLAUDE_CONFIG_DIR", path: ".claude.json" },
        servers: [mcpServers, ["projects", "*", "mcpServers"]],
        allow: {
          ...{ root: "home", path: ".claude/settings.json" },
          moved: { variable: "CLAUDE_CONFIG_DIR", path: "settings.json" },
          lists: [claudeAllow(["permissions", "allow"])],
        },
      },
      {
        ...{ root: "project", path: ".mcp.json", syntax: "json", servers: [mcpServers] },
        allow: {
          ...{ root: "project", path: ".claude/settings.local.json" },
          lists: [{ path: ["enabledMcpjsonServers"], item: (server) => server }, claudeAllow(["permissions", "allow"])],
        },
      },
    ],
    command: plainCommand,
    ...{
      url: ["url"],
      headers: "headers",
      type: { key: "type", value: "http" },
      sse: ["sse"],
      notServers: ["sdk", "ws"],
    },
    allow: noPairs,
    reference: shellReference,
  },
  {
    ...{ id: "codex", title: "Codex" },
    files: [
      {
        ...{ root: "home", path: ".codex/config.toml", syntax: "toml", servers: [["mcp_servers"]] },
        moved: { variable: "CODEX_HOME", path: "config.toml" },
      },
      { root: "project", path: ".codex/config.toml", syntax: "toml", servers: [["mcp_servers"]] },
    ],
    command: plainCommand,
    ...{ url: ["url"], headers: "http_headers", sse: [] },
    // Without `required` the first turn often has no tools.
    allow: { default_tools_approval_mode: "approve", required: true },
    reference: null,
  },
  {
    ...{ id: "copilot-cli", title: "Copilot CLI" },
    files: [
      {
        ...{ root: "home", path: ".copilot/mcp-config.json", syntax: "json", servers: [mcpServers] },
        moved: { variable: "COPILOT_HOME", path: "mcp-config.json" },
      },
    ],
    command: plainCommand,
    ...{ url: ["url"], headers: "headers", type: { key: "type", value: "http" }, sse: ["sse"] },
    allow: noPairs,
    reference: shellReference,
    asks: "Copilot CLI asks as well unless it is started with --allow-tool and the server's name; not so for a server called shell, write, read, url or memory, which are words for its own tools.",
  },
  geminiLike("gemini-cli", "Gemini CLI", ".gemini"),
  geminiLike("qwen-code", "Qwen Code", ".qwen"),
  {
    ...{ id: "vs-code", title: "VS Code" },
    files: [
      ...vsCodeSettings.map((folder) => jsonFile({ root: "application", path: `${folder}/mcp.json` }, ["servers"])),
      jsonFile({ root: "project", path: ".vscode/mcp.json" }, ["servers"]),
    ],
    command: plainCommand,
    ...{ url: ["url"], headers: "headers", type: { key: "type", value: "http" }, sse: ["sse"] },
    allow: noPairs,
    reference: null,
    isDesktop: true,
    asks: "VS Code may ask as well before it calls a tool.",
  },
  {
    ...{ id: "cursor", title: "Cursor" },
    files: [
      jsonFile({ root: "home", path: ".cursor/mcp.json" }, mcpServers),
      jsonFile({ root: "project", path: ".cursor/mcp.json" }, mcpServers),
    ],
    command: plainCommand,
    ...{ url: ["url"], headers: "headers", sse: ["sse"] },
    allow: noPairs,
    reference: (variable) => `\${env:${variable}}`,
    isDesktop: true,
    asks: "Cursor may ask as well before it calls a tool.",
  },
  {
    ...{ id: "opencode", title: "opencode" },
    files: ["opencode.json", "opencode.jsonc"].flatMap((name) => [
      jsonFile({ root: "config", path: `opencode/${name}` }, ["mcp"], ["mcp", "servers"]),
      jsonFile({ root: "project", path: name }, ["mcp"], ["mcp", "servers"]),
    ]),
    command: { line: "command" },
    ...{ url: ["url"], headers: "headers", type: { key: "type", value: "remote" }, sse: [] },
    allow: noPairs,
    reference: (variable) => `{env:${variable}}`,
  },
  {
    ...{ id: "goose", title: "Goose" },
    files: [
      { root: "config", path: "goose/config.yaml", syntax: "yaml", servers: [["extensions"]], on: "not-win32" },
      {
        root: "application",
        path: "Block/goose/config/config.yaml",
        syntax: "yaml",
        servers: [["extensions"]],
        on: "win32",
      },
    ],
    command: { command: "cmd", args: "args" },
    ...{ url: ["uri"], headers: "headers", type: { key: "type", value: "streamable_http" }, sse: ["sse"] },
    notServers: ["builtin", "platform", "frontend", "inline_python"],
    allow: noPairs,
    reference: shellReference,
  },
  {
    ...{ id: "cline", title: "Cline" },
    files: [
      ...vsCodeSettings.map((folder) =>
        jsonFile(
          {
            root: "application",
            path: `${folder}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
          },
          mcpServers,
        ),
      ),
      jsonFile({ root: "home", path: ".cline/data/settings/cline_mcp_settings.json" }, mcpServers),
    ],
    command: plainCommand,
    ...{ url: ["url"], headers: "headers", type: { key: "type", value: "streamableHttp" }, sse: ["sse"] },
    allow: noPairs,
    reference: null,
    isDesktop: true,
    asks: "Cline asks as well about tools that its autoApprove list does not name.",
  },
]
