import { compileGlob, type Effect, escapeGlob, literalOf, plainName } from "@byleave/core"
import { optional, readBoolean } from "../../read/fields.ts"
import { describeNode, type MapEntry, type YamlNode } from "../../text/tree.ts"
import { exportLosses } from "../export/export-losses.ts"
import { effectOn, type PlainPolicy, type PlainServer, plainPolicy } from "../export/plain-policy.ts"
import { everyToolOf } from "../import/doubts.ts"
import { createFindings, type Findings, type FoundRule } from "../import/found-rules.ts"
import { checkKeys, wordsIn } from "../import/known-keys.ts"
import { entryOf, mapAt, readJsonFile, serverMaps } from "../import/source-tree.ts"
import { restrictedBy, splitJoined, withToolsWrittenAlike, writtenLike, writtenName } from "../joined-names.ts"
import type { RuleLanguage, RuleLoss } from "../language.ts"
import { loseRewritten } from "../mcp-rule.ts"

/** `permission` of opencode's configuration: patterns on `server_tool`, of which the last that matches decides. */
export const opencode: RuleLanguage = {
  id: "opencode",
  name: "opencode",
  file: "~/.config/opencode/opencode.json or opencode.json",
  read: (text, options) => {
    const findings = createFindings(options)
    const root = readJsonFile(text, findings.report)
    checkKeys(root, { read: readKeys, other: otherKeys, unknown: "speaking" }, findings)
    checkKeys(
      mapAt(root, "experimental", findings.report),
      { read: [], other: experiments, unknown: "speaking" },
      findings,
    )
    for (const { id, map } of serverMaps(entryOf(root, "mcp"), findings.report)) {
      const about = everyToolOf(escapeGlob(id))
      checkKeys(map, { read: [...transportKeys, "enabled"], about, unknown: "any" }, findings)
      const enabled = entryOf(map, "enabled")
      if (
        enabled === undefined ||
        optional(enabled.value, (node) => readBoolean(node, "`enabled`", findings.report)) !== false
      )
        continue
      findings.add({ effect: "hide", server: escapeGlob(id), tool: "*", at: enabled, written: `${id} is not enabled` })
    }
    const found = [
      ...readSwitches(entryOf(root, "tools"), findings),
      ...readPermission(entryOf(root, "permission"), findings),
    ]
    for (const rule of found.toReversed()) findings.add(rule)
    for (const key of ["agent", "mode"]) doubtAgents(entryOf(root, key), findings)
    if (root !== undefined) loseOpenDefault(root, found, findings)
    return findings.finish("first")
  },
  write: (policy, { known }) => {
    const plain = plainPolicy(policy, known)
    const lines = linesOf(plain)
    const permission = Object.fromEntries(lines.map(({ pattern, effect }) => [pattern, effect]))
    const losses = exportLosses(plain, answerOf(plain), {
      name: "opencode",
      saysGlob: ({ effect, tool }, { id }) => isWritable(tool) && (effect !== "allow" || !meansOwn(id, tool)),
      hides: false,
      unnamed: "allow",
      isOwn: (server) => meansOwn(server, "*"),
    })
    return { text: `${JSON.stringify({ permission }, null, 2)}\n`, losses: [...losses, ...lines.flatMap(ownLoss)] }
  },
}

const effects = ["allow", "ask", "deny"] as const

const readKeys = ["$schema", "permission", "tools", "mcp", "agent", "mode", "experimental"]
const transportKeys = "type command args cwd environment url headers oauth timeout".split(" ")
const experiments = ["disable_paste_summary", "batch_tool", "openTelemetry", "continue_loop_on_deny", "mcp_timeout"]

/** Settings of models, plugins, commands, the display, and opencode's own server and tools. */
const otherKeys = wordsIn(
  "model small_model provider disabled_providers enabled_providers default_agent subagent_depth plugin command keybinds",
  "theme tui share autoshare autoupdate username instructions formatter lsp server tool_output skills references reference",
  "watcher snapshot shell logLevel layout attachment enterprise compaction",
)

/** Agents have permissions of their own, and Byleave does not know which agent calls: what one of them may not do is in doubt. */
function doubtAgents(entry: MapEntry | undefined, findings: Findings): void {
  for (const { id, map } of serverMaps(entry, findings.report)) {
    const restricted = [
      ...readSwitches(entryOf(map, "tools"), findings),
      ...readPermission(entryOf(map, "permission"), findings),
    ].filter(({ effect }) => effect !== "allow")
    const why = `the agent ${id} may not do it, and here rules hold for every agent`
    for (const { server, tool, at, written } of restricted) {
      findings.doubt({ server, tool, at, written: `${id}: ${written}`, why })
    }
  }
}

/** What opencode itself asks leave for, as version 1.18.33 and earlier ones name it. The names of its tools are made as those of servers are. */
const ownPermissions = wordsIn(
  "read edit write patch apply_patch multiedit glob grep list bash shell task skill lsp question webfetch websearch",
  "codesearch todowrite todoread batch invalid external_directory doom_loop plan_enter plan_exit workflow_tool_approval",
  "list_mcp_resources list_mcp_resource_templates read_mcp_resource",
)

/** `tools: { pattern: false }`, of earlier versions. */
function readSwitches(entry: MapEntry | undefined, findings: Findings): readonly FoundRule[] {
  if (entry === undefined) return []
  if (entry.value.kind !== "map") {
    findings.report.error(entry.value, "wrong-type", "`tools` must be a map of patterns.")
    return []
  }
  return entry.value.entries.flatMap((line) => {
    const isOn = readBoolean(line.value, `\`${line.key}\``, findings.report)
    if (isOn === false) return namedBy("deny", line.key, line, findings)
    findings.lose(
      "dropped",
      line,
      `${line.key}: ${isOn}`,
      "that a tool may be used says nothing about asking",
      "nothing",
    )
    return []
  })
}

function readPermission(entry: MapEntry | undefined, findings: Findings): readonly FoundRule[] {
  if (entry === undefined) return []
  if (entry.value.kind !== "map") return readLine("*", entry.value, entry, findings)
  return entry.value.entries.flatMap((line) => readLine(line.key, line.value, line, findings))
}

function readLine(pattern: string, node: YamlNode, at: MapEntry, findings: Findings): readonly FoundRule[] {
  if (node.kind === "map") return readInputs(pattern, node.entries, at, findings)
  const effect = effects.find((word) => node.kind === "scalar" && node.value === word)
  if (effect !== undefined) return namedBy(effect, pattern, at, findings)
  const message = `\`${pattern}\` must be allow, ask or deny, but this is ${describeNode(node)}.`
  findings.report.error(node, "bad-value", message)
  return []
}

/** Answers by what a tool is given. Only the strictest of them is certain to hold. */
function readInputs(
  pattern: string,
  lines: readonly MapEntry[],
  at: MapEntry,
  findings: Findings,
): readonly FoundRule[] {
  const found = lines.flatMap((line) => readLine(pattern, line.value, line, findings))
  if (found.length === 0) return []
  findings.lose(
    "stricter",
    at,
    pattern,
    "what a tool is given cannot be told apart as opencode does",
    "the stricter answers, for every call",
  )
  return found.filter(({ effect }) => effect !== "allow").map((rule) => ({ ...rule, partial: true }))
}

function namedBy(
  effect: (typeof effects)[number],
  pattern: string,
  at: MapEntry,
  findings: Findings,
): readonly FoundRule[] {
  const written = `${pattern}: ${effect}`
  if (findings.isTooLong(pattern, at)) return []
  if (pattern === "*") return [{ effect, server: "*", tool: "*", at, written }]
  const glob = pattern.replaceAll("[", "[[]")
  const joined = splitJoined(glob, "_", findings.options.servers, plainName)
  if (ownPermissions.includes(pattern) && (effect === "allow" || joined.known.length === 0)) {
    const why = "it is about a tool of opencode itself, which Byleave does not judge by rules"
    findings.lose("dropped", at, written, why, "nothing")
    return []
  }
  const possible = joined.possible.map(({ server, tool }) => ({ server: writtenLike(server), tool }))
  const restricted = () =>
    restrictedBy(glob, "_", { known: joined.known, possible }).flatMap((tool) =>
      withToolsWrittenAlike(tool, plainName, findings.options.tools),
    )
  const named = effect === "allow" ? joined.known : restricted()
  if (named.length === 0) {
    const why = "it names no tool of a server that is known, as in server_tool"
    findings.lose("dropped", at, written, why, "nothing")
  }
  loseRewritten(effect, named, written, at, "opencode", findings)
  return named.map((tool) => ({ effect, ...tool, at, written }))
}

function loseOpenDefault(root: YamlNode, found: readonly FoundRule[], { lose }: Findings): void {
  if (found.some(({ server, tool }) => server === "*" && tool === "*")) return
  const why = "opencode lets everything run that no pattern matches; here it asks"
  lose("stricter", root, "everything else", why, "nothing, so that the default applies")
}

type Line = { readonly server: string; readonly pattern: string; readonly effect: (typeof effects)[number] }

/** The permissions of opencode itself that a pattern of tools of this server reaches. */
function ownReached(pattern: string): readonly string[] {
  return ownPermissions.filter(compileGlob(pattern))
}

function meansOwn(server: string, tool: string): boolean {
  return ownReached(patternOf(server, tool)).length > 0
}

/** A restriction of a server reaches a permission of opencode's own as well. */
function ownLoss({ server, pattern, effect }: Line): readonly RuleLoss[] {
  const own = ownReached(pattern)
  if (own.length === 0) return []
  const why = `opencode has ${own.join(", ")} of its own, which the pattern reaches as well`
  return [{ kind: "stricter", path: server, written: `${pattern}: ${effect}`, why, became: `${effect}, for both` }]
}

function patternOf(server: string, tool: string): string {
  return `${plainName(server)}_${written(tool)}`
}

/** The general first, then what runs, asks and is denied: the last that matches decides, and so does the strictest. */
function linesOf(plain: PlainPolicy): readonly Line[] {
  const said = plain.servers.flatMap((server) => saidOf(server, plain).map((line) => ({ server, ...line })))
  const sorted = said.toSorted((a, b) => (`${a.server.id} ${a.tool}` < `${b.server.id} ${b.tool}` ? -1 : 1))
  const ordered = [true, false].flatMap((isBase) =>
    effects.flatMap((effect) => sorted.filter((line) => line.isBase === isBase && line.effect === effect)),
  )
  const lines = ordered.map(({ server, tool, effect }) => ({
    ...{ server: server.id, pattern: patternOf(server.id, tool), effect },
  }))
  // The last of two equal ones decides; an object keeps the place of the first.
  return lines.filter(({ pattern }, at) => lines.findLastIndex((other) => other.pattern === pattern) === at)
}

type Said = { readonly tool: string; readonly effect: (typeof effects)[number]; readonly isBase: boolean }

function saidOf(server: PlainServer, plain: PlainPolicy): readonly Said[] {
  const sure = (effect: Effect, tool: string): Said["effect"] => {
    if (effect === "hide") return "deny"
    return effect === "allow" && (isAmbiguous(server, plain) || meansOwn(server.id, tool)) ? "ask" : effect
  }
  const exact = server.known.map((tool): Said => {
    const effect = sure(effectOn(server, tool), escapeGlob(tool))
    const isRewritten = effect === "allow" && plainName(tool) !== tool
    return { tool: escapeGlob(tool), effect: isRewritten ? "ask" : effect, isBase: false }
  })
  const base: Said = {
    tool: "*",
    effect: server.offer === undefined ? sure(server.fallback, "*") : "deny",
    isBase: true,
  }
  const globs = server.offer === undefined ? server.rules.filter((rule) => isSaidAsGlob(rule, server)) : []
  const general = [
    base,
    ...globs.map(({ effect, tool }): Said => ({ tool: widened(tool), effect: sure(effect, tool), isBase: false })),
  ]
  // Two tools that opencode writes alike each need their line, so that the stricter one decides.
  const isAlone = (tool: string) => server.known.filter((other) => plainName(other) === plainName(tool)).length === 1
  return [
    ...general,
    ...exact.filter(
      ({ tool, effect }, at) => !isAlone(server.known[at] ?? "") || said(general, literalOf(tool)) !== effect,
    ),
  ]
}

function isSaidAsGlob({ effect, tool }: PlainServer["rules"][number], { id }: PlainServer): boolean {
  return literalOf(tool) === null && (effect !== "allow" || (isWritable(tool) && !meansOwn(id, tool)))
}

/** The answer of these lines about a tool; null stands for tools that are not known. */
function said(lines: readonly Said[], tool: string | null): Said["effect"] {
  const base = lines.find(({ isBase }) => isBase)?.effect ?? "ask"
  const matching = lines.filter(
    (line) => !line.isBase && (tool === null ? line.tool === "*" : compileGlob(line.tool)(tool)),
  )
  return effects.toReversed().find((effect) => matching.some((line) => line.effect === effect)) ?? base
}

/** Two servers whose names begin alike cannot always be told apart. */
function isAmbiguous({ id }: PlainServer, { servers }: PlainPolicy): boolean {
  if (plainName(id) !== id) return true
  const others = servers.filter((other) => other.id !== id).map((other) => plainName(other.id))
  return others.some((other) => other === id || other.startsWith(`${id}_`) || id.startsWith(`${other}_`))
}

function answerOf(plain: PlainPolicy): (server: PlainServer, tool: string | null) => Effect {
  return (server, tool) => said(saidOf(server, plain), tool)
}

function isWritable(glob: string): boolean {
  return /^[A-Za-z0-9_*?-]+$/.test(glob)
}

/** A pattern without sets of characters: `?` stands for any. It then restricts more. */
function widened(glob: string): string {
  const name = writtenName(glob)
  if (name !== null) return name
  return isWritable(glob) ? glob : glob.replaceAll(/\[!?\]?[^\]]*\]|[^A-Za-z0-9_*?-]/gu, "?")
}

function written(glob: string): string {
  const name = literalOf(glob)
  return name === null ? glob : plainName(name)
}
