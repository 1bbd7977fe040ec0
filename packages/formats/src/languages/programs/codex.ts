import { type Effect, escapeGlob, type Policy } from "@byleave/core"
import { optional, readBoolean, readWord } from "../../read/fields.ts"
import type { MapEntry, MapNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { tomlKey, tomlText } from "../export/toml-text.ts"
import { type ToolTable, tableAnswer, toolsWith, toolTable, translated } from "../export/tool-table.ts"
import { everyTool, everyToolOf } from "../import/doubts.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { doubtHooks, meantByExpression } from "../import/hook-doubts.ts"
import { checkKeys, wordsIn } from "../import/known-keys.ts"
import { entryOf, mapAt, readTomlFile, serverMaps, switchAt, textItems } from "../import/source-tree.ts"
import type { RuleLanguage, RuleLoss, WriteRulesOptions } from "../language.ts"

/** `mcp_servers` of Codex's configuration: a tool's mode decides, else its server's. */
export const codex: RuleLanguage = {
  id: "codex",
  name: "Codex",
  file: "~/.codex/config.toml",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readTomlFile(text, findings.report)
    checkSettings(root, findings)
    for (const { id, entry, map } of serverMaps(entryOf(root, "mcp_servers"), findings.report)) {
      readCodexServer(id, entry, map, findings)
    }
    return findings.finish("first")
  },
  write: (policy, options) => {
    const { tables, losses } = codexTables(policy, options)
    return { text: tables.map(serverText).join("\n"), losses }
  },
}

function codexTables(policy: Policy, { known }: WriteRulesOptions) {
  const plain = plainPolicy(policy, known)
  const tables = plain.servers.map((server) => said(toolTable(server)))
  const losses = exportLosses(plain, tableAnswer(tables), { name: "Codex", saysGlob: () => false, unnamed: "either" })
  return { tables, losses }
}

/**
 * The policy as values of Codex's `-c`, for the servers that its configuration has: it does not start with settings of another one. Its
 * keys are cut at dots without regard to quotes, so a server with a dot in its name cannot be set this way.
 */
export function codexOverrides(
  policy: Policy,
  options: WriteRulesOptions,
  configured: readonly string[],
): { readonly values: readonly string[]; readonly losses: readonly RuleLoss[] } {
  const { tables, losses } = codexTables(policy, options)
  const set = tables.filter(({ id }) => configured.includes(id) && isPlainKey(id))
  const unset = configured
    .filter((id) => !isPlainKey(id))
    .map((id): RuleLoss => {
      const why = "Codex cannot set a server whose name is not a plain word on its command line"
      return { kind: "weaker", path: id, written: `rules of ${id}`, why, became: "what its configuration says" }
    })
  const values = set.flatMap((table) => {
    const { lists, mode, others, word } = saidOf(table)
    const tools = others.map((tool) => `${tomlKey(tool)}={approval_mode="${word}"}`)
    return [
      ...lists,
      `default_tools_approval_mode="${mode}"`,
      ...(tools.length === 0 ? [] : [`tools={${tools.join(",")}}`]),
    ].map((value) => `mcp_servers.${table.id}.${value}`)
  })
  return { values, losses: [...losses, ...unset] }
}

function isPlainKey(id: string): boolean {
  return tomlKey(id) === id
}

const modes = ["auto", "prompt", "writes", "approve"] as const
type CodexMode = (typeof modes)[number]

const transportKeys = wordsIn(
  "command args env cwd url bearer_token bearer_token_env_var http_headers http_headers_helper env_http_headers env_vars",
  "required name auth oauth oauth_resource scopes environment_id supports_parallel_tool_calls",
  "startup_timeout_sec startup_timeout_ms tool_timeout_sec",
)
const ruleKeys = ["enabled", "enabled_tools", "disabled_tools", "default_tools_approval_mode", "tools"]

/** Settings of the model, of Codex's own tools and its sandbox, and of how it looks. */
const otherKeys = wordsIn(
  "model model_provider model_providers approval_policy approvals_reviewer auto_review sandbox_mode windows tui notice",
  "sandbox_workspace_write shell_environment_policy permissions default_permissions projects project_root_markers tools",
  "mcp_oauth_callback_port mcp_oauth_callback_url mcp_oauth_credentials_store include_permissions_instructions otel",
  "tool_output_token_limit tool_suggest apps_mcp_product_sku responses_api_metadata history agents skills memories",
)
const profileKeys = [...otherKeys, "features"]

/** Looks through the other settings for those that leave tools of servers out. */
function checkSettings(root: MapNode | undefined, findings: Findings): void {
  const { report } = findings
  const read = ["mcp_servers", "hooks", "features", "profiles", "plugins", "apps", "orchestrator"]
  checkKeys(root, { read, other: otherKeys, unknown: "speaking" }, findings)
  for (const { map } of serverMaps(entryOf(root, "profiles"), report)) {
    checkKeys(map, { read: [], other: profileKeys, unknown: "speaking" }, findings)
  }
  for (const { map } of serverMaps(entryOf(root, "plugins"), report)) {
    for (const { id, entry } of serverMaps(entryOf(map, "mcp_servers"), report)) {
      const why = "a plugin's settings may restrict its server"
      findings.doubt({ ...everyToolOf(escapeGlob(id)), at: entry, written: entry.path, why })
    }
  }
  const apps = entryOf(root, "apps")
  const why = "it restricts tools of apps"
  if (apps !== undefined) findings.doubt({ ...everyToolOf("codex_apps"), at: apps, written: "apps", why })
  const orchestrated = mapAt(mapAt(root, "orchestrator", report), "mcp", report)
  if (orchestrated !== undefined && switchAt(orchestrated, "enabled") !== true) {
    findings.doubt({ ...everyTool, at: orchestrated, written: "orchestrator.mcp", why: "no server is used" })
  }
  if (switchAt(mapAt(root, "features", report), "hooks") !== false) {
    doubtHooks(mapAt(root, "hooks", report), { name: "Codex", meantBy: meantByExpression("mcp__") }, findings)
  }
}

function readCodexServer(id: string, entry: MapEntry, map: MapNode, findings: Findings): void {
  const { report, add } = findings
  const server = escapeGlob(id)
  checkKeys(map, { read: [...transportKeys, ...ruleKeys], about: everyToolOf(server), unknown: "any" }, findings)
  const enabled = entryOf(map, "enabled")
  if (optional(enabled?.value, (node) => readBoolean(node, "`enabled`", report)) === false) {
    add({ effect: "hide", server, tool: "*", at: enabled ?? entry, written: "enabled = false" })
  }
  const only = entryOf(map, "enabled_tools")
  if (only !== undefined)
    findings.offer(
      id,
      textItems(only, report).map(({ text }) => escapeGlob(text)),
      only,
    )
  for (const { text, at } of textItems(entryOf(map, "disabled_tools"), report)) {
    add({ effect: "hide", server, tool: escapeGlob(text), at, written: `disabled_tools: ${text}` })
  }
  const tools = entryOf(map, "tools")
  for (const { id: tool, map: settings } of serverMaps(tools, report)) {
    const about = { server, tool: escapeGlob(tool) }
    checkKeys(settings, { read: ["approval_mode"], about, unknown: "any" }, findings)
    readMode(entryOf(settings, "approval_mode"), server, about.tool, findings)
  }
  readMode(entryOf(map, "default_tools_approval_mode"), server, "*", findings)
}

function readMode(entry: MapEntry | undefined, server: string, tool: string, findings: Findings): void {
  if (entry === undefined) return
  const mode = readWord(entry.value, `\`${entry.key}\``, modes, findings.report)
  if (mode === undefined) return
  const written = `${entry.key} = "${mode}"`
  findings.add({ effect: mode === "approve" ? "allow" : "ask", server, tool, at: entry, written })
  if (mode === "auto" || mode === "writes") {
    const why = "it lets tools run by what they say of themselves; to do so here, write an allow with `access: read`"
    findings.lose("stricter", entry, written, why, "ask")
  }
}

/** Codex has no denial but to leave a tool out. Its own default lets some tools run, so that every server gets a mode. */
function said(table: ToolTable): ToolTable {
  const refused = (effect: Effect): Effect => (effect === "deny" ? "hide" : effect)
  return translated(table, refused, refused(table.rest))
}

function saidOf(table: ToolTable) {
  const hidden = toolsWith(table, "hide")
  const shown = toolsWith(table, "allow", "ask")
  const mode: CodexMode = table.rest === "allow" ? "approve" : "prompt"
  const word: CodexMode = mode === "approve" ? "prompt" : "approve"
  const others = shown.filter((tool) => (table.tools.get(tool) === "allow") !== (mode === "approve"))
  const lists = [
    ...(table.rest === "hide" && shown.length === 0 ? ["enabled = false"] : []),
    ...(table.rest === "hide" ? [`enabled_tools = ${list(shown)}`] : []),
    ...(table.rest !== "hide" && hidden.length > 0 ? [`disabled_tools = ${list(hidden)}`] : []),
  ]
  return { lists, mode, others, word }
}

function serverText(table: ToolTable): string {
  const { lists, mode, others, word } = saidOf(table)
  const key = `mcp_servers.${tomlKey(table.id)}`
  return [
    `[${key}]`,
    ...lists,
    `default_tools_approval_mode = "${mode}"`,
    ...others.flatMap((tool) => ["", `[${key}.tools.${tomlKey(tool)}]`, `approval_mode = "${word}"`]),
    "",
  ].join("\n")
}

function list(tools: readonly string[]): string {
  return `[${tools.map(tomlText).join(", ")}]`
}
