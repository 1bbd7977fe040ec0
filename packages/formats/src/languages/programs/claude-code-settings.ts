/** The settings of Claude Code beside `permissions` that decide which servers and tools there are. */
import { plainName } from "@byleave/core"
import type { MapEntry, MapNode } from "../../text/tree.ts"
import { everyTool, everyToolOf } from "../import/doubts.ts"
import type { Findings } from "../import/found-rules.ts"
import { doubtHooks } from "../import/hook-doubts.ts"
import { checkKeys, wordsIn } from "../import/known-keys.ts"
import { entryOf, mapAt, serverMaps, switchAt, textItems } from "../import/source-tree.ts"
import { type McpRuleProgram, restrictedTools, serverCalled } from "../mcp-rule.ts"

const serverKeys = [
  "deniedMcpServers",
  "allowedMcpServers",
  "disabledMcpjsonServers",
  "disabledMcpServers",
  "mcpServers",
]
const pluginKeys =
  "enabledPlugins strictKnownMarketplaces allowedMarketplaces blockedMarketplaces disableCommandPluginSources".split(
    " ",
  )
const otherRead =
  "permissions hooks disableAllHooks agent disableClaudeAiConnectors strictPluginOnlyCustomization".split(" ")

const harmless = wordsIn(
  "$schema apiKeyHelper proxyAuthHelper awsCredentialExport awsAuthRefresh gcpAuthRefresh processWrapper fileSuggestion",
  "respectGitignore cleanupPeriodDays desktopSessionCleanupPeriodDays env attribution attributionProject language",
  "attributionProjectPolicy includeCoAuthoredBy includeGitInstructions model fallbackModel availableModels sandbox",
  "enforceAvailableModels availableModelsMatch deniedModels modelOverrides modelPicker modelPricing outputStyle",
  "enableAllProjectMcpServers enabledMcpjsonServers managedMcpServers allowAllClaudeAiMcps theme verbose viewMode",
  "allowClaudeInChromeWithManagedMcp allowManagedMcpServersOnly allowManagedPermissionRulesOnly allowManagedHooksOnly",
  "allowedHttpHookUrls httpHookAllowedEnvVars disableBundledSkills disableSkillShellExecution skillOverrides statusLine",
  "prependPlugins appendPlugins extraKnownMarketplaces additionalMarketplaces pluginSuggestionMarketplaces pluginConfigs",
  "pluginTrustMessage disableSideloadFlags forceLoginMethod forceLoginOrgUUID allowedProviders otelHeadersHelper",
  "managedSourcesBehavior parentSettingsBehavior skipWebFetchPreflight syntaxHighlightingDisabled alwaysThinkingEnabled",
  "channelsEnabled allowedChannelPlugins requiredMinimumVersion requiredMaximumVersion minimumVersion spinnerTipsEnabled",
  "skipDangerousModePermissionPrompt skipAutoPermissionPrompt disableAutoMode autoMode useAutoModeDuringPlan effortLevel",
  "autoUpdatesChannel autoCompactEnabled preferredNotifChannel editorMode plansDirectory companyAnnouncements worktree",
)

const transportKeys = "type command args env cwd url headers headersHelper oauth timeout".split(" ")

/** A server of a plugin is called `plugin:NAME:SERVER`, one of claude.ai `claude.ai NAME`. */
const gap = "[!A-Za-z0-9-]"

export function readClaudeSettings(root: MapNode | undefined, program: McpRuleProgram, findings: Findings): void {
  checkKeys(
    root,
    { read: [...serverKeys, ...pluginKeys, ...otherRead], other: harmless, unknown: "speaking" },
    findings,
  )
  for (const key of ["disabledMcpjsonServers", "disabledMcpServers"]) {
    for (const { text, at } of textItems(entryOf(root, key), findings.report)) {
      findings.add({ effect: "hide", server: serverCalled(text, program), tool: "*", at, written: `${key}: ${text}` })
    }
  }
  readDenied(entryOf(root, "deniedMcpServers"), program, findings)
  readAllowed(entryOf(root, "allowedMcpServers"), findings)
  for (const { id, map } of serverMaps(entryOf(root, "mcpServers"), findings.report)) {
    const about = everyToolOf(serverCalled(id, program))
    checkKeys(map, { read: transportKeys, about, unknown: "any" }, findings)
  }
  doubtPlugins(root, findings)
  if (switchAt(root, "disableAllHooks") !== true) {
    doubtHooks(
      mapAt(root, "hooks", findings.report),
      { name: program.name, meantBy: meantBy(program, findings) },
      findings,
    )
  }
  const agent = entryOf(root, "agent")
  if (agent !== undefined) {
    findings.doubt({
      ...everyTool,
      at: agent,
      written: "agent",
      why: "an agent may have fewer tools than the rules allow",
    })
  }
}

/** Names of servers, or commands and addresses, which do not say which server they are about. */
function namesIn(
  entry: MapEntry,
  { report }: Findings,
): ReadonlyArray<{ readonly name: string | null; readonly at: MapNode }> {
  if (entry.value.kind !== "list") {
    report.error(entry.value, "wrong-type", `\`${entry.key}\` must be a list of servers.`)
    return []
  }
  return entry.value.items.flatMap((at) => {
    if (at.kind !== "map") {
      report.error(at, "wrong-type", `Each entry of \`${entry.key}\` must be a map.`)
      return []
    }
    const node = entryOf(at, "serverName")?.value
    const isAlone = at.entries.length === 1 && node?.kind === "scalar" && typeof node.value === "string"
    return [{ name: isAlone ? String(node.value) : null, at }]
  })
}

function readDenied(entry: MapEntry | undefined, program: McpRuleProgram, findings: Findings): void {
  for (const { name, at } of entry === undefined ? [] : namesIn(entry, findings)) {
    const written = `deniedMcpServers: ${name ?? "a command or address"}`
    if (name !== null) findings.add({ effect: "hide", server: serverCalled(name, program), tool: "*", at, written })
    else findings.doubt({ ...everyTool, at, written, why: "it denies a server by something other than its name" })
  }
}

function readAllowed(entry: MapEntry | undefined, findings: Findings): void {
  if (entry === undefined) return
  const listed = namesIn(entry, findings)
  const named = listed.flatMap(({ name }) => (name === null ? [] : [name]))
  const unnamed = listed.find(({ name }) => name === null)
  if (unnamed !== undefined) {
    const why = "it allows servers by something other than their names, and no others"
    findings.doubt({ ...everyTool, at: unnamed.at, written: entry.key, why })
  } else {
    const names = [...named, ...named.map(plainName)]
    findings.onlyServers({ names, at: entry, written: `${entry.key}: ${named.join(", ")}` })
  }
}

function doubtPlugins(root: MapNode | undefined, findings: Findings): void {
  const doubt = (server: string, at: MapEntry, written: string) => {
    findings.doubt({ ...everyToolOf(server), at, written, why: "servers that it is about are not used" })
  }
  for (const plugin of mapAt(root, "enabledPlugins", findings.report)?.entries ?? []) {
    const isOn = plugin.value.kind === "scalar" && plugin.value.value === true
    const name = plainName(plugin.key.split("@")[0] ?? "")
    if (!isOn) doubt(`plugin${gap}${name.replaceAll("_", gap)}${gap}*`, plugin, `enabledPlugins: ${plugin.key}`)
  }
  for (const key of pluginKeys.slice(1)) {
    const entry = entryOf(root, key)
    if (entry !== undefined && switchAt(root, key) !== false) doubt(`plugin${gap}*`, entry, key)
  }
  const connectors = entryOf(root, "disableClaudeAiConnectors")
  if (connectors !== undefined && switchAt(root, connectors.key) !== false) {
    doubt(`claude${gap}ai${gap}*`, connectors, connectors.key)
  }
  const strict = entryOf(root, "strictPluginOnlyCustomization")
  const isOther =
    strict?.value.kind === "list" && !strict.value.items.some((item) => item.kind !== "scalar" || item.value === "mcp")
  if (strict !== undefined && switchAt(root, strict.key) !== false && !isOther) doubt("*", strict, strict.key)
}

/** A matcher of letters, digits, `_` and `|` is a list of names; another is a regular expression. */
function meantBy(program: McpRuleProgram, findings: Findings) {
  return (matcher: string) => {
    if (matcher.length > longestMatcher) return [everyTool]
    return matcher.split("|").flatMap((part) => {
      const written = part.trim()
      const name = [".*", ".+"].some((end) => written.endsWith(end)) ? `${written.slice(0, -2)}*` : written
      if (!/^[A-Za-z0-9_-]+\*?$/.test(name)) return [everyTool]
      if (!name.startsWith("mcp")) return name.endsWith("*") ? [everyTool] : []
      const named = restrictedTools(name, program, findings)
      return named.length === 0 ? [everyTool] : named
    })
  }
}

const longestMatcher = 200
