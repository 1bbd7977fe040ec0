/** `mcp__server`, `mcp__server__*` and `mcp__server__tool`: read as Claude Code and Qwen Code do, written for Claude Code. The strictest decides. */
import { compileGlob, type Effect, escapeGlob, literalOf, plainName } from "@byleave/core"
import { globCovers } from "@byleave/core/compare"
import type { TextPosition } from "../problem.ts"
import { stripPrefix } from "../read/servers/strip-prefix.ts"
import type { ExportedAnswer, ExportWords } from "./export/export-losses.ts"
import { effectOn, type PlainPolicy, type PlainServer } from "./export/plain-policy.ts"
import type { Findings } from "./import/found-rules.ts"
import {
  type NamedTool,
  restrictedBy,
  splitJoined,
  starGlob,
  withToolsWrittenAlike,
  writtenLike,
  writtenName,
} from "./joined-names.ts"
import { strictness } from "./strictness.ts"

const prefix = "mcp__"

/** How one program reads such rules. */
export type McpRuleProgram = {
  readonly name: string
  /** The name of a server or tool as the program writes it. */
  readonly plain: (name: string) => string
  /** Whether a rule is about a tool of the program itself. */
  readonly isNative: (text: string) => boolean
  /** Servers that the program brings itself, as it writes them: an allow for one of them allows its own tools. */
  readonly ownServers: ReadonlySet<string>
  /** The rule as the program compares it, or why it never decides anything. */
  readonly ruleIn: (
    effect: "allow" | "ask" | "deny",
    text: string,
  ) => { readonly rule: string } | { readonly why: string }
}

/** Reads one rule; what is not about a tool of a server is reported. */
export function readMcpRule(
  effect: "allow" | "ask" | "deny",
  text: string,
  at: TextPosition,
  program: McpRuleProgram,
  findings: Findings,
): void {
  const { lose, add } = findings
  if (findings.isTooLong(text, at)) return
  const read = program.ruleIn(effect, text)
  const rests = "why" in read ? [] : restsOf(effect, read.rule)
  if (rests.length === 0 && !text.startsWith(prefix)) {
    loseOther(effect, text, at, program, findings)
    return
  }
  if ("why" in read) {
    lose("dropped", at, text, read.why, "nothing")
    return
  }
  const named = rests.flatMap((rest) => namedBy(rest, effect, program, findings))
  if (named.length === 0) {
    lose("dropped", at, text, "it names no server", "nothing")
    return
  }
  if (effect === "allow" && named.some(({ server }) => isOwnServer(literalOf(server), program))) {
    loseOther(effect, text, at, program, findings)
    return
  }
  for (const { server, tool } of named) add({ effect, server, tool, at, written: text })
  loseRewritten(effect, named, text, at, program.name, findings)
}

function isOwnServer(name: string | null, { plain, ownServers }: McpRuleProgram): boolean {
  return name !== null && ownServers.has(plain(name))
}

/** The patterns of what may follow `mcp__`: a restriction may also reach it by a wildcard. */
function restsOf(effect: Effect, rule: string): readonly string[] {
  if (rule.startsWith(prefix)) return [starGlob(rule.slice(prefix.length))]
  return effect === "allow" ? [] : stripPrefix(starGlob(rule), prefix)
}

/** Only what is known to be about the program's own tools is left out; another restriction may be about a tool of that name. */
function loseOther(
  effect: Effect,
  text: string,
  at: TextPosition,
  { name, isNative }: McpRuleProgram,
  { lose, doubt }: Findings,
): void {
  if (effect === "allow" || isNative(text)) {
    lose("dropped", at, text, `it is about a tool of ${name} itself, which Byleave does not judge by rules`, "nothing")
    return
  }
  const tool = starGlob((text.split("(")[0] ?? "").split("__").at(-1) ?? "")
  doubt({ server: "*", tool: tool === "" ? "*" : tool, at, written: text, why: "it may be about a tool of a server" })
}

/** Names which server is meant where the program's spelling does not tell: the restriction holds for all of them. */
export function loseRewritten(
  effect: Effect,
  named: readonly NamedTool[],
  text: string,
  at: TextPosition,
  program: string,
  { lose }: Findings,
): void {
  const rewritten = named.filter(({ server, tool }) => [server, tool].some((glob) => writtenName(glob) !== null))
  if (rewritten.length === 0) return
  const why = `${program} writes other characters in names of servers and tools as \`_\`, and none that is known has this name`
  const became = rewritten.map(({ server, tool }) => `${effect}: ${server}(${tool})`).join(", ")
  lose("stricter", at, text, why, `${became}, for all that are written so`)
}

/** The tools that a restriction by this name is about; none where it is about a tool of the program itself. */
export function restrictedTools(text: string, program: McpRuleProgram, findings: Findings): readonly NamedTool[] {
  return text.startsWith(prefix) ? namedBy(starGlob(text.slice(prefix.length)), "deny", program, findings) : []
}

/** The servers that a program knows by this name: every one that it writes so, where the name is not written as it is. */
export function serverCalled(name: string, { plain }: McpRuleProgram): string {
  return plain(name) === name ? escapeGlob(name) : writtenLike(plain(name))
}

function namedBy(
  pattern: string,
  effect: Effect,
  { plain }: McpRuleProgram,
  { options }: Findings,
): readonly NamedTool[] {
  const rest = literalOf(pattern)
  // Where the separator is part of a server's name, the rule may be about a tool of another one: it restricts both, and allows neither as a whole.
  const whole = options.servers.filter(
    (server) => plain(server) === rest && (effect !== "allow" || !rest.includes("__")),
  )
  const joined = splitJoined(pattern, "__", options.servers, plain)
  const wholes = whole.map((server) => ({ server: literal(server), tool: "*" }))
  if (effect === "allow") {
    if (wholes.length + joined.known.length > 0) return [...wholes, ...joined.known]
    // The program takes the first `__`; a server whose name has one is known to nobody here.
    return joined.possible.length > 0 ? joined.possible.slice(0, 1) : wholeServer(pattern)
  }
  const possible = joined.possible.map(({ server, tool }) => ({ server: writtenLike(server), tool }))
  const restricted = restrictedBy(pattern, "__", { known: joined.known, possible }).flatMap((named) =>
    withToolsWrittenAlike(named, plain, options.tools),
  )
  const like = wholeServer(pattern).map(({ server, tool }) => ({ server: writtenLike(server), tool }))
  if (pattern.split("__")[0]?.includes("*")) return [...wholes, ...restricted, ...like]
  return wholes.length + restricted.length > 0 ? [...wholes, ...restricted] : like
}

function wholeServer(pattern: string): readonly NamedTool[] {
  return pattern === "" ? [] : [{ server: pattern, tool: "*" }]
}

function literal(name: string): string {
  return name.replaceAll(/[*?[]/g, "[$&]")
}

export type McpRules = {
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly deny: readonly string[]
}

/** The rules of all servers. An allow is written only for names that the program does not change. */
export function mcpRules(plain: PlainPolicy, program: McpRuleProgram): McpRules {
  const lists = { allow: new Set<string>(), ask: new Set<string>(), deny: new Set<string>() }
  for (const server of plain.servers) {
    for (const { effect, tool } of saidOf(server, plain, program)) {
      const list = effect === "hide" ? lists.deny : lists[effect]
      list.add(ruleFor(plainName(server.id), tool))
    }
  }
  return { allow: [...lists.allow].sort(), ask: [...lists.ask].sort(), deny: [...lists.deny].sort() }
}

/** A server whose name has the separator in it would be taken for a tool of another one. */
function ruleFor(server: string, tool: string): string {
  return tool === "*" && !server.includes("__") ? `${prefix}${server}` : `${prefix}${server}__${written(tool)}`
}

/** The answer that the program gives by these rules; it asks where none matches. */
export function mcpAnswer(plain: PlainPolicy, program: McpRuleProgram): ExportedAnswer {
  const said = new Map(plain.servers.map((server) => [server.id, saidOf(server, plain, program)]))
  return ({ id }, tool) => {
    const matching = (said.get(id) ?? []).filter(({ tool: glob }) => {
      return tool === null ? glob === "*" : compileGlob(glob)(tool)
    })
    const effect = matching.toSorted((a, b) => strictness[b.effect] - strictness[a.effect])[0]?.effect ?? "ask"
    return effect === "hide" ? "deny" : effect
  }
}

/** What the text says of an exported policy, for the report. */
export function mcpWords(plain: PlainPolicy, program: McpRuleProgram): ExportWords {
  return {
    name: program.name,
    saysGlob: ({ effect, tool }, server) =>
      isStarGlob(tool) && (effect !== "allow" || isAllowable(server, plain, program)),
    hides: false,
    isOwn: (server) => isOwnServer(server, program),
  }
}

/** Whether a pattern can be written as it is: `*` is the only wildcard. */
function isStarGlob(glob: string): boolean {
  return /^[A-Za-z0-9_*-]+$/.test(glob)
}

type Said = { readonly effect: Effect; readonly tool: string }

function saidOf(server: PlainServer, plain: PlainPolicy, program: McpRuleProgram): readonly Said[] {
  if (!isAllowable(server, plain, program)) return restrictionsOf(server)
  const globs = server.rules.filter(({ effect }) => effect === "allow").map(({ tool }) => tool)
  const allowed = [...globs, ...(server.fallback === "allow" ? ["*"] : [])]
    .flatMap((glob) => offeredOf(server, glob))
    .flatMap((glob) => (isStarGlob(glob) ? [glob] : server.known.filter(compileGlob(glob))))
    .filter((tool) => isSafeAllow(server, tool))
  return [...restrictionsOf(server), ...allowed.map((tool): Said => ({ effect: "allow", tool }))]
}

/** What of a pattern is among the tools that a server offers: rules cannot hide its other tools from a pattern that covers them. */
function offeredOf({ offer, known }: PlainServer, glob: string): readonly string[] {
  if (offer === undefined || offer.some((offered) => globCovers(offered, glob))) return [glob]
  const inside = offer.filter((offered) => globCovers(glob, offered))
  const isOffered = (tool: string) => offer.some((offered) => compileGlob(offered)(tool))
  return [...inside, ...known.filter((tool) => compileGlob(glob)(tool) && isOffered(tool)).map(escapeGlob)]
}

/** Servers that the program writes alike cannot be told apart by an allow, nor one from a server that the program brings itself. */
function isAllowable({ id }: PlainServer, { servers }: PlainPolicy, program: McpRuleProgram): boolean {
  if (plainName(id) !== id || id.includes("__") || isOwnServer(id, program)) return false
  const others = servers.filter((other) => other.id !== id).map((other) => plainName(other.id))
  return !others.some((other) => other === id || other.startsWith(`${id}__`))
}

function isSafeAllow({ known }: PlainServer, tool: string): boolean {
  return isStarGlob(tool) && !known.some((name) => plainName(name) !== name && compileGlob(tool)(plainName(name)))
}

function restrictionsOf(server: PlainServer): readonly Said[] {
  const restricting = server.rules.filter(({ effect }) => effect !== "allow")
  const refused = server.known.filter((tool) => {
    const effect = effectOn(server, tool)
    return effect === "deny" || effect === "hide"
  })
  const isClosed =
    server.fallback === "deny" && server.rules.every(({ effect }) => effect === "deny" || effect === "hide")
  return [
    ...(isClosed ? [{ effect: "deny", tool: "*" } as const] : []),
    ...restricting.map(({ effect, tool }): Said => ({ effect, tool: widened(tool) })),
    // By the default or by what the server offers, besides rules.
    ...refused.map((tool): Said => ({ effect: "deny", tool })),
  ]
}

/** A pattern with every other wildcard made a `*`: it then restricts more. */
function widened(glob: string): string {
  if (literalOf(glob) !== null || writtenName(glob) !== null) return glob
  return isStarGlob(glob) ? glob : glob.replaceAll(/\[!?\]?[^\]]*\]|[^A-Za-z0-9_*-]/g, "*").replaceAll(/\*+/g, "*")
}

function written(glob: string): string {
  const name = literalOf(glob) ?? writtenName(glob)
  return name === null ? glob : plainName(name)
}
