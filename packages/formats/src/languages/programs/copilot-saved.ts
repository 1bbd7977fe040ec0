import { escapeGlob } from "@byleave/core"
import { readMap } from "../../read/fields.ts"
import type { YamlNode } from "../../text/tree.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { checkKeys } from "../import/known-keys.ts"
import { entryOf, mapAt, readJsonFile } from "../import/source-tree.ts"
import type { ReadRulesOptions, ReadRulesResult } from "../language.ts"

/** The permissions that Copilot CLI saves by folder: `{ locations: { FOLDER: { tool_approvals: [{ kind, serverName, toolName }] } } }`. */
export function readSavedPermissions(text: string, options: ReadRulesOptions): ReadRulesResult {
  const findings = createFindings(options)
  const root = readJsonFile(text, findings.report)
  checkKeys(root, { read: ["locations"], other: ["$schema", "version"], unknown: "any" }, findings)
  const locations = mapAt(root, "locations", findings.report)
  for (const location of locations?.entries ?? []) {
    const map = readMap(location.value, "a location", findings.report)
    // Nothing is taken from other folders.
    if (location.key === options.folder) checkKeys(map, { read: ["tool_approvals"], unknown: "any" }, findings)
    const approvals = entryOf(map, "tool_approvals")
    if (approvals?.value.kind !== "list") {
      if (approvals !== undefined)
        findings.report.error(approvals, "wrong-type", "`tool_approvals` must be a list of approvals.")
      continue
    }
    for (const item of approvals.value.items) readApproval(item, location.key, findings)
  }
  return findings.finish("strictest")
}

function readApproval(node: YamlNode, folder: string, findings: Findings): void {
  const map = readMap(node, "an approval", findings.report)
  if (map === undefined) return
  const textOf = (key: string) => {
    const value = entryOf(map, key)?.value
    return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined
  }
  const [kind, server, tool] = [textOf("kind"), textOf("serverName"), textOf("toolName")]
  const written = `${kind ?? "an approval"} ${server ?? ""}(${tool ?? "*"}) in ${folder}`
  if (kind !== "mcp" || server === undefined || server === "") {
    findings.lose("dropped", node, written, "it is not about a tool of an MCP server, or not known", "nothing")
    return
  }
  const isWhole = entryOf(map, "toolName")?.value.kind === "scalar" && tool === undefined
  const isOdd = tool === undefined && entryOf(map, "toolName") !== undefined && !isWhole
  if (isOdd || tool === "") {
    findings.lose("dropped", node, written, "its tool is not a name", "nothing")
    return
  }
  if (folder === findings.options.folder) {
    const about = { server: escapeGlob(server), tool: tool === undefined ? "*" : escapeGlob(tool) }
    checkKeys(map, { read: ["kind", "serverName", "toolName"], about, unknown: "any" }, findings)
    findings.add({ effect: "allow", ...about, at: node, written })
    return
  }
  const why = "it holds in this folder alone, and Byleave does not know which folder an agent works in"
  findings.lose("dropped", node, written, why, `nothing; --folder ${folder} takes it over for every folder`)
}
