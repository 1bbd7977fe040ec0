import type { Effect } from "@byleave/core"
import type { TextPosition } from "../../problem.ts"
import type { MapNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import {
  allowOrAsk,
  refuseOr,
  type ToolTable,
  tableAnswer,
  toolsWith,
  toolTable,
  translated,
} from "../export/tool-table.ts"
import { everyTool } from "../import/doubts.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { checkKeys, wordsIn } from "../import/known-keys.ts"
import { entryOf, mapAt, readJsonFile, textItems } from "../import/source-tree.ts"
import { starGlob } from "../joined-names.ts"
import type { ReadRulesOptions, ReadRulesResult, RuleLanguage } from "../language.ts"

/** `mcpAllowlist` of Cursor: `server:tool`, with `*` for either. */
export const cursor: RuleLanguage = {
  id: "cursor",
  name: "Cursor",
  file: "~/.cursor/permissions.json",
  read: readCursor,
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const tables = plain.servers.map((server) => wholeOrNamed(toolTable(server), allowOrAsk))
    const text = `${JSON.stringify({ mcpAllowlist: tables.flatMap((table) => namesOf(table, "allow")) }, null, 2)}\n`
    return { text, losses: exportLosses(plain, tableAnswer(tables), { name: "Cursor", saysGlob: () => false }) }
  },
}

/** `permissions` of Cursor's command: `Mcp(server:tool)` in lists of what is allowed and denied; a denial wins. */
export const cursorCli: RuleLanguage = {
  id: "cursor-cli",
  name: "Cursor CLI",
  file: "~/.cursor/cli-config.json or .cursor/cli.json",
  read: readCursor,
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const tables = plain.servers.map((server) => wholeOrNamed(toolTable(server), refuseOr))
    const token = (name: string) => `Mcp(${name})`
    const [allow, deny] = (["allow", "deny"] as const).map((effect) =>
      tables.flatMap((table) => namesOf(table, effect).map(token)),
    )
    const text = `${JSON.stringify({ permissions: { allow, deny } }, null, 2)}\n`
    return { text, losses: exportLosses(plain, tableAnswer(tables), { name: "Cursor CLI", saysGlob: () => false }) }
  },
}

/** A whole server runs unasked only if all its tools do, but for those that are denied. A tool with a `*` in its name would be a pattern. */
function wholeOrNamed(table: ToolTable, said: (effect: Effect) => Effect): ToolTable {
  const isNameable = !/[:*,()\s]/.test(table.id)
  if (!isNameable) return translated(table, () => "ask", "ask")
  const rest = said(table.rest)
  const known = translated(table, said, rest)
  if ([...known.tools.values(), rest].every((effect) => effect === "deny")) return known
  const tools = new Map([...known.tools].map(([tool, effect]) => [tool, tool.includes("*") ? "ask" : effect] as const))
  return { ...known, tools, rest: rest === "allow" && ![...tools.values()].includes("ask") ? "allow" : "ask" }
}

function namesOf(table: ToolTable, effect: Effect): readonly string[] {
  if (table.rest === effect) return [`${table.id}:*`]
  return toolsWith(table, effect).map((tool) => `${table.id}:${tool}`)
}

/** Settings of terminals, the sandbox, the model and the display. */
const otherKeys = wordsIn(
  "$schema version terminalAllowlist editor display model network approvalMode sandbox attribution maxMode",
  "hasChangedDefaultModel privacyCache authInfo",
)

/** Sentences that tell Cursor which calls to let run, and which to hold. */
function checkAutoRun(autoRun: MapNode | undefined, findings: Findings): void {
  checkKeys(autoRun, { read: ["allow_instructions", "block_instructions"], unknown: "any" }, findings)
  const [first] = textItems(entryOf(autoRun, "block_instructions"), findings.report)
  const why = "sentences that tell which calls to hold cannot be kept here"
  if (first !== undefined) findings.doubt({ ...everyTool, at: first.at, written: "autoRun.block_instructions", why })
}

function readCursor(text: string, options: ReadRulesOptions): ReadRulesResult {
  const findings = createFindings(options)
  const { report } = findings
  const root = readJsonFile(text, report)
  checkKeys(root, { read: ["mcpAllowlist", "permissions", "autoRun"], other: otherKeys, unknown: "speaking" }, findings)
  checkAutoRun(mapAt(root, "autoRun", report), findings)
  for (const { text: name, at } of textItems(entryOf(root, "mcpAllowlist"), report))
    readName("allow", name, name, at, findings)
  const permissions = mapAt(root, "permissions", report)
  checkKeys(permissions, { read: ["allow", "deny"], unknown: "any" }, findings)
  for (const effect of ["allow", "deny"] as const) {
    for (const { text: token, at } of textItems(entryOf(permissions, effect), report)) {
      const [, name] = /^Mcp\(([\s\S]*)\)$/.exec(token) ?? []
      if (name !== undefined) readName(effect, name, token, at, findings)
      else {
        const why = "it is about a tool of Cursor itself, which Byleave does not judge by rules, or not known"
        findings.lose("dropped", at, token, why, "nothing")
      }
    }
  }
  return findings.finish("strictest")
}

function readName(effect: "allow" | "deny", name: string, written: string, at: TextPosition, findings: Findings): void {
  const colon = name.indexOf(":")
  const [server, tool] = [name.slice(0, colon).trim(), name.slice(colon + 1).trim()]
  if (colon < 0 || server === "" || tool === "") {
    findings.lose("dropped", at, written, "it is not of the form server:tool", "nothing")
    return
  }
  if (effect === "allow" && [server, tool].some((part) => part !== "*" && part.includes("*"))) {
    findings.lose("stricter", at, written, "only a server or a tool as a whole may be `*`", "nothing")
    return
  }
  findings.add({ effect, server: starGlob(server), tool: starGlob(tool), at, written })
}
