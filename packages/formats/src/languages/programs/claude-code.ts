import { plainName } from "@byleave/core"
import type { MapNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { checkKeys } from "../import/known-keys.ts"
import { doubtPlanMode } from "../import/plan-mode.ts"
import { entryOf, mapAt, readJsonFile, textItems } from "../import/source-tree.ts"
import type { RuleLanguage } from "../language.ts"
import { type McpRuleProgram, type McpRules, mcpAnswer, mcpRules, mcpWords, readMcpRule } from "../mcp-rule.ts"
import { ownServers } from "./claude-code-names.ts"
import { readClaudeSettings } from "./claude-code-settings.ts"

const lists = ["allow", "ask", "deny"] as const

/** Settings of modes, folders and Claude Code's own tools. */
const otherPermissions = [
  ...["additionalDirectories", "disableBypassPermissionsMode", "disableAutoMode", "denyInsteadOfPrompting"],
  ...["blockReadsOutsideWorkingDirectories", "blockWritesOutsideWorkingDirectories", "blockReadsExemptPaths"],
  "workingDirectoriesAsGiven",
]

const program: McpRuleProgram = {
  name: "Claude Code",
  plain: plainName,
  isNative: (text) => /^[A-Z][A-Za-z]*(?:\(|$)/.test(text),
  ownServers,
  ruleIn: (effect, text) => {
    if (/[()]/.test(text)) return { why: "Claude Code knows no conditions for tools of servers and ignores it" }
    const isOpen = effect === "allow" && text.includes("*") && !/^mcp__[^*]+__/.test(text)
    return isOpen ? { why: "Claude Code ignores an allow that does not name its server" } : { rule: text }
  },
}

/** `permissions` of Claude Code's settings. */
export const claudeCode: RuleLanguage = {
  id: "claude-code",
  name: "Claude Code",
  file: "~/.claude/settings.json or .claude/settings.json",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readJsonFile(text, findings.report)
    readClaudeSettings(root, program, findings)
    const permissions = mapAt(root, "permissions", findings.report)
    readPermissionLists(permissions, program, findings)
    checkKeys(permissions, { read: [...lists, "defaultMode"], other: otherPermissions, unknown: "any" }, findings)
    doubtPlanMode(entryOf(permissions, "defaultMode"), findings)
    return findings.finish("strictest")
  },
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const losses = exportLosses(plain, mcpAnswer(plain, program), mcpWords(plain, program))
    return { text: permissionsText(mcpRules(plain, program)), losses }
  },
}

/** The lists `allow`, `ask` and `deny`. */
export function readPermissionLists(
  permissions: MapNode | undefined,
  program: McpRuleProgram,
  findings: Findings,
): void {
  for (const effect of lists) {
    for (const { text, at } of textItems(entryOf(permissions, effect), findings.report)) {
      readMcpRule(effect, text, at, program, findings)
    }
  }
}

/** Settings with these lists alone. */
export function permissionsText(permissions: McpRules): string {
  return `${JSON.stringify({ permissions }, null, 2)}\n`
}
