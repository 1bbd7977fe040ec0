import { type Effect, escapeGlob, type Policy } from "@byleave/core"
import type { TextPosition } from "../../problem.ts"
import { exportLosses, readOnlyLoss } from "../export/export-losses.ts"
import { plainPolicy } from "../export/plain-policy.ts"
import { refuseOr, type ToolTable, tableAnswer, toolsWith, toolTable, translated } from "../export/tool-table.ts"
import { createFindings, type Findings, type FoundRule } from "../import/found-rules.ts"
import { shellQuoted, shellWords } from "../import/shell-words.ts"
import { type NamedTool, splitJoined } from "../joined-names.ts"
import type { ReadRulesOptions, ReadRulesResult, RuleLanguage, RuleLoss, WriteRulesOptions } from "../language.ts"
import { isOwnServer, isServerNamed, isToolNamed, ownListed, ownPermissions, ownServers } from "./copilot-names.ts"
import { doubtValue, loseFlag } from "./copilot-other-flags.ts"
import { readSavedPermissions } from "./copilot-saved.ts"

/** Flags of Copilot CLI, and the permissions it saves. Names match exactly; a denial wins; what is not named asks. */
export const copilot: RuleLanguage = {
  id: "copilot",
  name: "Copilot CLI",
  file: "the flags of a command line, or ~/.copilot/permissions-config.json",
  read: (text, options) =>
    /^\s*(?:\{|\/\/|\/\*)/.test(text) ? readSavedPermissions(text, options) : readFlags(text, options),
  write: (policy, options) => {
    const { flags, losses } = copilotFlags(policy, options)
    return { text: flags.map(([flag, value]) => `${flag}=${shellQuoted(value)}\n`).join(""), losses }
  },
}

type CopilotFlag = readonly [flag: "--allow-tool" | "--deny-tool", value: string]

/** The policy as flags, each with its value as it is, not quoted for a shell. */
export function copilotFlags(
  policy: Policy,
  { known }: WriteRulesOptions,
): { readonly flags: readonly CopilotFlag[]; readonly losses: readonly RuleLoss[] } {
  const plain = plainPolicy(policy, known)
  const tables = plain.servers.map((server) => said(toolTable(server)))
  const words = { name: "Copilot CLI", saysGlob: () => false, unnamed: "either", isOwn: isOwnServer } as const
  const losses = [...exportLosses(plain, tableAnswer(tables), words), ...tables.flatMap(askedLoss)]
  return { flags: tables.flatMap(flagsOf), losses }
}

/** Copilot CLI asks about tools that no flag names, and looks at what such a tool says of itself. */
function askedLoss(table: ToolTable): readonly RuleLoss[] {
  const asked = toolsWith(table, "ask")
  const named = asked.length === 0 ? [] : [`${table.id}(${asked.join(", ")})`]
  const rest = table.rest === "ask" ? [`every other tool of ${table.id}`] : []
  const words = [...named, ...rest].join(", ")
  return words === "" ? [] : [readOnlyLoss("Copilot CLI", table.id, words, "they are denied")]
}

/**
 * A server that no flag can name asks. One that is allowed as a whole cannot have tools that ask, nor ones that no flag can deny; one that is
 * denied as a whole has none that run.
 */
function said(given: ToolTable): ToolTable {
  if (!isServerNamed(given.id)) return translated(given, () => "ask", "ask")
  const table = ownServers.has(given.id) ? translated(given, unlessAllowed, unlessAllowed(given.rest)) : given
  const isRefused = [...table.tools.values(), table.rest].every((effect) => effect === "deny" || effect === "hide")
  if (isRefused) return translated(table, refuseOr, "deny")
  const restricted = toolsWith(table, "ask", "deny", "hide")
  const isAllowed =
    table.rest === "allow" && restricted.every((tool) => isToolNamed(tool) && table.tools.get(tool) !== "ask")
  const tools = [...table.tools].map(([tool, effect]) => {
    const isSaid = isToolNamed(tool) || (effect === "allow" && isAllowed)
    return [tool, isSaid ? refuseOr(effect) : "ask"] as const
  })
  return { ...table, tools: new Map(tools), rest: isAllowed ? "allow" : "ask" }
}

/** An allow would be leave for the server that Copilot CLI brings itself; a denial may reach it, too. */
function unlessAllowed(effect: Effect): Effect {
  return effect === "allow" ? "ask" : effect
}

function flagsOf(table: ToolTable): readonly CopilotFlag[] {
  if (table.rest === "deny") return [["--deny-tool", table.id]]
  const denied = toolsWith(table, "deny").map((tool) => ["--deny-tool", `${table.id}(${tool})`] as const)
  if (table.rest === "allow") return [["--allow-tool", table.id], ...denied]
  return [...toolsWith(table, "allow").map((tool) => ["--allow-tool", `${table.id}(${tool})`] as const), ...denied]
}

/** What a flag says of the tools it names, and the names by which it means tools of Copilot CLI itself. */
type FlagMeaning = { readonly effect: Effect; readonly own: ReadonlySet<string> }

const meanings: ReadonlyMap<string, FlagMeaning> = new Map<string, FlagMeaning>([
  ["--allow-tool", { effect: "allow", own: new Set([...ownPermissions, ...ownServers]) }],
  ["--deny-tool", { effect: "deny", own: ownPermissions }],
  ["--excluded-tools", { effect: "hide", own: ownListed }],
  ["--disable-mcp-server", { effect: "deny", own: new Set() }],
  // All others are refused.
  ["--available-tools", { effect: "ask", own: ownListed }],
])

function readFlags(text: string, options: ReadRulesOptions): ReadRulesResult {
  const findings = createFindings(options)
  const words = text.length > longestLine ? undefined : shellWords(text)
  if (words === undefined) {
    const start = { line: 1, column: 1, path: "" }
    findings.report.error(start, "syntax", "This is not a command line: it is too long, or a quote is not closed.")
    return findings.finish("strictest")
  }
  const available: FoundRule[] = []
  const named: FoundRule[] = []
  let flag: string | null = null
  let isLimited = false
  for (const { text: word, line, column } of words) {
    const [, name = null, given] = /^(--[a-z-]+|-[a-z])(?:=([\s\S]*))?$/i.exec(word) ?? []
    if (name !== null) flag = given === undefined ? name : null
    const at = { line, column, path: name ?? flag ?? "" }
    const about = name ?? flag
    if (about === "--available-tools") isLimited = true
    if (about !== null && (name === null || given !== undefined)) doubtValue(about, given ?? word, at, findings)
    const meaning = about === null ? undefined : meanings.get(about)
    if (meaning === undefined) {
      // The words after a flag that is not known belong to it.
      if (name !== null || flag === null) loseFlag(word, at, findings)
    } else if (name === null || given !== undefined) {
      for (const part of namesIn(given ?? word)) {
        const { effect } = meaning
        const found = namedBy(meaning, part, at, findings).map((tool) => ({ effect, ...tool, at, written: part }))
        ;(effect === "ask" ? available : named).push(...found)
      }
    }
  }
  return finishFlags(named, isLimited ? available : null, findings)
}

const longestLine = 256_000

/** Names stand one by one or with commas between them; a tool's name may hold one. */
function namesIn(value: string): readonly string[] {
  return value
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

function namedBy(
  { effect, own }: FlagMeaning,
  text: string,
  at: TextPosition,
  findings: Findings,
): readonly NamedTool[] {
  const { lose, options } = findings
  const [, server = text, tool] = /^([^()]+)\(([\s\S]*)\)$/.exec(text) ?? []
  // A denial by such a word also reaches a server of that name.
  const isRestriction = effect === "deny" || effect === "hide"
  if (own.has(server) && !(isRestriction && options.servers.includes(server))) {
    const why = "it is about a tool of Copilot CLI itself, which Byleave does not judge by rules"
    lose("dropped", at, text, why, "nothing")
    return []
  }
  if (/[()]/.test(server) || tool === "") {
    lose("dropped", at, text, "it names no server and tool", "nothing")
    return []
  }
  if (tool === "*" && (effect === "allow" || effect === "ask")) {
    const why = `Copilot CLI matches names exactly, and no tool is called \`*\`; for all tools of a server, write ${server}`
    lose("no-effect", at, text, why, "nothing")
    return []
  }
  if ((effect === "allow" || effect === "ask") && tool !== undefined && !isToolNamed(tool)) {
    const why = "Copilot CLI finds no tool by a name with other characters than letters, digits, `_` and `-`"
    lose("no-effect", at, text, why, "nothing")
    return []
  }
  if (tool !== undefined && tool !== "*") return [{ server: escapeGlob(server), tool: escapeGlob(tool) }]
  const whole = { server: escapeGlob(server), tool: "*" }
  // A restriction that the program takes for one of a tool called `*` is meant for all of them.
  if (tool === "*" || effect === "allow" || effect === "deny" || options.servers.includes(server)) return [whole]
  // Lists of available and excluded tools also name a tool as models see it, `server-tool`.
  if (findings.isTooLong(text, at)) return []
  const { known, possible } = splitJoined(escapeGlob(text), "-", options.servers)
  if (known.length > 0) return known
  return effect === "ask" ? [whole] : [whole, ...possible]
}

/** Where there is a list of available tools, the default denies, and what is in the list asks unless it is allowed. */
function finishFlags(
  named: readonly FoundRule[],
  available: readonly FoundRule[] | null,
  findings: Findings,
): ReadRulesResult {
  const { add, lose, finish } = findings
  if (available === null) {
    for (const rule of named) add(rule)
    return finish("strictest")
  }
  const isIn = (narrow: FoundRule, wide: FoundRule) =>
    narrow.server === wide.server && (wide.tool === "*" || wide.tool === narrow.tool)
  const allows = named.filter(({ effect }) => effect === "allow")
  for (const rule of named) {
    if (rule.effect !== "allow" || available.some((listed) => isIn(rule, listed) && isIn(listed, rule))) add(rule)
    else if (available.some((listed) => isIn(listed, rule))) {
      const why = "it is wider than the list of available tools"
      for (const listed of available.filter((each) => isIn(each, rule))) add({ ...listed, effect: "allow" })
      lose("no-effect", rule.at, rule.written, why, "allow, for the tools in that list")
    } else {
      const why = "the list of available tools names its server as a whole, and here the stricter rule wins"
      lose(
        "stricter",
        rule.at,
        rule.written,
        available.some((listed) => isIn(rule, listed)) ? why : notListed,
        "ask or deny",
      )
    }
  }
  for (const listed of available) if (!allows.some((allow) => isIn(listed, allow))) add(listed)
  return finish("strictest", { default: "deny" })
}

const notListed = "it is not in the list of available tools"
