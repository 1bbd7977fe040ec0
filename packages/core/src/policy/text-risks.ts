import { hasHiddenCharacters, showText } from "../call/show-text.ts"
import { namesAddress, namesPath, namesProgram, namesProse } from "./argument-kind.ts"
import { compileGlob } from "./glob.ts"
import { mixedLetters } from "./lookalike-name.ts"
import { compileUnder } from "./path-under.ts"
import type { Risk } from "./risk.ts"
import { looksSecret } from "./secret-like.ts"
import { hostOf } from "./url-host.ts"

export type RiskContext = {
  readonly workspace?: string
  readonly cwd?: string
  readonly knownHosts?: readonly string[]
  readonly largeBytes?: number
}

/** What a person should know of a text: where it stands (`key`), the argument's own name, and the text. */
export type PlacedText = { readonly key: string; readonly name: string; readonly text: string }

type Look = (placed: PlacedText) => string | null

/** Compiled once per call; gives the risks of one text. */
export function compileTextRisks(context: RiskContext): (placed: PlacedText) => readonly Risk[] {
  const looks: ReadonlyArray<readonly [Risk["kind"], Look]> = [
    ["destructive-verb", destructiveProgram],
    ["outside-workspace", outside(context)],
    ["shell-metacharacters", shellSigns],
    ["unknown-host", unknownHost(context.knownHosts ?? [])],
    ["hidden-characters", ({ text }) => hiddenCharacters(text)],
    ["lookalike-letters", lookalikeLetters],
    ["large-value", large(context.largeBytes ?? defaultLargeBytes)],
    ["secret-like", ({ name, text }) => (looksSecret(name, text) ? "looks like a secret" : null)],
  ]
  return (placed) =>
    looks.flatMap(([kind, look]) => {
      const found = look(placed)
      return found === null ? [] : [{ kind, key: placed.key, sentence: `${quoted(placed.key)} ${found}.` }]
    })
}

/** A name or text chosen by an agent, as part of a sentence. */
export function quoted(text: string): string {
  return `"${showText(text)}"`
}

/** "has 2 hidden characters: …"; null when there are none. Line ends and tabs are no secret, but no part of a name either. */
export function hiddenCharacters(text: string, of: "text" | "name" = "text"): string | null {
  const found = hasHiddenCharacters(text).filter(({ codePoint, offset }) => {
    if (of === "name") return true
    if (codePoint === 0x0d) return text[offset + 1] !== "\n"
    return codePoint !== 0x09 && codePoint !== 0x0a && codePoint !== 0x3000
  })
  if (found.length === 0) return null
  const names = [...new Set(found.map(({ name }) => name))]
  const count = found.length === 1 ? "a hidden character" : `${found.length} hidden characters`
  return `has ${count}: ${names.slice(0, 5).join(", ")}${names.length > 5 ? " and others" : ""}`
}

/** In prose, letters of other alphabets are usual; in what a program reads, one among others is not. */
function lookalikeLetters({ name, text }: PlacedText): string | null {
  const isProse = namesProse(name) || text.length > longestLine || text.includes("\n")
  return isProse ? null : mixedLetters(text)
}

const longestLine = 300
const defaultLargeBytes = 65_536
const longestPath = 4_096
const destroying = /\b(?:rm|rmdir|mkfs|dd|shred|shutdown|reboot|drop|truncate|delete|format)\b/i

function destructiveProgram({ name, text }: PlacedText): string | null {
  const verb = namesProgram(name) ? destroying.exec(text)?.[0] : undefined
  return verb === undefined ? null : `can destroy things: it says "${verb}"`
}

/** A relative path is taken from the workspace where the server's working directory is not known. */
function outside({ workspace, cwd }: RiskContext): Look {
  if (workspace === undefined) return () => null
  const judge = compileUnder(workspace, "surely-inside", { cwd: cwd ?? workspace })
  return ({ name, text }) => {
    if (!looksLikePath(name, text)) return null
    const judgement = judge(text)
    if (judgement === "holds") return null
    if (judgement === "fails") return `lies outside the workspace ${showText(workspace)}`
    return `may lie outside the workspace: it ${judgement.unjudged}`
  }
}

function looksLikePath(name: string, text: string): boolean {
  if (text === "" || text.length > longestPath || text.includes("\n")) return false
  if (text.startsWith("file:")) return true
  if (text.includes("://")) return false
  if (namesPath(name)) return true
  if (namesProse(name) || namesAddress(name) || namesProgram(name)) return false
  return /^(?:\/|~|\.\.?[\\/]|[a-z]:[\\/]|\\\\)/i.test(text)
}

const shellSignsInText = [";", "|", "&", "`", "<", ">", "$(", "${", "\n"] as const
/** The others are at home in an address. */
const shellSignsInAddress = ["`", "$("] as const

function shellSigns({ name, text }: PlacedText): string | null {
  if (namesProse(name)) return null
  const isAddress = namesAddress(name) || text.includes("://")
  const signs = (isAddress ? shellSignsInAddress : shellSignsInText).filter((sign) => text.includes(sign))
  if (signs.length === 0) return null
  return `has signs that a shell acts on: ${signs.map((sign) => (sign === "\n" ? "a line break" : sign)).join(" ")}`
}

function unknownHost(knownHosts: readonly string[]): Look {
  const known = knownHosts.map((host) => compileGlob(host.toLowerCase()))
  return ({ text }) => {
    const unknown = new Set<string>()
    let doubtful = false
    for (const url of urlsIn(text)) {
      const host = hostOf(url)
      if (host === null) doubtful = true
      else if (!known.some((matches) => matches(host))) unknown.add(host)
      if (unknown.size > mostHosts) break
    }
    if (unknown.size > 0) return `leads to ${hostList([...unknown])}, not among the known hosts`
    return doubtful ? "has an address whose host is in doubt" : null
  }
}

const mostHosts = 5

function hostList(hosts: readonly string[]): string {
  return `${hosts.slice(0, mostHosts).map(showText).join(", ")}${hosts.length > mostHosts ? " and others" : ""}`
}

/** Looks back from each `://` for a scheme: a pattern that begins with the scheme takes quadratic time on hostile text. */
function* urlsIn(text: string): Generator<string> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const scheme = /[a-z][a-z0-9+.-]*$/i.exec(text.slice(Math.max(0, at - 12), at))?.[0] ?? ""
    const rest = text.slice(at, at + 2_048)
    const end = rest.search(/[\s"'<>`]/)
    yield scheme + (end < 0 ? rest : rest.slice(0, end))
  }
}

function large(largeBytes: number): Look {
  return ({ text }) => {
    if (text.length * 3 <= largeBytes) return null
    const bytes = utf8Length(text)
    return bytes > largeBytes ? `is very large: ${sizeInWords(bytes)}` : null
  }
}

function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Half a surrogate pair is two of the pair's four bytes.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}

function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
