import type { Effect } from "@byleave/core"
import type { MapNode } from "../../text/tree.ts"
import { exportLosses, readOnlyLoss } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { refuseOr, type ToolTable, tableAnswer, toolsWith, toolTable } from "../export/tool-table.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { checkKeys } from "../import/known-keys.ts"
import { doubtPlanMode } from "../import/plan-mode.ts"
import { entryOf, mapAt, readJsonFile, textItems } from "../import/source-tree.ts"
import { type CutNames, cutName, uncutName } from "../joined-names.ts"
import type { RuleLanguage, RuleLoss } from "../language.ts"
import { type McpRuleProgram, type McpRules, readMcpRule } from "../mcp-rule.ts"
import { permissionsText, readPermissionLists } from "./claude-code.ts"
import { doubtSettingsHooks, readTrustedServers, sharedKeys } from "./gemini-settings.ts"

/**
 * `permissions` and the lists of each server in Qwen Code's settings. The strictest rule decides; its only wildcard is a `*` at the end. A tool
 * that no rule is about and that says it only reads runs.
 */
export const qwen: RuleLanguage = {
  id: "qwen",
  name: "Qwen Code",
  file: "~/.qwen/settings.json",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readJsonFile(text, findings.report)
    checkKeys(root, { read: [...sharedKeys.read, ...ownKeys], other: ownOther, unknown: "speaking" }, findings)
    readTrustedServers(root, "Qwen Code", findings)
    const permissions = mapAt(root, "permissions", findings.report)
    readPermissionLists(permissions, program, findings)
    checkKeys(permissions, { read: ["allow", "ask", "deny"], unknown: "any" }, findings)
    readTools(root, findings)
    checkKeys(
      mapAt(root, "security", findings.report),
      { read: [], other: sharedKeys.security, unknown: "any" },
      findings,
    )
    checkKeys(mapAt(root, "experimental", findings.report), { read: [], unknown: "speaking" }, findings)
    doubtSettingsHooks(root, "Qwen Code", "mcp__", findings)
    return findings.finish("strictest")
  },
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const ids = plain.servers.map(({ id }) => id)
    const tables = plain.servers.map((server) => said(toolTable(server), ids))
    const losses = exportLosses(plain, tableAnswer(tables), {
      name: "Qwen Code",
      saysGlob: () => false,
      hides: false,
      unnamed: "either",
    })
    return { text: permissionsText(rulesOf(tables)), losses: [...losses, ...tables.flatMap(restLoss)] }
  },
}

const ownKeys = ["permissions", "security", "experimental", "approvalMode", "disableAllHooks"]
/** Its list of core tools leaves tools of servers alone. */
const ownOther = [...sharedKeys.other, "coreTools", "fastModel"]

/** Earlier versions had their denials in `tools.exclude`. */
function readTools(root: MapNode | undefined, findings: Findings): void {
  const tools = mapAt(root, "tools", findings.report)
  const other = [...sharedKeys.tools, "core"]
  checkKeys(tools, { read: ["exclude", "approvalMode"], other, unknown: "any" }, findings)
  for (const entry of [entryOf(tools, "exclude"), entryOf(root, "excludeTools")]) {
    for (const { text, at } of textItems(entry, findings.report)) {
      readMcpRule("deny", text, at, program, findings)
    }
  }
  doubtPlanMode(entryOf(tools, "approvalMode"), findings)
  doubtPlanMode(entryOf(root, "approvalMode"), findings)
}

/** Tools of Qwen Code itself, by their names or those of their classes, with or without an argument. */
const native =
  /^(?:run_shell_command|read_file|write_file|edit|replace|glob|grep_search|search_file_content|list_directory|read_many_files|web_fetch|web_search|save_memory|todo_write|task|agent|skill|exit_plan_mode|lsp|[A-Z]\w*)(?:\(|$)/

const program: McpRuleProgram = {
  name: "Qwen Code",
  plain: qwenName,
  isNative: (text) => native.test(text),
  ownServers: new Set(),
  ruleIn: (effect, text) => {
    const open = text.indexOf("(")
    if (open >= 0 && !text.endsWith(")")) return { why: "Qwen Code ignores a rule whose parenthesis is not closed" }
    // Qwen Code ignores the parentheses for tools of servers.
    const rule = open < 0 ? text : text.slice(0, open).trimEnd()
    const isLiteral = rule.slice(0, -1).includes("*")
    if (isLiteral) return { why: "Qwen Code knows `*` at the end alone, so that it matches nothing" }
    return { rule: effect === "allow" ? rule : uncutName(rule, cutNames) }
  },
}

const cutNames = { length: 63, at: 28, mark: "___" } as const satisfies CutNames

/** A name of a server or tool as models are given it. */
function qwenName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]/g, "_")
}

/** The name of a tool that rules are compared with. */
function joinedName(server: string, tool: string): string {
  const joined = qwenName(`mcp__${server}__${tool}`)
  return cutName(joined, cutNames)
}

/** An allow is said only for names that Qwen Code does not change, and that cannot be taken for those of another server. */
function said(table: ToolTable, ids: readonly string[]): ToolTable {
  const { id } = table
  const isSure = qwenName(id) === id && !id.includes("__") && !ids.some((other) => other.startsWith(`${id}__`))
  const tools = [...table.tools].map(([tool, effect]) => {
    const isPlain = isSure && joinedName(id, tool) === `mcp__${id}__${tool}`
    return [tool, effect === "allow" && !isPlain ? "ask" : refuseOr(effect)] as const
  })
  const isRefused = [...table.tools.values(), table.rest].every((effect) => effect === "deny" || effect === "hide")
  const rest = isRefused ? "deny" : table.rest === "allow" && isSure ? "allow" : "ask"
  return { id, tools: new Map<string, Effect>(tools), rest }
}

function rulesOf(tables: readonly ToolTable[]): McpRules {
  const lists = { allow: new Set<string>(), ask: new Set<string>(), deny: new Set<string>() }
  for (const table of tables) {
    for (const effect of ["allow", "ask", "deny"] as const) {
      for (const tool of toolsWith(table, effect)) lists[effect].add(joinedName(table.id, tool))
    }
    if (isWholeSaid(table)) lists[table.rest === "hide" ? "deny" : table.rest].add(wholeName(table.id))
  }
  return { allow: [...lists.allow].sort(), ask: [...lists.ask].sort(), deny: [...lists.deny].sort() }
}

/** A rule for the whole server counts beside those of its tools, and the strictest decides. */
function isWholeSaid(table: ToolTable): boolean {
  return table.rest !== "ask" || toolsWith(table, "allow").length === 0
}

/** A server with the separator in its name would be taken for a tool of another one. */
function wholeName(server: string): string {
  const name = qwenName(server)
  return name.includes("__") ? `mcp__${name}__*` : `mcp__${name}`
}

function restLoss(table: ToolTable): readonly RuleLoss[] {
  if (isWholeSaid(table)) return []
  return [readOnlyLoss("Qwen Code", table.id, `every other tool of ${table.id}`, "a rule names them")]
}
