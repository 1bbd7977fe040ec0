/**
 * The configuration each client needs, as docs/guides/clients has it: a test holds every text here to the guide, whose sections are run by
 * the programs themselves.
 * A token is never in a file, which a project may share: clients read it from the environment, or ask for it.
 */
import { isClaudeServer, isCopilotServer } from "./own-names.ts"
import {
  argsLine,
  commandLine,
  fromEnvironment,
  header,
  list,
  mcpServers,
  quoted,
  type SetupFill,
  shellWord,
  typed,
  wrapped,
  yaml,
} from "./setup-lines.ts"

/** How the agent reaches Byleave: one server behind `byleave wrap`, or this service's address. */
export type Way = "wrap" | "address"

export type SetupStep = {
  /** A file's path, or null: it is for the terminal. */
  readonly file: string | null
  /** The purpose of the step, where its place does not say it. */
  readonly words: string
  readonly text: (fill: SetupFill) => string
}

export type ClientSetup = {
  readonly id: string
  readonly title: string
  /** Its section of the guide. */
  readonly section: string
  readonly steps: Readonly<Record<Way, readonly SetupStep[]>>
  /** Sentences of the guide about who asks. */
  readonly asking: string
  /** The client keeps the token by itself and asks for it; else it reads it from the environment. */
  readonly promptsForToken?: true
  readonly exampleFolder?: string
}

const filesystem = ["npx", "-y", "@modelcontextprotocol/server-filesystem"]
/** The command that is shown until people give their own. */
export function exampleCommand({ exampleFolder = "/home/me/notes" }: ClientSetup): readonly string[] {
  return [...filesystem, exampleFolder]
}

/** The terminal line that hands the token to a client. */
export function tokenLine(secret: string): string {
  return `export BYLEAVE_TOKEN=${secret}`
}

function inFile(file: string, text: SetupStep["text"], words = ""): SetupStep {
  return { file, words, text }
}

function inTerminal(words: string, text: SetupStep["text"]): SetupStep {
  return { file: null, words, text }
}

// This project's own: in the settings of all projects, another one's server of the same name would run unasked.
const claudeSettings = inFile(
  ".claude/settings.local.json",
  ({ name }) => `{
  "enabledMcpjsonServers": [${quoted(name)}]${isClaudeServer(name) ? `,\n  "permissions": { "allow": [${quoted(`mcp__${name}`)}] }` : ""}
}`,
  "Byleave asks instead of Claude",
)

const copilotStart = inTerminal("Start it so that Byleave asks instead", ({ name }) =>
  isCopilotServer(name)
    ? `copilot --allow-tool ${shellWord(name)} -p "Write hello.txt"`
    : `# Copilot CLI asks as well: no flag can be about a server of this name alone.\ncopilot -p "Write hello.txt"`,
)

const codex = (lines: (fill: SetupFill) => string): SetupStep =>
  inFile(
    "~/.codex/config.toml",
    (fill) => `[mcp_servers.${/^[\w-]+$/.test(fill.name) ? fill.name : quoted(fill.name)}]
${lines(fill)}
default_tools_approval_mode = "approve"
required = true`,
  )

const goose = (type: string, lines: (fill: SetupFill) => readonly string[]): SetupStep =>
  inFile("~/.config/goose/config.yaml", (fill) =>
    [
      "extensions:",
      `  ${yaml(fill.name)}:`,
      `    type: ${type}`,
      `    name: ${yaml(fill.name)}`,
      "    enabled: true",
      ...lines(fill).map((line) => `    ${line}`),
      "    timeout: 300",
    ].join("\n"),
  )

/** Gemini CLI and Qwen Code read the same file in folders of their own. */
function trusting(file: string): ClientSetup["steps"] {
  return {
    wrap: [
      inFile(
        file,
        mcpServers((fill) => [commandLine, argsLine(fill), `"trust": true`]),
      ),
    ],
    address: [
      inFile(
        file,
        mcpServers(({ url }) => [`"httpUrl": ${quoted(url)}`, fromEnvironment, `"trust": true`]),
      ),
    ],
  }
}

/** Where nobody knows the file's name. */
const otherFile = "mcp.json"

export const clientSetups: readonly [ClientSetup, ...ClientSetup[]] = [
  {
    id: "claude-code",
    title: "Claude Code",
    section: "Claude Code",
    steps: {
      wrap: [
        inFile(
          ".mcp.json",
          mcpServers((fill) => [commandLine, argsLine(fill)]),
        ),
        claudeSettings,
      ],
      address: [
        inFile(
          ".mcp.json",
          mcpServers((fill) => [...typed(fill), fromEnvironment]),
        ),
        claudeSettings,
      ],
    },
    asking:
      "Claude Code uses `.claude/settings.local.json` unless git tracks the file; then, and for `.claude/settings.json`, only once you have accepted its trust dialog there.",
  },
  {
    id: "codex",
    title: "Codex",
    section: "Codex",
    steps: {
      wrap: [codex((fill) => `command = "byleave"\nargs = ${list(wrapped(fill))}`)],
      address: [codex(({ url }) => `url = ${quoted(url)}\nbearer_token_env_var = "BYLEAVE_TOKEN"`)],
    },
    asking:
      '`default_tools_approval_mode = "approve"` leaves asking to Byleave. `required = true` makes Codex wait for its servers; without it the first turn often has no tools.',
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    section: "Gemini CLI",
    steps: trusting("~/.gemini/settings.json"),
    asking:
      '`"trust": true` leaves asking to Byleave at a terminal. Without one Gemini still withholds tools that write, and only `--yolo` helps.',
  },
  {
    id: "qwen-code",
    title: "Qwen Code",
    section: "Qwen Code",
    steps: trusting("~/.qwen/settings.json"),
    asking: '`"trust": true` leaves asking to Byleave, also without a terminal',
  },
  {
    id: "opencode",
    title: "opencode",
    section: "opencode",
    steps: {
      wrap: [
        inFile(
          "opencode.json",
          mcpServers((fill) => [`"type": "local"`, `"command": ${list(["byleave", ...wrapped(fill)])}`], "mcp"),
        ),
      ],
      address: [
        inFile(
          "opencode.json",
          mcpServers(({ url }) => [`"type": "remote"`, `"url": ${quoted(url)}`, header("{env:BYLEAVE_TOKEN}")], "mcp"),
        ),
      ],
    },
    asking: "It does not ask before it calls MCP tools",
  },
  {
    id: "copilot-cli",
    title: "Copilot CLI",
    section: "Copilot CLI",
    steps: {
      wrap: [
        inFile(
          "~/.copilot/mcp-config.json",
          mcpServers((fill) => [`"type": "local"`, commandLine, argsLine(fill), `"tools": ["*"]`]),
        ),
        copilotStart,
      ],
      address: [
        inFile(
          "~/.copilot/mcp-config.json",
          mcpServers((fill) => [...typed(fill), fromEnvironment, `"tools": ["*"]`]),
        ),
        copilotStart,
      ],
    },
    asking: "",
  },
  {
    id: "goose",
    title: "Goose",
    section: "Goose",
    steps: {
      wrap: [goose("stdio", (fill) => ["cmd: byleave", `args: [${wrapped(fill).map(yaml).join(", ")}]`])],
      address: [
        goose("streamable_http", ({ url }) => [
          `uri: ${url}`,
          `headers: { Authorization: "Bearer \${BYLEAVE_TOKEN}" }`,
          "env_keys: [BYLEAVE_TOKEN]",
        ]),
      ],
    },
    asking: "It does not ask in its mode `auto`, which it starts with",
  },
  {
    id: "cursor",
    title: "Cursor",
    section: "Cursor",
    steps: {
      wrap: [
        inFile(
          "~/.cursor/mcp.json",
          mcpServers((fill) => [commandLine, argsLine(fill)]),
        ),
      ],
      address: [
        inFile(
          "~/.cursor/mcp.json",
          mcpServers(({ url }) => [`"url": ${quoted(url)}`, header(`\${env:BYLEAVE_TOKEN}`)]),
        ),
      ],
    },
    asking: "Cursor may ask as well before it calls a tool; this was not tested.",
  },
  {
    id: "vs-code",
    title: "VS Code",
    section: "VS Code",
    steps: {
      wrap: [
        inFile(
          ".vscode/mcp.json",
          mcpServers((fill) => [`"type": "stdio"`, commandLine, argsLine(fill)], "servers"),
        ),
      ],
      address: [
        inFile(".vscode/mcp.json", (fill) =>
          mcpServers(
            (each) => [...typed(each), header(`\${input:byleave-token}`)],
            "servers",
          )(fill).replace("{\n", () => vsCodeInputs),
        ),
      ],
    },
    asking: "VS Code may ask as well before it calls a tool; this was not tested.",
    promptsForToken: true,
    exampleFolder: `\${workspaceFolder}`,
  },
  {
    id: "other",
    title: "Other",
    section: "Other clients",
    steps: {
      wrap: [
        inFile(
          otherFile,
          mcpServers((fill) => [commandLine, argsLine(fill)]),
        ),
      ],
      address: [
        inFile(
          otherFile,
          mcpServers((fill) => [...typed(fill), fromEnvironment]),
        ),
      ],
    },
    asking: "If the client asks before it calls a tool, let it trust this server: Byleave asks.",
  },
]

const vsCodeInputs = `{
  "inputs": [{ "type": "promptString", "id": "byleave-token", "description": "Byleave token", "password": true }],
`
