import { type Effect, escapeGlob } from "@byleave/core"
import { readMap, readWord } from "../../read/fields.ts"
import { describeNode, type MapNode, type YamlNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { tomlText } from "../export/toml-text.ts"
import { refuseOr, type ToolTable, tableAnswer, toolsWith, toolTable, translated } from "../export/tool-table.ts"
import { createFindings, type Findings, type FoundRule } from "../import/found-rules.ts"
import { entryOf, loseOtherKeys, readTomlFile } from "../import/source-tree.ts"
import { type NamedTool, restrictedBy, splitJoined } from "../joined-names.ts"
import type { RuleLanguage } from "../language.ts"
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
    loseOtherKeys(root, ["rule"], findings)
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
    const tables = plain.servers.map((server) =>
      translated(toolTable(server), refuseOr, refuseOr(toolTable(server).rest)),
    )
    const losses = exportLosses(plain, tableAnswer(tables), { name: "Gemini CLI", saysGlob: () => false })
    return { text: tables.flatMap(rulesOf).join("\n"), losses }
  },
}

const decisions = ["allow", "deny", "ask_user"] as const
const effectOf = { allow: "allow", deny: "deny", ask_user: "ask" } as const satisfies Record<string, Effect>
const wordOf = { allow: "allow", deny: "deny", ask: "ask_user", hide: "deny" } as const satisfies Record<Effect, string>

const ruleKeys = ["toolName", "mcpName", "decision", "priority", "denyMessage"]
/** Each of them narrows the rule to some calls. */
const narrowing = [
  "argsPattern",
  "commandPrefix",
  "commandRegex",
  "toolAnnotations",
  "modes",
  "interactive",
  "subagent",
]

type Prioritised = { readonly found: FoundRule; readonly priority: number }

function readPolicyRule(node: YamlNode, findings: Findings): readonly Prioritised[] {
  const { report, lose } = findings
  const map = readMap(node, "a rule", report)
  if (map === undefined) return []
  loseOtherKeys(map, [...ruleKeys, ...narrowing], findings)
  const decision = entryOf(map, "decision")
  const word = decision && readWord(decision.value, "`decision`", decisions, report)
  if (decision === undefined) report.error(node, "missing-key", "A rule needs `decision`.")
  const effect = effectOf[word ?? "deny"]
  const tools = namesAt(map, "toolName", findings)
  const servers = namesAt(map, "mcpName", findings)
  if (tools?.some((tool) => findings.isTooLong(tool, node)) === true) return []
  const written = ruleWords(word ?? "", tools, servers)
  const named = namedBy(effect, tools, servers, findings)
  if (named.length === 0) {
    lose("dropped", node, written, "it is not about a tool of a server that is known", "nothing")
    return []
  }
  const narrowed = narrowing.filter((key) => entryOf(map, key) !== undefined)
  if (narrowed.length > 0) {
    const why = `${narrowed.join(", ")} cannot be said here`
    lose("stricter", node, written, why, effect === "allow" ? "nothing" : `${effect} for every call`)
    if (effect === "allow") return []
  }
  const priority = priorityOf(map, findings)
  const partial = narrowed.length > 0 ? ({ partial: true } as const) : {}
  return named.map((tool) => ({ found: { effect, ...tool, at: node, written, ...partial }, priority }))
}

function priorityOf(map: MapNode, { report }: Findings): number {
  const node = entryOf(map, "priority")?.value
  if (node === undefined) return 0
  if (node.kind === "scalar" && typeof node.value === "number" && Number.isFinite(node.value)) return node.value
  report.error(node, "wrong-type", `\`priority\` must be a number, but this is ${describeNode(node)}.`)
  return 0
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

/** `mcpName` names the server; without it, a tool is named `mcp_server_tool`. */
function namedBy(
  effect: Effect,
  tools: readonly string[] | undefined,
  servers: readonly string[] | undefined,
  { options }: Findings,
): readonly NamedTool[] {
  const glob = (name: string) => (name === "*" ? "*" : escapeGlob(name))
  if (servers !== undefined) {
    return servers.flatMap((server) => (tools ?? ["*"]).map((tool) => ({ server: glob(server), tool: glob(tool) })))
  }
  return (tools ?? []).flatMap((tool): readonly NamedTool[] => {
    if (tool === "*" || tool === "mcp_*") return [{ server: "*", tool: "*" }]
    if (!tool.startsWith("mcp_")) return []
    const rest = tool.slice("mcp_".length)
    const pattern = rest.endsWith("_*") ? `${escapeGlob(rest.slice(0, -1))}*` : escapeGlob(rest)
    const joined = splitJoined(pattern, "_", options.servers)
    return effect === "allow" ? joined.known : restrictedBy(pattern, "_", joined)
  })
}

function ruleWords(
  decision: string,
  tools: readonly string[] | undefined,
  servers: readonly string[] | undefined,
): string {
  const words = [servers && `mcpName ${servers.join(", ")}`, tools && `toolName ${tools.join(", ")}`, decision]
  return words.filter((word) => word !== undefined && word !== "").join(", ")
}

const priorities = { tool: 500, rest: 100 } as const

function rulesOf(table: ToolTable): readonly string[] {
  const exceptions = (["deny", "ask", "allow"] as const)
    .filter((effect) => effect !== table.rest)
    .flatMap((effect) => {
      const tools = toolsWith(table, effect)
      return tools.length === 0 ? [] : [ruleText(table.id, tools, effect, priorities.tool)]
    })
  return [...exceptions, ruleText(table.id, undefined, table.rest, priorities.rest)]
}

function ruleText(server: string, tools: readonly string[] | undefined, effect: Effect, priority: number): string {
  const named = tools === undefined ? [] : [`toolName = [${tools.map(tomlText).join(", ")}]`]
  return [
    "[[rule]]",
    `mcpName = ${tomlText(server)}`,
    ...named,
    `decision = "${wordOf[effect]}"`,
    `priority = ${priority}`,
    "",
  ].join("\n")
}
