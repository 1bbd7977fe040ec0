import { firstCharacters } from "../call/first-characters.ts"
import { hasHiddenCharacters, showText } from "../call/show-text.ts"
import { sizeInWords } from "../call/size-in-words.ts"
import { utf8Length } from "../call/utf8-length.ts"
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

/** A text to be looked at: where it stands (`key`), the argument's own name, as much of it as is looked at, and its whole length. */
export type PlacedText = {
  readonly key: string
  readonly name: string
  readonly text: string
  readonly length: number
}

type Look = (placed: PlacedText) => string | null

/** Compiled once per call; gives the risks of one text. */
export function compileTextRisks(context: RiskContext): (placed: PlacedText) => readonly Risk[] {
  const looks: ReadonlyArray<readonly [Risk["kind"], Look]> = [
    ["destructive-verb", destructiveProgram],
    ["outside-workspace", outside(context)],
    ["sensitive-file", sensitiveFile(context)],
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
  const shown = firstCharacters(text, longestQuoted)
  return `"${showText(shown)}${shown.length < text.length ? "…" : ""}"`
}

const longestQuoted = 200

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
function lookalikeLetters({ name, text, length }: PlacedText): string | null {
  const isProse = namesProse(name) || length > longestLine || text.includes("\n")
  return isProse ? null : mixedLetters(text)
}

const longestLine = 300
const defaultLargeBytes = 65_536
const longestPath = 4_096
const destroying = /\b(?:rm|rmdir|mkfs|dd|shred|shutdown|reboot|drop|truncate|delete|format)\b/i

function destructiveProgram({ name, text }: PlacedText): string | null {
  const verb = namesProgram(name) ? destroying.exec(text)?.[0] : undefined
  return verb === undefined ? null : `may delete data: it contains "${verb}"`
}

/** A relative path is taken from the workspace where the server's working directory is not known. */
function outside({ workspace, cwd }: RiskContext): Look {
  if (workspace === undefined) return () => null
  const judge = compileUnder(workspace, "surely-inside", { cwd: cwd ?? workspace })
  return ({ name, text, length }) => {
    if (length > longestPath || !looksLikePath(name, text)) return null
    const judgement = judge(text)
    if (judgement === "holds") return null
    if (judgement === "fails") return `is outside the workspace ${showText(workspace)}`
    return `may be outside the workspace: it ${judgement.unjudged}`
  }
}

const systemFolders =
  /^(?:\/(?:private\/)?etc|\/s?bin|\/usr|\/boot|\/dev|\/proc|\/sys|\/root|\/lib\w*|\/System|\/Library|[a-z]:[\\/](?:windows|program\w*( files)?( \(x86\))?))(?:[\\/]|$)/i

/** What the system or other programs are set up by: a change there reaches far beyond the work at hand. */
function sensitiveFile({ workspace, cwd }: RiskContext): Look {
  // Where the work itself lies in such a folder, the folder tells nothing.
  const isAtHome = [workspace, cwd].some((folder) => folder !== undefined && systemFolders.test(folder))
  return ({ name, text, length }) => {
    if (length > longestPath || !looksLikePath(name, text)) return null
    // Doubled separators and `.` lead to the same place.
    const plain = text.replace(/^file:\/\//, "").replaceAll(/\/(?:\.?\/)+/g, "/")
    if (!isAtHome && systemFolders.test(plain)) return "is a system file"
    const dotted = text.split(/[\\/]/).find((part) => /^\.[^.]/.test(part))
    return dotted === undefined ? null : `includes ${quoted(dotted)}, a name typically used for settings`
  }
}

function looksLikePath(name: string, text: string): boolean {
  if (text === "" || text.includes("\n")) return false
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
  return `contains shell characters: ${signs.map((sign) => (sign === "\n" ? "a line break" : sign)).join(" ")}`
}

function unknownHost(knownHosts: readonly string[]): Look {
  const known = knownHosts.map((host) => compileGlob(host.toLowerCase()))
  return ({ text }) => {
    const unknown = new Set<string>()
    let doubtful = false
    let count = 0
    for (const url of urlsIn(text)) {
      count += 1
      if (count > mostAddresses) return "has too many addresses to check them all"
      const host = hostOf(url)
      if (host === null) doubtful = true
      else if (!known.some((matches) => matches(host))) unknown.add(host)
      if (unknown.size > mostHosts) break
    }
    if (unknown.size > 0) return `goes to ${hostList([...unknown])}, not a known host`
    return doubtful ? "has an address with an unclear host" : null
  }
}

const mostHosts = 5
const mostAddresses = 500

function hostList(hosts: readonly string[]): string {
  return `${hosts
    .slice(0, mostHosts)
    .map((host) => showText(firstCharacters(host, longestQuoted)))
    .join(", ")}${hosts.length > mostHosts ? " and others" : ""}`
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
  return ({ text, length }) => {
    if (length * 3 <= largeBytes) return null
    // What is not looked at counts as one byte for each character: never more than there is.
    const bytes = utf8Length(text) + (length - text.length)
    if (bytes <= largeBytes) return null
    return `is very large: ${text.length < length ? "more than " : ""}${sizeInWords(bytes)}`
  }
}
