import { escapeGlob } from "@byleave/core"
import { optional, readBoolean } from "../../read/fields.ts"
import type { MapEntry, MapNode } from "../../text/tree.ts"
import { everyTool, everyToolOf } from "../import/doubts.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { doubtHooks, meantByExpression } from "../import/hook-doubts.ts"
import { checkKeys, wordsIn } from "../import/known-keys.ts"
import { doubtPlanMode } from "../import/plan-mode.ts"
import { entryOf, mapAt, readJsonFile, serverMaps, switchAt, textItems } from "../import/source-tree.ts"
import type { ReadRulesOptions, ReadRulesResult } from "../language.ts"
import { toolsNamed } from "./gemini-names.ts"

const transportKeys = [
  ..."command args env cwd url httpUrl headers tcp type timeout description oauth authProviderType".split(" "),
  ..."targetAudience targetServiceAccount extensionName".split(" "),
]
const serverRuleKeys = ["trust", "includeTools", "excludeTools"]

/** Keys that Gemini CLI and Qwen Code share, in this form and in that of earlier versions. */
export const sharedKeys = {
  read: ["mcpServers", "mcp", "tools", "excludeTools", "excludeMCPServers", "allowMCPServers", "hooks", "hooksConfig"],
  other: wordsIn(
    "$schema $version general ui ide privacy billing output model modelConfigs modelProviders context contextManagement",
    "telemetry advanced extensions skills theme preferredEditor selectedAuthType sandbox allowedTools autoAccept memory",
    "usageStatisticsEnabled checkpointing fileFiltering contextFileName bugCommand vimMode hideBanner hideTips ideMode",
    "folderTrust folderTrustFeature excludedProjectEnvVars toolDiscoveryCommand toolCallCommand mcpServerCommand env",
    "useWriteTodos agents includeDirectories slashCommands lsp",
  ),
  tools: wordsIn(
    "sandbox sandboxImage sandboxAllowedPaths sandboxNetworkAccess shell useRipgrep useBuiltinRipgrep autoAccept allowed",
    "discoveryCommand callCommand truncateToolOutputThreshold truncateToolOutputLines enableToolOutputTruncation",
    "disableLLMCorrection",
  ),
  security: ["auth", "folderTrust", "environmentVariableRedaction", "allowedEnvironmentVariables"],
} as const

const ownKeys = ["security", "admin", "experimental", "coreTools", "policyPaths", "adminPolicyPaths", "general"]
const ownSecurity = wordsIn(
  "toolSandboxing disableYoloMode disableAlwaysAllow enablePermanentToolApproval autoAddToPolicyByDefault",
  "blockGitExtensions allowedExtensions blockedEnvironmentVariables",
)

/** The settings of Gemini CLI: `trust` of servers, and everything that leaves tools out or asks about them. */
export function readGeminiSettings(text: string, options: ReadRulesOptions, program: string): ReadRulesResult {
  const findings = createFindings(options)
  const root = readJsonFile(text, findings.report)
  const other = sharedKeys.other.filter((key) => !ownKeys.includes(key))
  checkKeys(root, { read: [...sharedKeys.read, ...ownKeys], other, unknown: "speaking" }, findings)
  readTrustedServers(root, program, findings)
  const tools = mapAt(root, "tools", findings.report)
  const read = ["core", "exclude", "confirmationRequired"]
  checkKeys(tools, { read, other: sharedKeys.tools, unknown: "any" }, findings)
  readExcluded("hide", entryOf(tools, "exclude"), findings)
  readExcluded("hide", entryOf(root, "excludeTools"), findings)
  readExcluded("ask", entryOf(tools, "confirmationRequired"), findings)
  for (const entry of [entryOf(tools, "core"), entryOf(root, "coreTools")]) {
    if (entry === undefined) continue
    const why = `${program} denies every tool that is not in this list, tools of servers as well`
    findings.doubt({ ...everyTool, at: entry, written: entry.path, why })
  }
  readProtection(root, program, findings)
  return findings.finish("strictest")
}

function readProtection(root: MapNode | undefined, program: string, findings: Findings): void {
  const { report } = findings
  const security = mapAt(root, "security", report)
  const other = [...sharedKeys.security, ...ownSecurity]
  const isChecked = switchAt(security, "enableConseca") !== false
  checkKeys(security, { read: isChecked ? [] : ["enableConseca"], other, unknown: "any" }, findings)
  const admin = mapAt(root, "admin", report)
  checkKeys(admin, { read: ["mcp"], other: ["secureModeEnabled", "extensions", "skills"], unknown: "any" }, findings)
  const mcp = mapAt(admin, "mcp", report)
  const isOn = switchAt(mcp, "enabled") !== false
  checkKeys(mcp, { read: isOn ? ["enabled"] : [], other: ["requiredConfig"], unknown: "any" }, findings)
  checkKeys(mapAt(root, "experimental", report), { read: [], unknown: "speaking" }, findings)
  for (const key of ["policyPaths", "adminPolicyPaths"]) {
    const entry = entryOf(root, key)
    const why = "the files that it names may deny what is allowed here"
    if (entry !== undefined) findings.doubt({ ...everyTool, at: entry, written: key, why })
  }
  const general = mapAt(root, "general", report)
  doubtPlanMode(entryOf(general, "defaultApprovalMode"), findings)
  doubtSettingsHooks(root, program, "mcp_", findings)
}

/** Hooks in the settings of Gemini CLI and Qwen Code; their matchers are regular expressions. */
export function doubtSettingsHooks(root: MapNode | undefined, name: string, prefix: string, findings: Findings): void {
  const config = mapAt(root, "hooksConfig", findings.report)
  if (switchAt(config, "enabled") === false || switchAt(root, "disableAllHooks") === true) return
  doubtHooks(mapAt(root, "hooks", findings.report), { name, meantBy: meantByExpression(prefix) }, findings)
}

/** The part of the settings that Gemini CLI and Qwen Code share. */
export function readTrustedServers(root: MapNode | undefined, program: string, findings: Findings): void {
  for (const { id, map } of serverMaps(entryOf(root, "mcpServers"), findings.report)) {
    const server = escapeGlob(id)
    checkKeys(
      map,
      { read: [...transportKeys, ...serverRuleKeys], about: everyToolOf(server), unknown: "any" },
      findings,
    )
    readTrust(id, entryOf(map, "trust"), findings)
    for (const { text, at } of textItems(entryOf(map, "excludeTools"), findings.report)) {
      const tool = escapeGlob(toolIn(text))
      findings.add({ effect: "hide", server, tool, at, written: `excludeTools: ${text}` })
    }
    const only = entryOf(map, "includeTools")
    if (only !== undefined) {
      const tools = textItems(only, findings.report).map(({ text }) => escapeGlob(toolIn(text)))
      findings.offer(id, tools, only)
    }
  }
  const mcp = mapAt(root, "mcp", findings.report)
  const other = ["serverCommand", "autoAllowInHeadless"]
  checkKeys(mcp, { read: ["allowed", "excluded"], other, unknown: "any" }, findings)
  for (const entry of [entryOf(mcp, "excluded"), entryOf(root, "excludeMCPServers")]) {
    for (const { text, at } of textItems(entry, findings.report)) {
      const server = text === "*" ? "*" : escapeGlob(text)
      findings.add({ effect: "hide", server, tool: "*", at, written: `${program} excludes ${text}` })
    }
  }
  for (const entry of [entryOf(mcp, "allowed"), entryOf(root, "allowMCPServers")]) {
    const names = textItems(entry, findings.report).map(({ text }) => text)
    if (entry === undefined || names.includes("*")) continue
    findings.onlyServers({ names, at: entry, written: `${entry.path}: ${names.join(", ")}` })
  }
}

/** A tool may stand with an argument in parentheses. */
function toolIn(text: string): string {
  return /^[^(]+(?=\()/.exec(text)?.[0] ?? text
}

function readTrust(id: string, entry: MapEntry | undefined, findings: Findings): void {
  const trust = optional(entry?.value, (node) => readBoolean(node, "`trust`", findings.report))
  if (trust === true && entry !== undefined) {
    findings.add({ effect: "allow", server: escapeGlob(id), tool: "*", at: entry, written: `trust of ${id}` })
  }
}

/** Tools of Gemini CLI itself. */
const native = new Set(
  wordsIn(
    "run_shell_command ShellTool read_file write_file replace edit glob grep_search search_file_content list_directory",
    "read_many_files web_fetch google_web_search save_memory write_todos activate_skill ask_user enter_plan_mode",
    "exit_plan_mode get_internal_docs ReadFileTool WriteFileTool EditTool GlobTool GrepTool LSTool WebFetchTool",
    "WebSearchTool MemoryTool ReadManyFilesTool",
  ),
)

/** Names as models are given them. Earlier versions gave tools of servers without `mcp_`. */
function readExcluded(effect: "hide" | "ask", entry: MapEntry | undefined, findings: Findings): void {
  for (const { text, at } of textItems(entry, findings.report)) {
    const name = toolIn(text)
    const written = `${entry?.path}: ${text}`
    if (findings.isTooLong(name, at)) continue
    if (name === "*" || name.startsWith("mcp_")) {
      const named = toolsNamed(effect, [name], undefined, findings)
      for (const tool of named) findings.add({ effect, ...tool, at, written })
      if (named.length > 0) continue
    }
    if (native.has(name)) {
      const why = "it is about a tool of Gemini CLI itself, which Byleave does not judge by rules"
      findings.lose("dropped", at, written, why, "nothing")
      continue
    }
    const why = "it may be the name of a tool of a server"
    const tool = escapeGlob(name.split("__").at(-1) ?? name)
    findings.doubt({ server: "*", tool, at, written, why })
  }
}
