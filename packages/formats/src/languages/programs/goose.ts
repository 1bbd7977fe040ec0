import { escapeGlob } from "@byleave/core"
import { stringify } from "yaml"
import { exportLosses } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { refuseOr, type ToolTable, tableAnswer, toolsWith, toolTable, translated } from "../export/tool-table.ts"
import { createFindings } from "../import/found-rules.ts"
import { checkKeys } from "../import/known-keys.ts"
import { entryOf, mapAt, readYamlFile, textItems } from "../import/source-tree.ts"
import { splitJoined } from "../joined-names.ts"
import type { RuleLanguage, RuleLoss } from "../language.ts"

/** Extensions that are part of Goose, as version 1.34.0 has them: `developer__shell` runs commands. */
const ownExtensions: ReadonlySet<string> = new Set([
  ...["developer", "computercontroller", "memory", "autovisualiser", "tutorial", "platform", "frontend", "recipe"],
  ...["analyze", "apps", "chatrecall", "code_execution", "extensionmanager", "orchestrator", "skills", "subagent"],
  ...["summarize", "summon", "todo", "tom"],
])

/** In the order in which Goose looks a tool up; the first list that has it decides. */
const lists = [
  ["always_allow", "allow"],
  ["ask_before", "ask"],
  ["never_allow", "deny"],
] as const

/** Goose's lists of tools, each named `extension__tool`. */
export const goose: RuleLanguage = {
  id: "goose",
  name: "Goose",
  file: "~/.config/goose/permission.yaml",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readYamlFile(text, findings.report)
    checkKeys(root, { read: ["user"], other: ["smart_approve"], unknown: "any" }, findings)
    const user = mapAt(root, "user", findings.report)
    checkKeys(user, { read: lists.map(([key]) => key), unknown: "any" }, findings)
    for (const [key, effect] of lists) {
      for (const { text: name, at } of textItems(entryOf(user, key), findings.report)) {
        if (findings.isTooLong(name, at)) continue
        const { known, possible } = splitJoined(escapeGlob(name), "__", options.servers)
        const sure = effect === "allow" ? possible.slice(0, 1) : possible
        const named = known.length > 0 ? known : sure
        const isOwn = effect === "allow" && named.some(({ server }) => ownExtensions.has(server))
        if (!isOwn) for (const tool of named) findings.add({ effect, ...tool, at, written: `${key}: ${name}` })
        if (!isOwn && named.length > 0) continue
        const why = isOwn
          ? "it is about a tool of Goose itself, which Byleave does not judge by rules"
          : "it names no tool of an extension, as in extension__tool"
        findings.lose("dropped", at, `${key}: ${name}`, why, "nothing")
      }
    }
    return findings.finish("first")
  },
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const tables = plain.servers.map((server) => translated(toolTable(server), refuseOr, "ask")).map(unlessUnsure)
    const user = Object.fromEntries(
      lists.map(([key, effect]) => [
        key,
        tables.flatMap((table) => toolsWith(table, effect).map((tool) => `${table.id}__${tool}`)).sort(),
      ]),
    )
    const isOwn = (server: string) => ownExtensions.has(server)
    const words = { name: "Goose", saysGlob: () => false, unnamed: "either", isOwn } as const
    const losses = exportLosses(plain, tableAnswer(tables), words)
    return { text: stringify({ user }), losses: [modeLoss, ...losses] }
  },
}

/** A name with `__` in it can be taken apart in several ways, and another may be that of a part of Goose; what runs unasked must be certain. */
function unlessUnsure(table: ToolTable): ToolTable {
  if (!table.id.includes("__") && !ownExtensions.has(table.id)) return table
  return translated(table, (effect) => (effect === "allow" ? "ask" : effect), table.rest)
}

const modeLoss: RuleLoss = {
  kind: "weaker",
  path: "policy.default",
  written: "tools that are in no list",
  why: "Goose's mode decides about them, and its mode `auto` lets them run; set GOOSE_MODE=approve",
  became: "what Goose's mode says",
}
