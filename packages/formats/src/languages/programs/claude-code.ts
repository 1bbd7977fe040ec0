import { readMap } from "../../read/fields.ts"
import type { MapNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { entryOf, loseOtherKeys, readJsonFile, textItems } from "../import/source-tree.ts"
import type { RuleLanguage } from "../language.ts"
import { isStarGlob, mcpAnswer, mcpRules, readMcpRule } from "../mcp-rule.ts"

const lists = ["allow", "ask", "deny"] as const

/** `permissions` of Claude Code's settings. */
export const claudeCode: RuleLanguage = {
  id: "claude-code",
  name: "Claude Code",
  file: "~/.claude/settings.json or .claude/settings.json",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readJsonFile(text, findings.report)
    loseOtherKeys(root, ["permissions"], findings)
    const entry = entryOf(root, "permissions")
    const permissions = entry && readMap(entry.value, "`permissions`", findings.report)
    readPermissionLists(permissions, "Claude Code", findings)
    loseOtherKeys(permissions, lists, findings)
    return findings.finish("strictest")
  },
  write: permissionsText("Claude Code"),
}

/** The lists `allow`, `ask` and `deny`. */
export function readPermissionLists(permissions: MapNode | undefined, program: string, findings: Findings): void {
  for (const effect of lists) {
    for (const { text, at } of textItems(entryOf(permissions, effect), findings.report)) {
      readMcpRule(effect, text, at, program, findings)
    }
  }
}

/** Writes a policy as settings with these lists alone. */
export function permissionsText(program: string): RuleLanguage["write"] {
  return (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    return {
      text: `${JSON.stringify({ permissions: mcpRules(plain) }, null, 2)}\n`,
      losses: exportLosses(plain, mcpAnswer(plain), { name: program, saysGlob: isStarGlob, hides: false }),
    }
  }
}
