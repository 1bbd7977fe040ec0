import { compileGlob, type Effect, escapeGlob, literalOf } from "@byleave/core"
import { globsDisjoint } from "@byleave/core/compare"
import { stringify } from "yaml"
import { perServerKeys } from "../../read/servers/read-per-server.ts"
import { stripPrefix } from "../../read/servers/strip-prefix.ts"
import type { MapEntry, MapNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { effectOn, type PlainServer, plainPolicy } from "../export/plain-policy.ts"
import { everyToolOf } from "../import/doubts.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { checkKeys } from "../import/known-keys.ts"
import { entryOf, readYamlFile, serverMaps, textItems } from "../import/source-tree.ts"
import type { RuleLanguage } from "../language.ts"

const lists = [
  ["tool_blacklist", "hide"],
  ["exclude_tools", "hide"],
  ["auto_approved_tools", "allow"],
  ["auto_approve_tools", "allow"],
] as const

/** Server ids at the top, and for each of them globs of tools that are blocked and of tools that run unasked. */
export const toolLists: RuleLanguage = {
  id: "tool-lists",
  name: "tool lists per server",
  file: "a YAML file with tool_blacklist and auto_approved_tools for each server",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readYamlFile(text, findings.report)
    for (const { id, entry, map } of root === undefined ? [] : serverMaps(asEntry(root), findings.report)) {
      readServerLists(id, entry, map, findings)
    }
    return findings.finish("strictest")
  },
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const text = stringify(Object.fromEntries(plain.servers.map((server) => [server.id, listsOf(server)])))
    const words = { name: "a tool list", saysGlob: () => true }
    return { text, losses: exportLosses(plain, answerOf, words) }
  },
}

function asEntry(root: MapNode): MapEntry {
  return { ...root, key: "the file", value: root }
}

function readServerLists(id: string, entry: MapEntry, map: MapNode, findings: Findings): void {
  const { report, add, lose, offer } = findings
  const server = escapeGlob(id)
  checkKeys(map, { read: perServerKeys, about: everyToolOf(server), unknown: "any" }, findings)
  const hook = entryOf(map, "pre_hook")
  if (hook !== undefined) {
    const why = "code that runs before calls may refuse them, and Byleave does not run it"
    findings.doubt({ ...everyToolOf(server), at: hook, written: `pre_hook of ${id}`, why })
  }
  const prefixNode = entryOf(map, "tool_name_prefix")?.value
  const prefix = prefixNode?.kind === "scalar" && typeof prefixNode.value === "string" ? prefixNode.value : undefined
  const globsOf = (text: string) =>
    (prefix === undefined ? [text] : [text, ...stripPrefix(text, `${prefix}_`)]).filter((glob) => glob !== "")
  for (const [key, effect] of lists) {
    for (const { text, at } of textItems(entryOf(map, key), report)) {
      for (const tool of new Set(globsOf(text))) add({ effect, server, tool, at, written: `${key}: ${text}` })
    }
  }
  const only = entryOf(map, "include_tools")
  if (only !== undefined)
    offer(
      id,
      textItems(only, report).flatMap(({ text }) => globsOf(text)),
      only,
    )
  if (!["auto_approved_tools", "auto_approve_tools"].some((key) => entryOf(map, key) !== undefined)) {
    const why = "without a list of tools that run without approval, all of them do; here they ask"
    lose("stricter", entry, id, why, "nothing, so that the default applies")
  }
}

function listsOf(server: PlainServer): object {
  const { blocked, allowed, included } = saidOf(server)
  return {
    ...(included === undefined ? {} : { include_tools: included }),
    tool_blacklist: blocked,
    auto_approved_tools: allowed,
  }
}

type Said = {
  readonly blocked: readonly string[]
  readonly allowed: readonly string[]
  readonly included?: readonly string[]
}

/** Nothing between the lists can ask, so that an allow that an ask cuts into is written out. */
function saidOf(server: PlainServer): Said {
  const globs = (...effects: readonly string[]) =>
    server.rules.filter(({ effect }) => effects.includes(effect)).map(({ tool }) => tool)
  const asks = globs("ask")
  const allows = server.fallback === "allow" ? ["*"] : globs("allow")
  const whole = allows.filter((allow) => asks.every((ask) => globsDisjoint(ask, allow)))
  const cut = allows.filter((allow) => !whole.includes(allow))
  const names = server.known.filter(
    (tool) => effectOn(server, tool) === "allow" && cut.some((glob) => compileGlob(glob)(tool)),
  )
  const allowed = [...new Set([...whole, ...names.map(escapeGlob)])].sort()
  const blocked = [...new Set(globs("deny", "hide"))].sort()
  const offered = server.fallback === "deny" ? [...globs("allow"), ...asks] : undefined
  const both = server.offer !== undefined && offered !== undefined
  const included = both
    ? server.known.filter((tool) => isShown(server, tool)).map(escapeGlob)
    : (server.offer ?? offered)
  return { blocked, allowed, ...(included === undefined ? {} : { included: [...new Set(included)].sort() }) }
}

function isShown(server: PlainServer, tool: string): boolean {
  return effectOn(server, tool) === "allow" || effectOn(server, tool) === "ask"
}

function answerOf(server: PlainServer, tool: string | null): Effect {
  const { blocked, allowed, included } = saidOf(server)
  if (tool === null) {
    if (included !== undefined || blocked.some((glob) => literalOf(glob) === null)) return "hide"
    return allowed.includes("*") ? "allow" : "ask"
  }
  const matches = (list: readonly string[]) => list.some((glob) => compileGlob(glob)(tool))
  if (matches(blocked) || (included !== undefined && !matches(included))) return "hide"
  return matches(allowed) ? "allow" : "ask"
}
