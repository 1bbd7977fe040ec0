import type { AskingProgram } from "@byleave/core"
import type { FlaggedProgram } from "@byleave/formats/languages"
import type { AcpOptions } from "../questions/acp-questions.ts"
import { promptTool } from "../questions/prompt-tool.ts"

/** How a run begins: anew, from an earlier one (`id`: which), or from the last one. */
export type RunStart =
  | { readonly kind: "new" }
  | { readonly kind: "resume"; readonly id: string | null }
  | { readonly kind: "continue" }

/** The protocols over stdio in which programs ask their clients for permission. */
export type StdioProtocol = "acp" | "app-server"

/** A program that can be started. */
export type LaunchClient = {
  readonly id: AskingProgram
  /** Whose flags it takes; null: it has none for permissions. */
  readonly flags: FlaggedProgram | null
  /** The advice to people instead of flags. */
  readonly advice?: string
  readonly name: string
  readonly command: string
  readonly install: string
  /** The words of a run that is taken up again. */
  readonly startWords: (start: RunStart) => readonly string[]
  /** The words by which it leaves its own permission questions to Byleave; `byleave`: the command that answers them. */
  readonly questionWords?: (byleave: readonly string[]) => readonly string[]
  /** The words by which it is driven over stdio. */
  readonly stdio?: { readonly protocol: StdioProtocol; readonly words: readonly string[] } & AcpOptions
}

export const launchClients: readonly LaunchClient[] = [
  {
    ...{ id: "copilot", flags: "copilot" },
    name: "Copilot CLI",
    command: "copilot",
    install: "npm install -g @github/copilot",
    startWords: dashed((id) => (id === null ? ["--resume"] : [`--resume=${id}`])),
    stdio: { protocol: "acp", words: ["--acp"] },
  },
  {
    ...{ id: "claude", flags: "claude" },
    name: "Claude Code",
    command: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    startWords: dashed((id) => (id === null ? ["--resume"] : ["--resume", id])),
    questionWords: ([command = "", ...args]) => [
      `--mcp-config=${JSON.stringify({ mcpServers: { byleave: { command, args } } })}`,
      ...["--permission-prompt-tool", `mcp__byleave__${promptTool}`],
    ],
  },
  {
    ...{ id: "codex", flags: "codex" },
    name: "Codex",
    command: "codex",
    install: "npm install -g @openai/codex",
    stdio: { protocol: "app-server", words: ["app-server"] },
    startWords: (start) => {
      if (start.kind === "new") return []
      if (start.kind === "continue") return ["resume", "--last"]
      return start.id === null ? ["resume"] : ["resume", start.id]
    },
  },
  {
    ...{ id: "gemini", flags: "gemini" },
    name: "Gemini CLI",
    command: "gemini",
    install: "npm install -g @google/gemini-cli",
    stdio: { protocol: "acp", words: ["--acp"], inputIn: "title" },
    startWords: (start) => {
      if (start.kind === "new") return []
      return ["--resume", start.kind === "resume" && start.id !== null ? start.id : "latest"]
    },
  },
  {
    ...{ id: "qwen", name: "Qwen Code", command: "qwen", install: "npm install -g @qwen-code/qwen-code", flags: null },
    advice:
      "Qwen Code has no flags that say which tools ask. Put the output of `byleave export qwen` into ~/.qwen/settings.json.",
    startWords: () => [],
    stdio: { protocol: "acp", words: ["--acp"], inputIn: "question" },
  },
  {
    ...{ id: "opencode", name: "opencode", command: "opencode", install: "npm install -g opencode-ai", flags: null },
    advice: "opencode has no flags for permissions. Put the output of `byleave export opencode` into opencode.json.",
    startWords: () => [],
    stdio: { protocol: "acp", words: ["acp"] },
  },
  {
    ...{ id: "goose", name: "Goose", command: "goose", install: "see its documentation", flags: null },
    advice: "Goose has no flags for permissions. Put the output of `byleave export goose` into permission.yaml.",
    startWords: () => [],
    stdio: { protocol: "acp", words: ["acp"] },
  },
]

/** Programs that cannot be started this way: what to do instead. */
export const otherClients: ReadonlyMap<string, string> = new Map([
  [
    "cursor",
    "Cursor has no flags for permissions. Put the output of `byleave export cursor` into ~/.cursor/permissions.json.",
  ],
  ["cline", "Cline runs inside VS Code. Put the output of `byleave export cline` into cline_mcp_settings.json."],
  ["vscode", "VS Code has no flags for permissions. Put the output of `byleave export vscode` into its settings.json."],
])

function dashed(resume: (id: string | null) => readonly string[]): LaunchClient["startWords"] {
  return (start) => {
    if (start.kind === "new") return []
    return start.kind === "continue" ? ["--continue"] : resume(start.id)
  }
}
