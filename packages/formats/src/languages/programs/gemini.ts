import type { Effect } from "@byleave/core"
import { readMap, readWord } from "../../read/fields.ts"
import { describeNode, type MapEntry, type MapNode, type YamlNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { tomlText } from "../export/toml-text.ts"
import { refuseOr, type ToolTable, tableAnswer, toolsWith, toolTable } from "../export/tool-table.ts"
import { everyTool } from "../import/doubts.ts"
import { createFindings, type Findings, type FoundRule } from "../import/found-rules.ts"
import { checkKeys } from "../import/known-keys.ts"
import { entryOf, readTomlFile } from "../import/source-tree.ts"
import { cutName } from "../joined-names.ts"
import type { RuleLanguage } from "../language.ts"
import { loseRewritten } from "../mcp-rule.ts"
import { cutNames, geminiName, toolsNamed } from "./gemini-names.ts"
import { readGeminiSettings } from "./gemini-settings.ts"

/** Gemini CLI's policy files, and the lists in its settings. Of the rules that match, the highest priority decides. */
export const gemini: RuleLanguage = {
  id: "gemini",
  name: "Gemini CLI",
  file: "~/.gemini/policies/NAME.toml, or ~/.gemini/settings.json",
  read: (text, options) => {
    if (/^\s*(?:\{|\/\/|\/\*)/.test(text)) return readGeminiSettings(text, options, "Gemini CLI")
    const findings = createFindings(options)
    const root = readTomlFile(text, findings.report)
    checkKeys(root, { read: ["rule", "safety_checker"], unknown: "any" }, findings)
    doubtCheckers(entryOf(root, "safety_checker"), findings)
    const rules = entryOf(root, "rule")?.value
    if (rules !== undefined && rules.kind !== "list") {
      findings.report.error(
        rules,
        "wrong-type",
        `\`rule\` must be written as [[rule]], but this is ${describeNode(rules)}.`,
      )
    }
    const read = rules?.kind === "list" ? rules.items.flatMap((node) => readPolicyRule(node, findings)) : []
    for (const { found } of read.toSorted((a, b) => b.priority - a.priority)) findings.add(found)
    return findings.finish("first")
  },
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const tables = plain.servers.map((server) => said(toolTable(server)))
    const losses = exportLosses(plain, tableAnswer(tables), { name: "Gemini CLI", saysGlob: () => false })
    return { text: tables.flatMap(rulesOf).join("\n"), losses }
  },
}

const decisions = ["allow", "deny", "ask_user"] as const
const effectOf = { allow: "allow", deny: "deny", ask_user: "ask" } as const satisfies Record<string, Effect>
const wordOf = { allow: "allow", deny: "deny", ask: "ask_user", hide: "deny" } as const satisfies Record<Effect, string>

/** Keys that leave a rule for all calls of its tools; each other one narrows it to some. */
const ruleKeys = [
  ...["toolName", "mcpName", "decision", "priority", "denyMessage", "deny_message"],
  ...["allowRedirection", "allow_redirection"],
]

type Prioritised = { readonly found: FoundRule; readonly priority: number }

function readPolicyRule(node: YamlNode, findings: Findings): readonly Prioritised[] {
  const { report, lose } = findings
  const map = readMap(node, "a rule", report)
  if (map === undefined) return []
  const decision = entryOf(map, "decision")
  const word = decision && readWord(decision.value, "`decision`", decisions, report)
  if (decision === undefined) report.error(node, "missing-key", "A rule needs `decision`.")
  const effect = effectOf[word ?? "deny"]
  const tools = namesAt(map, "toolName", findings)
  // Gemini CLI refuses the whole file where a rule is not complete.
  if (tools === undefined) report.error(node, "missing-key", 'A rule needs `toolName`; "*" means all tools.')
  const server = serverAt(map, findings)
  if (tools?.some((tool) => findings.isTooLong(tool, node)) === true) return []
  const written = ruleWords(word ?? "", tools, server)
  const priority = priorityOf(map, node, findings)
  if (server === "*" && effect === "allow" && tools?.includes("*") !== true) {
    lose("no-effect", node, written, "with mcpName `*`, Gemini CLI matches no tool by its name", "nothing")
    return []
  }
  const named = toolsNamed(effect, tools ?? [], server, findings)
  loseRewritten(effect, named, written, node, "Gemini CLI", findings)
  if (named.length === 0) {
    lose("dropped", node, written, "it is not about a tool of a server that is known", "nothing")
    return []
  }
  const narrowed = map.entries.map(({ key }) => key).filter((key) => !ruleKeys.includes(key))
  if (narrowed.length > 0) {
    const why = `${narrowed.join(", ")} cannot be said here`
    lose("stricter", node, written, why, effect === "allow" ? "nothing" : `${effect} for every call`)
    if (effect === "allow") return []
  }
  // With mcpName `*` it matches no tool by its name: kept as a restriction, it is no exception to a stricter one.
  const isUnmatched = server === "*" && tools?.includes("*") !== true
  const partial = narrowed.length > 0 || isUnmatched ? ({ partial: true } as const) : {}
  return named.map((tool) => ({ found: { effect, ...tool, at: node, written, ...partial }, priority }))
}

/** A checker may refuse what a rule allows, by what a call holds. */
function doubtCheckers(entry: MapEntry | undefined, findings: Findings): void {
  const nodes = entry === undefined ? [] : entry.value.kind === "list" ? entry.value.items : [entry.value]
  for (const at of nodes) {
    const tools = at.kind === "map" ? namesAt(at, "toolName", findings) : undefined
    const server = at.kind === "map" ? serverAt(at, findings) : undefined
    if (tools?.some((tool) => findings.isTooLong(tool, at)) === true) continue
    const named = tools === undefined ? [everyTool] : toolsNamed("deny", tools, server, findings)
    const why = "a checker of Gemini CLI may refuse calls, and Byleave does not run it"
    for (const reach of named) findings.doubt({ ...reach, at, written: "safety_checker", why })
  }
}

function priorityOf(map: MapNode, rule: YamlNode, { report }: Findings): number {
  const node = entryOf(map, "priority")?.value
  if (node === undefined) report.error(rule, "missing-key", "A rule needs `priority`, a whole number from 0 to 999.")
  const value = node?.kind === "scalar" ? node.value : undefined
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 999) return value
  if (node !== undefined) {
    const message = `\`priority\` must be a whole number from 0 to 999, but this is ${describeNode(node)}.`
    report.error(node, "wrong-type", message)
  }
  return 0
}

function serverAt(map: MapNode, { report }: Findings): string | undefined {
  const node = entryOf(map, "mcpName")?.value
  if (node === undefined) return undefined
  if (node.kind === "scalar" && typeof node.value === "string") return node.value
  report.error(node, "wrong-type", `\`mcpName\` must be the name of one server, but this is ${describeNode(node)}.`)
  return undefined
}

/** A name or a list of names; undefined where the key is absent. */
function namesAt(map: MapNode, key: string, { report }: Findings): readonly string[] | undefined {
  const node = entryOf(map, key)?.value
  if (node === undefined) return undefined
  const items = node.kind === "list" ? node.items : [node]
  return items.flatMap((item) => {
    if (item.kind === "scalar" && typeof item.value === "string" && item.value !== "") return [item.value]
    report.error(item, "wrong-type", `\`${key}\` must be text, but this is ${describeNode(item)}.`)
    return []
  })
}

function ruleWords(decision: string, tools: readonly string[] | undefined, server: string | undefined): string {
  const words = [server && `mcpName ${server}`, tools && `toolName ${tools.join(", ")}`, decision]
  return words.filter((word) => word !== undefined && word !== "").join(", ")
}

/** The name of a tool that Gemini CLI compares with those in rules. */
function joinedName(server: string, tool: string): string {
  const joined = geminiName(`${server.startsWith("mcp_") ? "" : "mcp_"}${server}_${tool}`)
  return cutName(joined, cutNames)
}

/** Whether a rule with `mcpName` reaches the tools of a server: its name has to be the one that models are given. */
function isReached(server: string): boolean {
  return geminiName(server) === server && !server.startsWith("mcp_") && server !== "*"
}

/** Whether Gemini CLI compares a tool by the names that its server and it have. */
function isPlain(server: string, tool: string): boolean {
  return isReached(server) && tool !== "*" && joinedName(server, tool) === `mcp_${server}_${tool}`
}

/** A tool whose name Gemini CLI changes runs by no rule; nor does any of a server whose name it changes. */
function said(table: ToolTable): ToolTable {
  const { id } = table
  const rest = isReached(id) ? refuseOr(table.rest) : "ask"
  const tools = [...table.tools].map(([tool, effect]) => {
    return [tool, effect === "allow" && !isPlain(id, tool) ? "ask" : refuseOr(effect)] as const
  })
  return { id, tools: new Map(tools), rest }
}

/** The stricter of two rules about names that become one decides. */
const priorities = { deny: 700, ask: 600, allow: 500, rest: 100 } as const

function rulesOf(table: ToolTable): readonly string[] {
  const allowed = new Set(toolsWith(table, "allow").map((tool) => joinedName(table.id, tool)))
  const exceptions = (["deny", "ask", "allow"] as const).flatMap((effect) => {
    const tools = toolsWith(table, effect)
    const plain = effect === table.rest ? [] : tools.filter((tool) => isPlain(table.id, tool))
    // A name that Gemini CLI has changed is written as it compares it, without the server.
    const changed = tools.filter((tool) => !isPlain(table.id, tool)).map((tool) => joinedName(table.id, tool))
    const named = effect === table.rest ? changed.filter((name) => allowed.has(name)) : changed
    return [
      ...(plain.length === 0 ? [] : [ruleText(table.id, plain, effect, priorities[effect])]),
      ...(named.length === 0 ? [] : [ruleText(undefined, named, effect, priorities[effect])]),
    ]
  })
  return isReached(table.id) ? [...exceptions, ruleText(table.id, ["*"], table.rest, priorities.rest)] : exceptions
}

function ruleText(server: string | undefined, tools: readonly string[], effect: Effect, priority: number): string {
  const [first = ""] = tools
  return [
    "[[rule]]",
    ...(server === undefined ? [] : [`mcpName = ${tomlText(server)}`]),
    `toolName = ${tools.length === 1 ? tomlText(first) : `[${tools.map(tomlText).join(", ")}]`}`,
    `decision = "${wordOf[effect]}"`,
    `priority = ${priority}`,
    "",
  ].join("\n")
}
