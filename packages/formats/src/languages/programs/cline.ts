import { escapeGlob } from "@byleave/core"
import { optional, readBoolean } from "../../read/fields.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { allowOrAsk, type ToolTable, tableAnswer, toolsWith, toolTable, translated } from "../export/tool-table.ts"
import { everyToolOf } from "../import/doubts.ts"
import { createFindings } from "../import/found-rules.ts"
import { checkKeys } from "../import/known-keys.ts"
import { entryOf, readJsonFile, serverMaps, textItems } from "../import/source-tree.ts"
import type { ReadRulesOptions, ReadRulesResult, RuleLanguage } from "../language.ts"

/** Cline's list of tools that run unasked, for each server. */
export const cline: RuleLanguage = {
  id: "cline",
  name: "Cline",
  file: "cline_mcp_settings.json",
  read: readAllowLists,
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const tables = plain.servers.map((server) => translated(toolTable(server), allowOrAsk, "ask"))
    const text = serversText(tables, (table) => ({ autoApprove: toolsWith(table, "allow") }))
    return { text, losses: exportLosses(plain, tableAnswer(tables), { name: "Cline", saysGlob: () => false }) }
  },
}

/** Roo Code's lists, for each server: tools that run unasked, and tools that models are not told of. */
export const roo: RuleLanguage = {
  id: "roo",
  name: "Roo Code",
  file: "mcp_settings.json or .roo/mcp.json",
  read: readAllowLists,
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const tables = plain.servers.map((server) =>
      translated(toolTable(server), (effect) => (effect === "deny" ? "hide" : effect), "ask"),
    )
    const text = serversText(tables, (table) => ({
      alwaysAllow: toolsWith(table, "allow"),
      disabledTools: toolsWith(table, "hide"),
    }))
    return { text, losses: exportLosses(plain, tableAnswer(tables), { name: "Roo Code", saysGlob: () => false }) }
  },
}

const lists = [
  ["autoApprove", "allow"],
  ["alwaysAllow", "allow"],
  ["disabledTools", "hide"],
] as const
const transportKeys =
  "command args env cwd url type headers timeout transportType watchPaths oauth name description remoteConfigured".split(
    " ",
  )

function readAllowLists(text: string, options: ReadRulesOptions): ReadRulesResult {
  const findings = createFindings(options)
  const { report, add, lose } = findings
  const root = readJsonFile(text, report)
  checkKeys(root, { read: ["mcpServers"], other: ["$schema", "inputs"], unknown: "any" }, findings)
  for (const { id, map } of serverMaps(entryOf(root, "mcpServers"), report)) {
    const server = escapeGlob(id)
    const read = [...transportKeys, "disabled", ...lists.map(([key]) => key)]
    checkKeys(map, { read, about: everyToolOf(server), unknown: "any" }, findings)
    const disabled = entryOf(map, "disabled")
    if (disabled && optional(disabled.value, (node) => readBoolean(node, "`disabled`", report)) === true) {
      add({ effect: "hide", server, tool: "*", at: disabled, written: `${id} is disabled` })
    }
    for (const [key, effect] of lists) {
      for (const { text: name, at } of textItems(entryOf(map, key), report)) {
        const written = `${key}: ${name}`
        if (effect === "allow" && name === "*") {
          lose(
            "stricter",
            at,
            written,
            "names are taken literally; write `allow` for the whole server by hand",
            "nothing",
          )
        } else add({ effect, server, tool: name === "*" ? "*" : escapeGlob(name), at, written })
      }
    }
  }
  return findings.finish("strictest")
}

function serversText(tables: readonly ToolTable[], settings: (table: ToolTable) => object): string {
  const mcpServers = Object.fromEntries(tables.map((table) => [table.id, settings(table)]))
  return `${JSON.stringify({ mcpServers }, null, 2)}\n`
}
