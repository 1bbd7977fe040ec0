/**
 * `server(tool)` as text and as data; globs on both sides.
 *
 * The first `(` that is not inside `[…]` opens and the last character, a `)`, closes, so tool names may contain either; in a server's
 * name they are written `[(]` and `[)]`. `resource:…`, `prompt:…`, `method:…`, `sampling`, `elicitation` and `roots` between the
 * parentheses are not tools; a tool that is really called so is written with its first letter in brackets: `server([s]ampling)`.
 *
 * I1. What is parsed, formatted and parsed again is the same pattern.
 * I2. `formatToolLiteral` gives the text of a pattern that matches that tool and nothing else.
 * I3. Only a pattern that names Byleave literally is about what Byleave asks for itself; no wildcard is.
 * I4. No other spelling of a resource's or prompt's name escapes a hide, deny or ask about it, and none satisfies an allow it does not fit in
 *     every reading.
 */
import type { ToolRef } from "../../call/call.ts"
import { compileGlob, escapeGlob, globProblem, literalOf } from "../conditions/glob.ts"
import { closingBracket } from "../conditions/glob-tokens.ts"
import { webHost } from "../conditions/hosts/web-host.ts"
import { mostWork, type TakeWork, tookWork } from "../conditions/judging-work.ts"
import type { Target } from "../decide/decision.ts"
import { foldName, looseReadings, type StrictReadings, strictReadings } from "./name-readings.ts"
import type { Effect, TargetKind, TargetPattern } from "./rule.ts"
import { decodedOnce } from "./uri-readings.ts"

export type ParsedTarget =
  | { readonly ok: true; readonly pattern: TargetPattern }
  | { readonly ok: false; readonly problem: string }

const namelessKinds: ReadonlySet<string> = new Set<TargetKind>(["sampling", "elicitation", "roots"])
const prefixedKinds = ["resource", "prompt", "method"] as const

export function parseTargetPattern(text: string): ParsedTarget {
  const open = openingParenthesis(text)
  const server = open < 0 ? text : text.slice(0, open)
  const problem = problemOfServer(server) ?? globProblem(server)
  if (problem !== null) return refuse(text, problem)
  if (open < 0) return { ok: true, pattern: { server, kind: "tool", name: "*", whole: true } }
  if (!text.endsWith(")")) return refuse(text, `it must end with ")", as in ${server}(tool)`)
  const inside = text.slice(open + 1, -1)
  const tooLong = globProblem(inside)
  return tooLong === null ? parseInside(text, server, inside) : refuse(text, tooLong)
}

/** The text of a pattern; parsing it gives the pattern again. */
export function formatTargetPattern(pattern: TargetPattern): string {
  const plain = join(pattern, pattern.server, pattern.name)
  const again = parseTargetPattern(plain)
  if (again.ok && samePattern(again.pattern, pattern)) return plain
  return join(pattern, guardServer(pattern.server), guardName(pattern))
}

/** `server(tool)` with the metacharacters of both names escaped. */
export function formatToolLiteral(tool: ToolRef): string {
  const server = escapeGlob(tool.server)
  return formatTargetPattern({ server, kind: "tool", name: escapeGlob(tool.tool), whole: false })
}

/** A hide or deny of the bare server covers all of it; an ask or allow of the bare server is about its tools. */
export function compileTarget(pattern: TargetPattern): (target: Target, effect: Effect) => boolean {
  const server = compileServer(pattern.server)
  const name = compileGlob(pattern.name)
  if (pattern.whole) {
    return (target, effect) =>
      (target.kind === "tool" || effect === "hide" || effect === "deny") && server(target.server)
  }
  if (pattern.kind !== "resource" && pattern.kind !== "prompt")
    return (target) => target.kind === pattern.kind && server(target.server) && name(target.name)
  const spelled = compileSpelled(pattern.name)
  return (target, effect) => target.kind === pattern.kind && server(target.server) && spelled(target, effect)
}

/** Matches names that agents spell as they like: a denial by any reading of them, an allow by all. A name that may mean anything is denied. */
function compileSpelled(glob: string): (target: Target, effect: Effect) => boolean {
  const exact = compileGlob(glob)
  const before = (mark: RegExp) => (mark.test(glob) ? compileGlob(glob.slice(0, glob.search(mark))) : exact)
  const [beforeQuery, beforeFragment] = [before(/\[?[?#]/), before(/(?:\[\??)?#/)]
  const namesUser = /^[^/?#]*:\/\/[^/?#]*@/.test(glob)
  const others = [withAsciiHost(glob), decodedGlob(glob)].filter((each) => each !== null).map(compileGlob)
  const folded = compileGlob(foldName(decodedGlob(glob)))
  return (target, effect) => {
    const read = readingsOf(target)
    if (effect !== "allow") {
      const { loose } = read
      return loose === null || [exact, ...others].some((matches) => loose.some(matches)) || read.folded.some(folded)
    }
    const { strict } = read
    if (strict === null) return false
    return (
      strict.whole.every(exact) &&
      (namesUser || strict.withoutUser.every(exact)) &&
      strict.withoutQuery.every((name) => exact(name) || beforeQuery(name)) &&
      strict.withoutFragment.every((name) => exact(name) || beforeFragment(name))
    )
  }
}

/** The glob without percent codes: readings of a name are decoded, too. */
function decodedGlob(glob: string): string {
  return glob.replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) => escapeGlob(decodedOnce(codes)))
}

/** A rule's host in letters of other alphabets, as the web writes it; null where it has none. */
function withAsciiHost(glob: string): string | null {
  const [, before = "", host = "", rest = ""] = /^([a-z]+:\/\/)([^/?#[:]+)(.*)$/is.exec(glob) ?? []
  const read = /^\p{ASCII}*$/u.test(host) ? null : webHost(host)
  return read === null ? null : `${before.toLowerCase()}${read}${rest}`
}

type Readings = {
  readonly loose: readonly string[] | null
  readonly folded: readonly string[]
  readonly strict: StrictReadings | null
}

const known = new WeakMap<Target, Readings>()

/** Each rule is held against every reading of a name, so that there is less for one name than for the arguments of a call. */
const mostForName = mostWork / 8

/** Worked out once for a target, however many rules it is compared with. */
function readingsOf(target: Target): Readings {
  const before = known.get(target)
  if (before !== undefined) return before
  const { kind, name } = target
  const work = { workLeft: mostForName }
  const take: TakeWork = (units) => tookWork(work, units)
  const loose = looseReadings(kind, name, take)
  const folded = [...new Set((loose ?? []).map(foldName))]
  const readings = { loose, folded, strict: loose === null ? null : strictReadings(kind, name, take) }
  known.set(target, readings)
  return readings
}

/** No wildcard means Byleave itself: a rule for every server would else shut the door by which it is changed again. */
function compileServer(glob: string): (server: string) => boolean {
  const matches = compileGlob(glob)
  return literalOf(glob) === ownServer ? matches : (server) => server !== ownServer && matches(server)
}

/** The server of calls that Byleave makes on its own behalf, such as a change of its policy. */
export const ownServer = "byleave"

function parseInside(text: string, server: string, inside: string): ParsedTarget {
  if (inside === "") return refuse(text, `nothing stands between the parentheses; all tools are ${server}(*)`)
  if (inside !== inside.trim()) return refuse(text, "a space stands at an end of the tool; a space in a name is [ ]")
  if (namelessKinds.has(inside)) {
    return { ok: true, pattern: { server, kind: inside as TargetKind, name: "*", whole: false } }
  }
  for (const kind of prefixedKinds) {
    if (!inside.startsWith(`${kind}:`)) continue
    const name = withPlainIpv6(inside.slice(kind.length + 1))
    if (name === "") return refuse(text, `nothing stands after "${kind}:"; all of them are ${server}(${kind}:*)`)
    return { ok: true, pattern: { server, kind, name, whole: false } }
  }
  return { ok: true, pattern: { server, kind: "tool", name: inside, whole: false } }
}

/** An IPv6 address stands in brackets, and is not one of the letters in them. */
function withPlainIpv6(name: string): string {
  return name.replace(/^([a-z][a-z0-9+.-]*:\/\/)\[([0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*)\]/i, "$1[[]$2]")
}

function problemOfServer(server: string): string | null {
  if (server === "") return "the server is missing; write server(tool), or *(tool) for every server"
  if (server !== server.trim()) return "a space stands at an end of the server; a space in a name is [ ]"
  if (unclassed(server).includes(")")) return 'a ")" stands before any "("; write server(tool)'
  return null
}

const longestShown = 200

function refuse(text: string, why: string): ParsedTarget {
  const shown = text.length > longestShown ? `${JSON.stringify(text.slice(0, longestShown))}…` : JSON.stringify(text)
  return { ok: false, problem: `${shown} is not a pattern: ${why}` }
}

function openingParenthesis(text: string): number {
  return unclassed(text).indexOf("(")
}

/** The text with everything inside `[…]` made unremarkable, at the same length. */
function unclassed(text: string): string {
  let plain = ""
  let closable = true
  for (let at = 0; at < text.length; ) {
    const close = closable && text[at] === "[" ? closingBracket(text, at) : -1
    if (text[at] === "[" && close < 0) closable = false
    const end = close < 0 ? at + 1 : close + 1
    plain += close < 0 ? text[at] : "x".repeat(end - at)
    at = end
  }
  return plain
}

function join(pattern: TargetPattern, server: string, name: string): string {
  if (pattern.whole) return server
  if (pattern.kind === "tool") return `${server}(${name})`
  if (prefixedKinds.some((kind) => kind === pattern.kind)) return `${server}(${pattern.kind}:${name})`
  return `${server}(${pattern.kind})`
}

function samePattern(a: TargetPattern, b: TargetPattern): boolean {
  return a.server === b.server && a.kind === b.kind && a.name === b.name && a.whole === b.whole
}

/** The same glob, with what would be read as part of the surrounding text put in brackets. */
function guardServer(server: string): string {
  const plain = unclassed(server)
  let guarded = ""
  for (let at = 0; at < server.length; at += 1) {
    guarded += /[()[]|\s/.test(plain[at] as string) ? `[${server[at]}]` : server[at]
  }
  return guarded
}

function guardName(pattern: TargetPattern): string {
  const { kind, name } = pattern
  const spaced = name.replace(/^\s|\s$/g, "[$&]")
  const reads = namelessKinds.has(name) || prefixedKinds.some((prefix) => name.startsWith(`${prefix}:`))
  return kind === "tool" && reads ? `[${spaced[0]}]${spaced.slice(1)}` : spaced
}
