import { escapeGlob } from "@byleave/core"
import { readBoolean } from "../../read/fields.ts"
import type { MapEntry } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { tableAnswer, toolsWith, toolTable, translated } from "../export/tool-table.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { checkKeys } from "../import/known-keys.ts"
import { entryOf, readJsonFile } from "../import/source-tree.ts"
import type { RuleLanguage } from "../language.ts"

const eligible = "chat.tools.eligibleForAutoApproval"

/** The settings of VS Code say which tools always ask. What it was told to let run is not in a file. */
export const vscode: RuleLanguage = {
  id: "vscode",
  name: "VS Code",
  file: "settings.json",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readJsonFile(text, findings.report)
    checkKeys(root, { read: [eligible], unknown: "speaking" }, findings)
    const entry = entryOf(root, eligible)
    if (entry !== undefined && entry.value.kind !== "map") {
      findings.report.error(entry.value, "wrong-type", `\`${eligible}\` must be a map of tools.`)
    }
    if (entry?.value.kind === "map") for (const line of entry.value.entries) readEligible(line, findings)
    return findings.finish("strictest")
  },
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const tables = plain.servers.map(toolTable)
    const asked = tables.flatMap((table) =>
      toolsWith(table, "ask", "deny", "hide").map((tool) => `${table.id}/${tool}`),
    )
    const text = `${JSON.stringify({ [eligible]: Object.fromEntries(asked.map((name) => [name, false])) }, null, 2)}\n`
    const said = tables.map((table) => translated(table, () => "ask", "ask"))
    return { text, losses: exportLosses(plain, tableAnswer(said), { name: "VS Code", saysGlob: () => false }) }
  },
}

function readEligible(line: MapEntry, { report, add, lose }: Findings): void {
  const isEligible = readBoolean(line.value, `\`${line.key}\``, report)
  const slash = line.key.lastIndexOf("/")
  const written = `${line.key}: ${isEligible}`
  if (isEligible !== false) {
    lose("dropped", line, written, "that a tool may be allowed by its user does not allow it", "nothing")
  } else if (slash <= 0 || slash === line.key.length - 1) {
    lose("dropped", line, written, "it names no tool of a server, as in server/tool", "nothing")
  } else {
    const [server, tool] = [line.key.slice(0, slash), line.key.slice(slash + 1)]
    add({ effect: "ask", server: escapeGlob(server), tool: escapeGlob(tool), at: line, written })
  }
}
