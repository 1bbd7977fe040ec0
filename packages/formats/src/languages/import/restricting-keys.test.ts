import { readdirSync, readFileSync } from "node:fs"
import { formatTargetPattern } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { ruleLanguages } from "../languages.ts"

const servers = ["files", "web", "my notes"]

function read(id: string, text: string) {
  const result = ruleLanguages
    .find((each) => each.id === id)
    ?.read(text, { name: "rules", servers, configured: servers, folder: "/p" })
  if (result?.ok !== true) throw new Error(JSON.stringify({ text, result }))
  const rules = result.rules.map(({ effect, target }) => `${effect}: ${formatTargetPattern(target)}`)
  return { rules, losses: result.losses, offers: result.offers }
}

const claude = (more: object, permissions: object = {}) =>
  JSON.stringify({ permissions: { allow: ["mcp__files", "mcp__web__get"], ...permissions }, ...more })
const trusting = (more: object) =>
  JSON.stringify({ mcpServers: { files: { command: "x", trust: true }, web: { command: "y", trust: true } }, ...more })
const qwen = (more: object) => JSON.stringify({ permissions: { allow: ["mcp__files", "mcp__web__get"] }, ...more })
const codex = (more: string) =>
  `${more}\n[mcp_servers.files]\ndefault_tools_approval_mode = "approve"\n[mcp_servers.web.tools.get]\napproval_mode = "approve"\n`
const opencode = (more: object) => JSON.stringify({ permission: { "files_*": "allow", web_get: "allow" }, ...more })
const server = (more: object, key = "autoApprove") =>
  JSON.stringify({ mcpServers: { files: { [key]: ["read"], ...more }, web: { [key]: ["get"] } } })
const cursor = (more: object) => JSON.stringify({ mcpAllowlist: ["files:*", "web:get"], ...more })
const openai = (more: object, body: object = {}) =>
  JSON.stringify({
    tools: [
      { type: "mcp", server_label: "files", require_approval: "never", ...more },
      { type: "mcp", server_label: "web", require_approval: { never: { tool_names: ["get"] } } },
    ],
    ...body,
  })
const saved = (location: object, approval: object = {}) =>
  JSON.stringify({
    locations: {
      "/p": {
        tool_approvals: [
          { kind: "mcp", serverName: "files", toolName: "read", ...approval },
          { kind: "mcp", serverName: "web", toolName: "get" },
        ],
        ...location,
      },
    },
  })
const policyRule = (more: string) =>
  `[[rule]]\nmcpName = "files"\ntoolName = "*"\ndecision = "allow"\npriority = 5\n${more}\n[[rule]]\nmcpName = "web"\ntoolName = "get"\ndecision = "allow"\npriority = 5\n`

/** The rules that are left; every key here was once reported as not about tools, and the allows beside it stayed. */
const cases: ReadonlyArray<readonly [id: string, key: string, text: string, rules: readonly string[]]> = [
  [
    "claude-code",
    "deniedMcpServers",
    claude({ deniedMcpServers: [{ serverName: "files" }] }),
    ["hide: files(*)", "allow: web(get)"],
  ],
  ["claude-code", "deniedMcpServers by address", claude({ deniedMcpServers: [{ serverUrl: "https://x/*" }] }), []],
  [
    "claude-code",
    "disabledMcpjsonServers",
    claude({ disabledMcpjsonServers: ["web"] }),
    ["hide: web(*)", "allow: files(*)"],
  ],
  ["claude-code", "disabledMcpServers", claude({ disabledMcpServers: ["web"] }), ["hide: web(*)", "allow: files(*)"]],
  [
    "claude-code",
    "disabledMcpServers of a name that is written otherwise",
    claude({ disabledMcpServers: ["my notes"] }, { allow: ["mcp__my_notes"] }),
    ["hide: my[!A-Za-z0-9-]notes(*)"],
  ],
  [
    "claude-code",
    "allowedMcpServers",
    claude({ allowedMcpServers: [{ serverName: "web" }] }),
    ["hide: files(*)", "hide: my notes(*)", "allow: web(get)"],
  ],
  ["claude-code", "allowedMcpServers by command", claude({ allowedMcpServers: [{ serverCommand: ["x"] }] }), []],
  ["claude-code", "hooks.PreToolUse for all", claude({ hooks: { PreToolUse: [{ hooks: [] }] } }), []],
  [
    "claude-code",
    "hooks.PreToolUse for a server",
    claude({ hooks: { PreToolUse: [{ matcher: "Bash|mcp__files__.*", hooks: [] }] } }),
    ["allow: web(get)"],
  ],
  [
    "claude-code",
    "hooks.PreToolUse for a tool",
    claude({ hooks: { PreToolUse: [{ matcher: "mcp__files__drop", hooks: [] }] } }),
    ["ask: files(drop)", "allow: files(*)", "allow: web(get)"],
  ],
  [
    "claude-code",
    "hooks.PreToolUse by an expression",
    claude({ hooks: { PreToolUse: [{ matcher: ".*drop", hooks: [] }] } }),
    [],
  ],
  ["claude-code", "permissions.defaultMode plan", claude({}, { defaultMode: "plan" }), []],
  ["claude-code", "an unknown key in permissions", claude({}, { except: ["mcp__files__drop"] }), []],
  ["claude-code", "an unknown key about tools", claude({ blockedTools: ["mcp__files__drop"] }), []],
  ["claude-code", "an unknown key with tools in it", claude({ novelty: { list: ["mcp__files__drop"] } }), []],
  ["claude-code", "agent", claude({ agent: "reviewer" }), []],
  ["claude-code", "strictPluginOnlyCustomization", claude({ strictPluginOnlyCustomization: ["mcp"] }), []],
  [
    "claude-code",
    "enabledPlugins",
    claude({ enabledPlugins: { "db@team": false } }, { allow: ["mcp__plugin_db_sql__query", "mcp__web__get"] }),
    ["allow: web(get)"],
  ],
  [
    "claude-code",
    "disableClaudeAiConnectors",
    claude({ disableClaudeAiConnectors: true }, { allow: ["mcp__claude_ai_Mail__send", "mcp__web__get"] }),
    ["allow: web(get)"],
  ],
  [
    "claude-code",
    "an unknown key of a server",
    claude({ mcpServers: { files: { command: "x", disabled: true } } }),
    ["allow: web(get)"],
  ],
  [
    "gemini",
    "tools.exclude",
    trusting({ tools: { exclude: ["mcp_files_drop"] } }),
    ["allow: files(*)", "allow: web(*)", "hide: files(drop)"],
  ],
  [
    "gemini",
    "excludeTools",
    trusting({ excludeTools: ["mcp_files_drop"] }),
    ["allow: files(*)", "allow: web(*)", "hide: files(drop)"],
  ],
  [
    "gemini",
    "tools.exclude of a plain name",
    trusting({ tools: { exclude: ["drop_all"] } }),
    ["ask: *(drop_all)", "allow: files(*)", "allow: web(*)"],
  ],
  [
    "gemini",
    "tools.confirmationRequired",
    trusting({ tools: { confirmationRequired: ["mcp_files_drop"] } }),
    ["allow: files(*)", "allow: web(*)", "ask: files(drop)"],
  ],
  ["gemini", "tools.core", trusting({ tools: { core: ["read_file"] } }), []],
  ["gemini", "coreTools", trusting({ coreTools: ["read_file"] }), []],
  ["gemini", "an unknown key in tools", trusting({ tools: { gated: true } }), []],
  ["gemini", "an unknown key in mcp", trusting({ mcp: { off: true } }), []],
  ["gemini", "excludeMCPServers", trusting({ excludeMCPServers: ["files"] }), ["allow: web(*)", "hide: files(*)"]],
  [
    "gemini",
    "allowMCPServers",
    trusting({ allowMCPServers: ["web"] }),
    ["allow: web(*)", "hide: files(*)", "hide: my notes(*)"],
  ],
  [
    "gemini",
    "mcp.allowed, beside trust of a server that nobody knows",
    JSON.stringify({ mcp: { allowed: ["web", "files", "my notes"] }, mcpServers: { extra: { trust: true } } }),
    [],
  ],
  ["gemini", "admin.mcp.enabled", trusting({ admin: { mcp: { enabled: false } } }), []],
  ["gemini", "admin.mcp.config", trusting({ admin: { mcp: { config: { web: {} } } } }), []],
  ["gemini", "security.enableConseca", trusting({ security: { enableConseca: true } }), []],
  ["gemini", "general.defaultApprovalMode plan", trusting({ general: { defaultApprovalMode: "plan" } }), []],
  ["gemini", "hooks.BeforeTool", trusting({ hooks: { BeforeTool: [{ matcher: "write_file" }] } }), []],
  ["gemini", "hooks.BeforeToolSelection", trusting({ hooks: { BeforeToolSelection: [{ hooks: [] }] } }), []],
  ["gemini", "policyPaths", trusting({ policyPaths: ["/etc/x.toml"] }), []],
  [
    "gemini",
    "an unknown key of a server",
    JSON.stringify({ mcpServers: { files: { trust: true, denyTools: ["drop"] }, web: { trust: true } } }),
    ["allow: web(*)"],
  ],
  ["gemini", "an unknown key of a policy rule", policyRule('onlyIn = "x"'), ["allow: web(get)"]],
  [
    "gemini",
    "safety_checker",
    policyRule(
      '[[safety_checker]]\nmcpName = "files"\ntoolName = "*"\n[safety_checker.checker]\ntype = "external"\nname = "x"',
    ),
    ["allow: web(get)"],
  ],
  ["gemini", "an unknown key of a policy file", `limits = 3\n${policyRule("")}`, []],
  [
    "qwen",
    "tools.exclude",
    qwen({ tools: { exclude: ["mcp__files__drop"] } }),
    ["allow: files(*)", "allow: web(get)", "deny: files(drop)"],
  ],
  [
    "qwen",
    "excludeTools",
    qwen({ excludeTools: ["mcp__files__drop"] }),
    ["allow: files(*)", "allow: web(get)", "deny: files(drop)"],
  ],
  ["qwen", "excludeMCPServers", qwen({ excludeMCPServers: ["files"] }), ["hide: files(*)", "allow: web(get)"]],
  ["qwen", "tools.approvalMode plan", qwen({ tools: { approvalMode: "plan" } }), []],
  ["qwen", "approvalMode plan", qwen({ approvalMode: "plan" }), []],
  ["qwen", "hooks.PreToolUse", qwen({ hooks: { PreToolUse: [{ matcher: "mcp__.*" }] } }), []],
  ["qwen", "an unknown key in tools", qwen({ tools: { disabled: ["x"] } }), []],
  [
    "qwen",
    "an unknown key in permissions",
    JSON.stringify({ permissions: { allow: ["mcp__files"], never: ["x"] } }),
    [],
  ],
  ["qwen", "an unknown key in security", qwen({ security: { lockdown: true } }), []],
  ["codex", "an unknown key of a server", `${codex("")}[mcp_servers.files.filters]\nx = 1\n`, ["allow: web(get)"]],
  [
    "codex",
    "omit_tools_from",
    '[mcp_servers.files]\ndefault_tools_approval_mode = "approve"\nomit_tools_from = ["x"]\n',
    [],
  ],
  [
    "codex",
    "an unknown key of a tool",
    '[mcp_servers.files.tools.drop]\napproval_mode = "approve"\nenabled = false\n',
    [],
  ],
  ["codex", "hooks", codex('[[hooks.PreToolUse]]\nmatcher = "mcp__.*"\n'), []],
  ["codex", "orchestrator.mcp", codex("[orchestrator.mcp]\nenabled = false\n"), []],
  ["codex", "plugins", codex('[plugins.p.mcp_servers.files]\ndisabled_tools = ["drop"]\n'), ["allow: web(get)"]],
  ["codex", "an unknown key about servers", codex('denied_mcp_servers = ["files"]\n'), []],
  ["codex", "an unknown key of a profile", codex("[profiles.p]\nmcp_servers = { files = { enabled = false } }\n"), []],
  [
    "opencode",
    "permission of an agent",
    opencode({ agent: { build: { permission: { "files_*": "deny" } } } }),
    ["allow: web(get)"],
  ],
  ["opencode", "tools of a mode", opencode({ mode: { plan: { tools: { "files_*": false } } } }), ["allow: web(get)"]],
  ["opencode", "experimental.policies", opencode({ experimental: { policies: [{ effect: "deny" }] } }), []],
  ["opencode", "an unknown key about tools", opencode({ denied_tools: ["files_drop"] }), []],
  [
    "opencode",
    "an unknown key of a server",
    opencode({ mcp: { files: { type: "local", command: ["x"], only: ["read"] } } }),
    ["allow: web(get)"],
  ],
  ["cline", "an unknown key of a server", server({ excludeTools: ["read"] }), ["allow: web(get)"]],
  ["roo", "an unknown key of a server", server({ enabled: false }, "alwaysAllow"), ["allow: web(get)"]],
  ["cline", "an unknown key of the file", JSON.stringify({ ...JSON.parse(server({})), locked: true }), []],
  ["cursor", "an unknown list", cursor({ mcpDenylist: ["files:drop"] }), []],
  ["cursor", "autoRun.block_instructions", cursor({ autoRun: { block_instructions: ["Pause deletions."] } }), []],
  ["cursor", "an unknown key in autoRun", cursor({ autoRun: { off: true } }), []],
  [
    "cursor-cli",
    "an unknown key in permissions",
    JSON.stringify({ permissions: { allow: ["Mcp(files:*)"], ask: ["Mcp(files:drop)"] } }),
    [],
  ],
  ["goose", "an unknown key in user", "user:\n  always_allow: [files__read]\n  block: [files__read]\n", []],
  [
    "goose",
    "an unknown key of the file",
    "user:\n  always_allow: [files__read]\nadmin:\n  never_allow: [files__read]\n",
    [],
  ],
  ["openai", "allowed_tools by annotation", openai({ allowed_tools: { read_only: true } }), ["allow: web(get)"]],
  ["openai", "an unknown filter", openai({ allowed_tools: { safe: true } }), ["allow: web(get)"]],
  ["openai", "an unknown key of a tool", openai({ blocked_tools: ["drop"] }), ["allow: web(get)"]],
  [
    "openai",
    "an unknown key of require_approval",
    openai({ require_approval: { never: { tool_names: ["x"] }, deny: {} } }),
    ["allow: web(get)"],
  ],
  [
    "openai",
    "an unknown key of a filter",
    openai({ require_approval: { never: { tool_names: ["x"], if: "y" } } }),
    ["allow: web(get)"],
  ],
  ["openai", "tool_choice", openai({}, { tool_choice: { type: "mcp", server_label: "web" } }), []],
  ["tool-lists", "pre_hook", "files:\n  auto_approved_tools: [read]\n  pre_hook: x.py\n", []],
  ["tool-lists", "an unknown key of a server", "files:\n  auto_approved_tools: [read]\n  denied: [read]\n", []],
  ["copilot", "--disable-mcp-server", "--allow-tool files --disable-mcp-server files", ["deny: files(*)"]],
  ["copilot", "--agent", "--allow-tool files --agent reviewer", []],
  ["copilot", "--mode plan", "--allow-tool files --mode plan", []],
  ["copilot", "--plan", "--allow-tool files --plan", []],
  [
    "copilot",
    "--additional-mcp-config",
    `--allow-tool files --additional-mcp-config '{"mcpServers":{"files":{"tools":["read"]}}}'`,
    [],
  ],
  ["copilot", "an unknown flag about tools", "--allow-tool files --blocked-tools drop", []],
  ["copilot", "a prompt after a flag", "--allow-tool files -p web", ["allow: files(*)"]],
  ["copilot", "an unknown key of a folder", saved({ denied: [{ kind: "mcp" }] }), []],
  ["copilot", "an unknown key of an approval", saved({}, { arguments: { path: "x" } }), ["allow: web(get)"]],
]

describe("a key that restricts tools, or may, beside rules that allow them (R130)", () => {
  it.each(cases)("%s: %s", (id, _, text, rules) => {
    const result = read(id, text)
    expect(result.rules.toSorted()).toEqual([...rules].sort())
    const told = result.losses.filter(({ kind }) => kind !== "no-effect")
    expect(told.length + result.rules.filter((rule) => !rule.startsWith("allow")).length).toBeGreaterThan(0)
  })

  it("names the key, its place, and each allow that is left out", () => {
    const { losses } = read("claude-code", `{"blockedTools": ["x"],\n "permissions": {"allow": ["mcp__files"]}}`)
    expect(losses).toEqual([
      expect.objectContaining({
        kind: "stricter",
        path: "permissions.allow[0]",
        line: 2,
        why: "blockedTools may restrict it",
      }),
      expect.objectContaining({ kind: "stricter", path: "blockedTools", line: 1, became: "1 allow is left out" }),
    ])
  })

  it("Byleave's own JSON: what a server offers is carried, and a key that is not known is refused", () => {
    const text = (more: object) =>
      JSON.stringify({ format: "byleave-policy", version: 1, rules: [{ allow: "files(*)" }], ...more })
    const offered = text({ servers: [{ id: "files", trust: "none", pin: "full", offer: ["read_*"] }] })
    expect(read("byleave", offered).offers).toEqual([{ server: "files", tools: ["read_*"] }])
    const language = ruleLanguages.find(({ id }) => id === "byleave")
    expect(language?.read(offered, { name: "rules", servers: [] })).toMatchObject({
      ok: true,
      rules: [{ effect: "allow" }, { effect: "hide", target: { server: "files", name: "*" } }],
    })
    expect(language?.read(text({ exceptions: [] }), { name: "rules", servers: [] })).toMatchObject({
      ok: false,
      problems: [{ code: "unknown-key", path: "exceptions" }],
    })
  })

  it("a file of thousands of unknown keys is refused, not compared one by one", () => {
    const keys = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`tool${at} deny`, 1]))
    const language = ruleLanguages.find(({ id }) => id === "claude-code")
    expect(language?.read(claude(keys), { name: "rules", servers })).toMatchObject({
      ok: false,
      problems: [{ code: "too-large" }],
    })
  })
})

describe("a key that nobody knows, in a sample of each language (R130)", () => {
  const folder = new URL("../fixtures/samples/", import.meta.url)
  const samples = readdirSync(folder).map((file) => ({
    file,
    language: ruleLanguages.find(({ id }) => id === file.replace(/\.\w+$/, "").replace(/-(?:saved|settings)$/, "")),
    text: readFileSync(new URL(file, folder), "utf8"),
  }))
  const options = { name: "rules", servers: ["files", "web", "@scope/notes"], folder: "/home/ada/notes" }

  it("is there for every language but Byleave's own, which refuses it", () => {
    const sampled = new Set(samples.map(({ language }) => language?.id))
    expect(ruleLanguages.filter(({ id }) => !sampled.has(id)).map(({ id }) => id)).toEqual(["byleave"])
  })

  it.each(samples)("$file: leaves nothing allowed, or the file is refused", ({ file, language, text }) => {
    const before = language?.read(text, options)
    const key = file.endsWith(".json") ? text.replace("{", '{ "deniedTools": ["x"],') : `deniedTools = ["x"]\n${text}`
    const other = file.endsWith(".yaml") ? `deniedTools: [x]\n${text}` : key
    const after = language?.read(file.endsWith(".txt") ? `${text} --denied-tools x` : other, options)
    expect(before).toMatchObject({ ok: true })
    expect(after?.ok === true ? after.rules.filter(({ effect }) => effect === "allow") : []).toEqual([])
  })

  it.each(samples.filter(({ file }) => file.endsWith(".json")))(
    "$file: changes the report in every map that rules are taken from, or the file is refused",
    ({ language, text }) => {
      const plain = text.replaceAll(/^\s*\/\/.*$/gm, "")
      const reportOf = (from: string) => {
        const result = language?.read(from, options)
        return result?.ok === true ? result.losses.map(({ path, why }) => `${path} ${why}`) : null
      }
      for (const { index } of plain.matchAll(/\{(?!\s*\})/g)) {
        const rest = plain.slice(index + 1)
        // Nothing is taken from these.
        if (/^\s*"(?:type": "web_search|kind": "(?!mcp)|tool_approvals|kind": "mcp", "serverName": "web)/.test(rest))
          continue
        const changed = `${plain.slice(0, index + 1)} "deniedTools": ["x"],${rest}`
        expect({ changed, report: reportOf(changed) }).not.toMatchObject({ report: reportOf(plain) })
      }
    },
  )
})
