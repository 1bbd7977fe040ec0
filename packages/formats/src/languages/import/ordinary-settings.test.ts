import { formatTargetPattern } from "@byleave/core"
import { expect, it } from "vitest"
import { ruleLanguages } from "../languages.ts"

const json = (value: object) => JSON.stringify(value, null, 2)

/** Settings as people have them: everything beside the rules, and nothing of it restricts a tool of a server. */
const ordinary: ReadonlyArray<readonly [id: string, text: string, rules: readonly string[]]> = [
  [
    "claude-code",
    json({
      $schema: "https://json.schemastore.org/claude-code-settings.json",
      model: "opus",
      env: { BASH_DEFAULT_TIMEOUT_MS: "60000" },
      includeCoAuthoredBy: false,
      cleanupPeriodDays: 60,
      permissions: {
        allow: ["Bash(npm run test:*)", "mcp__files__read_file", "WebFetch(domain:example.com)"],
        deny: ["Read(./.env)"],
        additionalDirectories: ["../docs"],
        defaultMode: "acceptEdits",
      },
      enableAllProjectMcpServers: true,
      enabledMcpjsonServers: ["files"],
      enabledPlugins: { "format@team": true, "old@team": false },
      hooks: {
        PreToolUse: [{ matcher: "Bash|Edit|Write", hooks: [{ type: "command", command: "check.sh" }] }],
        PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "npm run format" }] }],
        Notification: [{ hooks: [{ type: "command", command: "notify" }] }],
      },
      statusLine: { type: "command", command: "status.sh" },
      sandbox: { enabled: true, network: { allowedDomains: ["example.com"] } },
      alwaysThinkingEnabled: true,
      spinnerTipsEnabled: false,
      someNewLook: "compact",
    }),
    ["allow: files(read_file)"],
  ],
  [
    "gemini",
    json({
      general: { vimMode: true, defaultApprovalMode: "auto_edit", checkpointing: { enabled: true } },
      ui: { theme: "GitHub", hideBanner: true, footer: { hideSandboxStatus: true } },
      security: { auth: { selectedType: "oauth-personal" }, folderTrust: { enabled: true }, disableYoloMode: true },
      tools: { sandbox: "docker", allowed: ["run_shell_command(git)"], exclude: ["google_web_search"] },
      context: { fileName: ["AGENTS.md"], fileFiltering: { respectGitIgnore: true } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      experimental: { enableAgents: true },
      hooksConfig: { enabled: false },
      hooks: { BeforeTool: [{ matcher: "*", hooks: [] }] },
      mcpServers: { files: { command: "npx", args: ["files"], trust: true, timeout: 30000, description: "Files" } },
    }),
    ["allow: files(*)"],
  ],
  [
    "qwen",
    json({
      $version: 3,
      security: { auth: { selectedType: "openai" } },
      model: { name: "qwen3-coder-plus" },
      tools: { approvalMode: "auto-edit", core: ["read_file"], shell: { pager: "cat" } },
      ui: { theme: "Qwen Dark" },
      permissions: { allow: ["mcp__files__read_file", "Bash(git *)"] },
      mcpServers: { files: { httpUrl: "https://files.example.com/mcp", headers: { A: "b" } } },
    }),
    ["allow: files(read_file)"],
  ],
  [
    "codex",
    [
      'model = "gpt"\nmodel_reasoning_effort = "high"\napproval_policy = "on-request"\nsandbox_mode = "workspace-write"',
      'notify = ["notify.sh"]\n[projects."/home/ada/notes"]\ntrust_level = "trusted"',
      '[tui]\nnotifications = true\n[features]\nweb_search_request = true\n[profiles.fast]\nmodel = "small"\napproval_policy = "never"',
      '[sandbox_workspace_write]\nnetwork_access = true\n[shell_environment_policy]\ninherit = "core"',
      '[mcp_servers.files]\ncommand = "npx"\nargs = ["files"]\nstartup_timeout_sec = 20\nrequired = true\ndefault_tools_approval_mode = "approve"',
    ].join("\n"),
    ["allow: files(*)"],
  ],
  [
    "opencode",
    json({
      $schema: "https://opencode.ai/config.json",
      theme: "tokyonight",
      model: "anthropic/claude",
      autoupdate: true,
      plugin: ["opencode-notify"],
      provider: { local: { npm: "@ai-sdk/openai-compatible", options: { baseURL: "http://127.0.0.1:1" } } },
      disabled_providers: ["x"],
      agent: {
        review: { description: "Reviews", mode: "subagent", tools: { write: false }, permission: { edit: "deny" } },
      },
      permission: { edit: "ask", bash: { "git *": "allow" }, files_read_file: "allow" },
      mcp: { files: { type: "local", command: ["npx", "files"], enabled: true, environment: { A: "b" } } },
    }),
    ["allow: files(read_file)"],
  ],
  [
    "cline",
    json({
      mcpServers: {
        files: { command: "npx", args: [], disabled: false, timeout: 60, type: "stdio", autoApprove: ["read_file"] },
      },
    }),
    ["allow: files(read_file)"],
  ],
  [
    "cursor-cli",
    json({
      version: 1,
      editor: { vimMode: false },
      model: { modelId: "x" },
      approvalMode: "allowlist",
      network: { useHttp1ForAgent: false },
      sandbox: { mode: "enabled" },
      permissions: { allow: ["Shell(ls)", "Mcp(files:read_file)"], deny: [] },
    }),
    ["allow: files(read_file)"],
  ],
  [
    "openai",
    json({
      model: "gpt",
      input: "Tidy up the tools that are allowed.",
      tool_choice: "auto",
      max_tool_calls: 5,
      parallel_tool_calls: true,
      tools: [
        { type: "mcp", server_label: "files", server_url: "https://x", require_approval: "never", allowed_tools: null },
      ],
    }),
    ["allow: files(*)"],
  ],
  [
    "copilot",
    "copilot --model gpt --add-dir /tmp --log-level debug --allow-tool 'files(read_file)' --deny-url x.example --mode autopilot -p hello",
    ["allow: files(read_file)"],
  ],
]

it.each(ordinary)(
  "%s: rules in ordinary settings are taken over, and nothing is left out for their sake",
  (id, text, rules) => {
    const result = ruleLanguages.find((each) => each.id === id)?.read(text, { name: "rules", servers: ["files"] })
    if (result?.ok !== true) throw new Error(JSON.stringify(result))
    expect(result.rules.map(({ effect, target }) => `${effect}: ${formatTargetPattern(target)}`)).toEqual(rules)
    const stricter = result.losses.filter(({ kind }) => kind === "stricter").map(({ written }) => written)
    // The report always tells how opencode treats calls that no pattern matches.
    expect(stricter.filter((written) => written !== "everything else")).toEqual([])
  },
)
