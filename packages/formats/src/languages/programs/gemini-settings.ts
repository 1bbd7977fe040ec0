import { escapeGlob } from "@byleave/core"
import { optional, readBoolean, readMap } from "../../read/fields.ts"
import type { MapEntry, MapNode } from "../../text/tree.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { entryOf, loseOtherKeys, readJsonFile, serverMaps, textItems } from "../import/source-tree.ts"
import type { ReadRulesOptions, ReadRulesResult } from "../language.ts"

const transportKeys =
  "command args env cwd url httpUrl headers tcp type timeout description oauth authProviderType".split(" ")
const ruleKeys = ["trust", "includeTools", "excludeTools"]

/** `trust`, `includeTools` and `excludeTools` of the servers in the settings of Gemini CLI. */
export function readGeminiSettings(text: string, options: ReadRulesOptions, program: string): ReadRulesResult {
  const findings = createFindings(options)
  const root = readJsonFile(text, findings.report)
  loseOtherKeys(root, ["mcpServers", "mcp"], findings)
  readTrustedServers(root, program, findings)
  return findings.finish("strictest")
}

/** The part of the settings that Gemini CLI and Qwen Code share. */
export function readTrustedServers(root: MapNode | undefined, program: string, findings: Findings): void {
  for (const { id, map } of serverMaps(entryOf(root, "mcpServers"), findings.report)) {
    loseOtherKeys(map, [...transportKeys, ...ruleKeys], findings)
    readTrust(id, entryOf(map, "trust"), findings)
    for (const { text, at } of textItems(entryOf(map, "excludeTools"), findings.report)) {
      findings.add({
        effect: "hide",
        server: escapeGlob(id),
        tool: escapeGlob(toolIn(text)),
        at,
        written: `excludeTools: ${text}`,
      })
    }
    const only = entryOf(map, "includeTools")
    if (only !== undefined) {
      const tools = textItems(only, findings.report).map(({ text }) => escapeGlob(toolIn(text)))
      findings.offer(id, tools, only)
    }
  }
  const entry = entryOf(root, "mcp")
  const mcp = entry && readMap(entry.value, "`mcp`", findings.report)
  for (const { text, at } of textItems(entryOf(mcp, "excluded"), findings.report)) {
    findings.add({ effect: "hide", server: escapeGlob(text), tool: "*", at, written: `mcp.excluded: ${text}` })
  }
  loseAllowedServers(entryOf(mcp, "allowed"), program, findings)
  loseOtherKeys(mcp, ["allowed", "excluded"], findings)
}

/** A tool may stand with an argument in parentheses. */
function toolIn(text: string): string {
  return /^[^(]+(?=\()/.exec(text)?.[0] ?? text
}

function readTrust(id: string, entry: MapEntry | undefined, findings: Findings): void {
  const trust = optional(entry?.value, (node) => readBoolean(node, "`trust`", findings.report))
  if (trust === true && entry !== undefined) {
    findings.add({ effect: "allow", server: escapeGlob(id), tool: "*", at: entry, written: `trust of ${id}` })
  }
}

/** The servers besides those in the list are not used. A rule cannot say "every other server", so that known ones are hidden one by one. */
function loseAllowedServers(entry: MapEntry | undefined, program: string, findings: Findings): void {
  if (entry === undefined) return
  const allowed = textItems(entry, findings.report).map(({ text }) => text)
  const written = `mcp.allowed: ${allowed.join(", ")}`
  const others = findings.options.servers.filter((server) => !allowed.includes(server))
  for (const server of others)
    findings.add({ effect: "hide", server: escapeGlob(server), tool: "*", at: entry, written })
  const why = `${program} connects to no other server; Byleave hides those that it knows`
  findings.lose("dropped", entry, written, why, others.length === 0 ? "nothing" : `hide: ${others.join(", ")}`)
}
