import type { OnDemand } from "../../scripts/install-on-demand.ts"

/** One agent program: where it comes from, and how it is told of the scripted model. What it needs for Byleave stands in the guide. */
export type AgentClient = {
  /** Its section in the guide. */
  readonly section: string
  readonly version: string
  /** Its name in `clientInfo`, by which the gateway knows how long it waits. */
  readonly namesItself: string
  readonly program: OnDemand
  /** Its environment, with keys that open nothing. */
  readonly env: (model: string) => Readonly<Record<string, string>>
  /** Arguments that go before those of the guide. */
  readonly args?: (model: string) => readonly string[]
}

const key = "not-a-key"
const platform = process.platform === "win32" ? "windows" : process.platform

export const clients: Readonly<Record<string, AgentClient>> = {
  claude: {
    section: "Claude Code",
    version: "2.1.325",
    namesItself: "claude-code",
    program: { name: "@anthropic-ai/claude-code", version: "2.1.325", file: "cli-wrapper.cjs" },
    env: (model) => ({
      ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: key },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
    }),
  },
  codex: {
    section: "Codex",
    version: "0.166.0",
    namesItself: "codex-mcp-client",
    program: { name: "@openai/codex", version: "0.166.0", file: "bin/codex.js" },
    env: () => ({ SCRIPTED_KEY: key }),
    args: (model) => [
      ...["-c", 'model="scripted"', "-c", 'model_provider="scripted"'],
      ...[
        "-c",
        `model_providers.scripted={name="scripted",base_url="${model}/v1",env_key="SCRIPTED_KEY",wire_api="responses"}`,
      ],
    ],
  },
  copilot: {
    section: "Copilot CLI",
    version: "1.0.102",
    namesItself: "copilot-cli",
    program: { name: "@github/copilot", version: "1.0.102", file: "npm-loader.js" },
    env: (model) => ({
      ...{ COPILOT_PROVIDER_BASE_URL: `${model}/v1`, COPILOT_PROVIDER_API_KEY: key, COPILOT_MODEL: "scripted" },
      ...{ COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false" },
    }),
  },
  gemini: {
    section: "Gemini CLI",
    version: "0.61.0",
    namesItself: "gemini-cli-mcp-client",
    program: { name: "@google/gemini-cli", version: "0.61.0", file: "bundle/gemini.js" },
    env: (model) => ({ GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_VERTEX_BASE_URL: model, GOOGLE_API_KEY: key }),
    args: () => ["--model", "gemini-2.5-flash"],
  },
  qwen: {
    section: "Qwen Code",
    version: "0.15.10",
    namesItself: "qwen-cli-mcp-client",
    program: { name: "@qwen-code/qwen-code", version: "0.15.10", file: "cli.js" },
    env: (model) => ({ OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: "scripted" }),
    args: () => ["--auth-type", "openai"],
  },
  opencode: {
    section: "opencode",
    version: "1.18.33",
    namesItself: "opencode",
    program: { name: `opencode-${platform}-${process.arch}`, version: "1.18.33", file: "bin/opencode" },
    env: (model) => ({
      OPENCODE_DISABLE_AUTOUPDATE: "true",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: "scripted/scripted",
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${model}/v1`, apiKey: key },
            models: { scripted: {} },
          },
        },
      }),
    }),
  },
  goose: {
    section: "Goose",
    version: "1.34.0",
    namesItself: "goose",
    // The package of version 0.20.1 holds Goose 1.34.0.
    program: { name: `@aaif/goose-binary-${process.platform}-${process.arch}`, version: "0.20.1", file: "bin/goose" },
    env: (model) => ({
      ...{ GOOSE_PROVIDER: "openai", GOOSE_MODEL: "scripted", OPENAI_HOST: model, OPENAI_API_KEY: key },
      ...{ GOOSE_DISABLE_KEYRING: "1", GOOSE_TELEMETRY_ENABLED: "false" },
    }),
  },
}
