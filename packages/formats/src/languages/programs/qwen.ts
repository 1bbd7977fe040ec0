import { readMap } from "../../read/fields.ts"
import { createFindings } from "../import/found-rules.ts"
import { entryOf, loseOtherKeys, readJsonFile } from "../import/source-tree.ts"
import type { RuleLanguage } from "../language.ts"
import { permissionsText, readPermissionLists } from "./claude-code.ts"
import { readTrustedServers } from "./gemini-settings.ts"

/** `permissions` and the lists of each server in Qwen Code's settings. */
export const qwen: RuleLanguage = {
  id: "qwen",
  name: "Qwen Code",
  file: "~/.qwen/settings.json",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readJsonFile(text, findings.report)
    loseOtherKeys(root, ["mcpServers", "mcp", "permissions"], findings)
    readTrustedServers(root, "Qwen Code", findings)
    const entry = entryOf(root, "permissions")
    const permissions = entry && readMap(entry.value, "`permissions`", findings.report)
    readPermissionLists(permissions, "Qwen Code", findings)
    loseOtherKeys(permissions, ["allow", "ask", "deny"], findings)
    return findings.finish("strictest")
  },
  write: permissionsText("Qwen Code"),
}
