import { escapeGlob } from "@byleave/core"
import { isNothing, readMap, readText, readWord } from "../../read/fields.ts"
import type { MapEntry, MapNode, YamlNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { type ToolTable, tableAnswer, toolsWith, toolTable, translated } from "../export/tool-table.ts"
import { everyTool, everyToolOf, type Reach } from "../import/doubts.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { checkKeys, wordsIn } from "../import/known-keys.ts"
import { entryOf, readJsonFile, textItems } from "../import/source-tree.ts"
import type { RuleLanguage } from "../language.ts"

/** MCP tools of a request to OpenAI's Responses API: `require_approval` and `allowed_tools`. */
export const openai: RuleLanguage = {
  id: "openai",
  name: "OpenAI's Responses API",
  file: "the body of a request, or one of its tools",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readJsonFile(text, findings.report)
    const list = entryOf(root, "tools")
    if (list === undefined) {
      if (root !== undefined) readMcpTool(root, findings)
      return findings.finish("strictest")
    }
    checkKeys(root, { read: ["tools", "tool_choice"], other: otherKeys, unknown: "speaking" }, findings)
    doubtChoice(entryOf(root, "tool_choice"), findings)
    if (list.value.kind === "list") for (const node of list.value.items) readTool(node, findings)
    else findings.report.error(list.value, "wrong-type", "`tools` must be a list.")
    return findings.finish("strictest")
  },
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const tables = plain.servers.map((server) => said(toolTable(server)))
    const text = `${JSON.stringify({ tools: tables.map(toolOf) }, null, 2)}\n`
    const words = { name: "OpenAI's Responses API", saysGlob: () => false }
    return { text, losses: exportLosses(plain, tableAnswer(tables), words) }
  },
}

const transportKeys = wordsIn(
  "type server_label server_url server_description connector_id tunnel_id headers authorization defer_loading",
  "allowed_callers",
)

/** Parts of a request that restrict no tool. */
const otherKeys = wordsIn(
  "model input instructions metadata stream stream_options store include reasoning text temperature top_p truncation user",
  "previous_response_id conversation background max_output_tokens max_tool_calls parallel_tool_calls prompt service_tier",
  "prompt_cache_key prompt_cache_retention safety_identifier top_logprobs context_management",
)

/** A choice of tools leaves out all others. */
function doubtChoice(entry: MapEntry | undefined, findings: Findings): void {
  if (entry === undefined || isNothing(entry.value)) return
  const isOpen = entry.value.kind === "scalar" && ["auto", "required"].includes(String(entry.value.value))
  const why = "it leaves out tools that may be allowed here"
  if (!isOpen) findings.doubt({ ...everyTool, at: entry, written: entry.key, why })
}

function readTool(node: YamlNode, findings: Findings): void {
  const map = readMap(node, "a tool", findings.report)
  if (map !== undefined) readMcpTool(map, findings)
}

function readMcpTool(map: MapNode, findings: Findings): void {
  const { report, lose } = findings
  const type = entryOf(map, "type")?.value
  const label = entryOf(map, "server_label")
  if (type?.kind !== "scalar" || type.value !== "mcp" || label === undefined) {
    lose("dropped", map, "a tool", 'it is not a tool of type "mcp" with a `server_label`', "nothing")
    return
  }
  const id = readText(label.value, "`server_label`", report)
  if (id === undefined) return
  const about = everyToolOf(escapeGlob(id))
  checkKeys(map, { read: [...transportKeys, "require_approval", "allowed_tools"], about, unknown: "any" }, findings)
  readApproval(id, entryOf(map, "require_approval"), findings)
  const allowed = entryOf(map, "allowed_tools")
  if (allowed === undefined || isNothing(allowed.value)) return
  const filter = allowed.value.kind === "map" ? readFilter(allowed, findings) : undefined
  const names = allowed.value.kind === "map" ? filter?.names : textItems(allowed, report).map(({ text }) => text)
  if (names !== undefined) findings.offer(id, names.map(escapeGlob), allowed)
  if (names === undefined || filter?.isByAnnotation === true) doubtAllowed(about, allowed, findings)
}

function doubtAllowed(about: Reach, at: MapEntry, findings: Findings): void {
  const why = "it goes by what tools say of themselves; to do so here, write an allow with `access: read`"
  findings.doubt({ ...about, at, written: "allowed_tools", why })
}

function readApproval(id: string, entry: MapEntry | undefined, findings: Findings): void {
  if (entry === undefined || isNothing(entry.value)) return
  const server = escapeGlob(id)
  if (entry.value.kind !== "map") {
    const word = readWord(entry.value, "`require_approval`", ["always", "never"] as const, findings.report)
    const effect = word === "never" ? "allow" : "ask"
    findings.add({ effect, server, tool: "*", at: entry, written: `require_approval: ${word}` })
    return
  }
  checkKeys(entry.value, { read: ["always", "never"], about: everyToolOf(server), unknown: "any" }, findings)
  for (const [key, effect] of [
    ["always", "ask"],
    ["never", "allow"],
  ] as const) {
    const part = entryOf(entry.value, key)
    const filter = part && !isNothing(part.value) ? readFilter(part, findings) : undefined
    if (part === undefined || filter === undefined) continue
    const written = `require_approval.${key}`
    if (filter.isByAnnotation) {
      const why = "it goes by what tools say of themselves; to do so here, write an allow with `access: read`"
      findings.lose("stricter", part, written, why, effect === "allow" ? "nothing" : "ask for every call")
      if (effect === "allow") continue
    }
    for (const name of filter.names ?? (filter.isByAnnotation ? ["*"] : [])) {
      findings.add({
        effect,
        server,
        tool: name === "*" ? "*" : escapeGlob(name),
        at: part,
        written: `${written}: ${name}`,
      })
    }
  }
}

/** By annotation: it has `read_only`, or something that is not known. */
type ToolFilter = { readonly names: readonly string[] | undefined; readonly isByAnnotation: boolean }

function readFilter(entry: MapEntry, findings: Findings): ToolFilter | undefined {
  const map = readMap(entry.value, `\`${entry.key}\``, findings.report)
  if (map === undefined) return undefined
  const names = entryOf(map, "tool_names")
  const found = names === undefined ? undefined : textItems(names, findings.report).map(({ text }) => text)
  const others = map.entries.filter(({ key, value }) => key !== "tool_names" && !isNothing(value))
  return { names: found, isByAnnotation: others.length > 0 }
}

/** A refused tool is left out of the list of allowed ones, which then leaves out every tool that is not known. */
function said(table: ToolTable): ToolTable {
  const isListed = table.rest === "deny" || table.rest === "hide" || toolsWith(table, "deny", "hide").length > 0
  const isAllowed = table.rest === "allow" && toolsWith(table, "ask").length === 0
  const rest = isListed ? "hide" : isAllowed ? "allow" : "ask"
  return translated(table, (effect) => (effect === "deny" ? "hide" : effect), rest)
}

function toolOf(table: ToolTable): object {
  const allowed = toolsWith(table, "allow")
  const asked = toolsWith(table, "ask")
  const listed = table.rest === "hide" ? { allowed_tools: [...allowed, ...asked].sort() } : {}
  const never = { never: { tool_names: allowed } }
  const always = asked.length === 0 ? {} : { always: { tool_names: asked } }
  const approval = table.rest === "allow" ? "never" : allowed.length === 0 ? "always" : { ...always, ...never }
  return { type: "mcp", server_label: table.id, require_approval: approval, ...listed }
}
