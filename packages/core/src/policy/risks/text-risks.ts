import { firstCharacters } from "../../call/text/first-characters.ts"
import { quoted } from "../../call/text/quoted.ts"
import { mayBeReordered } from "../../call/text/right-to-left.ts"
import { hasHiddenCharacters, showText } from "../../call/text/show-text.ts"
import { sizeInWords } from "../../call/text/size-in-words.ts"
import { utf8Length } from "../../call/text/utf8-length.ts"
import { compileGlob } from "../conditions/glob.ts"
import { hostOf } from "../conditions/hosts/url-host.ts"
import { both, either, type Judgement } from "../conditions/judgement.ts"
import { tookWork, tooMuchWork } from "../conditions/judging-work.ts"
import { createPathLookup, type FindPlaces, type PathLookup } from "../conditions/path-lookup.ts"
import { compileUnder } from "../conditions/path-under.ts"
import { namesAddress, namesPath, namesProgram, namesProse } from "./argument-kind.ts"
import { orderIn } from "./instruction-phrases.ts"
import { mixedLetters } from "./lookalike-name.ts"
import { meantElsewhere } from "./meant-path.ts"
import type { Risk } from "./risk.ts"
import { isSecretKey } from "./secret-key.ts"
import { looksSecret } from "./secret-like.ts"
import { urlsIn } from "./urls-in.ts"

export type RiskContext = {
  readonly workspace?: string
  /** The folders that the server works in. Without a workspace, a path outside all of them is told. */
  readonly folders?: readonly string[]
  /** Where a relative path may start; absent: in the first of the folders. */
  readonly bases?: readonly string[]
  /** The agent tells the server which folders to work in, so that a relative path may start anywhere. */
  readonly hasRoots?: boolean
  /** Follows links. Without it a path is taken by its text. */
  readonly realPaths?: () => FindPlaces
  /** Whether the server finds nothing at an absolute path. Absent: that cannot be told. */
  readonly isMissing?: (path: string) => boolean
  readonly knownHosts?: readonly string[]
}

/** `approvedHosts`: those that approved calls have led to; absent where that was not looked up. */
type TextRiskContext = RiskContext & { readonly approvedHosts?: ReadonlySet<string> }

/** A text to be looked at: where it stands (`key`), the argument's own name, as much of it as is looked at, and its whole length. */
export type PlacedText = {
  readonly key: string
  readonly name: string
  readonly text: string
  readonly length: number
}

type Look = (placed: PlacedText) => string | null

/** Compiled once per call; gives the risks of one text. */
export function compileTextRisks(context: TextRiskContext): (placed: PlacedText) => readonly Risk[] {
  const looks: ReadonlyArray<readonly [Risk["kind"], Look]> = [
    ["destructive-verb", destructiveProgram],
    ["outside-workspace", outside(context)],
    ["sensitive-file", sensitiveFile(context)],
    ["leaves-folder", leavesFolder],
    ["shell-metacharacters", shellSigns],
    ["new-host", newHost(context)],
    ["unknown-host", unknownHost(context)],
    ["hidden-characters", ({ text }) => hiddenCharacters(text)],
    ["right-to-left", ({ text }) => reorderedParts(text)],
    ["lookalike-letters", lookalikeLetters],
    ["large-value", large],
    ["secret-like", secret],
    ["instruction-like", order],
  ]
  return (placed) =>
    looks.flatMap(([kind, look]) => {
      const found = look(placed)
      return found === null ? [] : [{ kind, key: placed.key, sentence: `${quoted(placed.key)} ${found}.` }]
    })
}

/** A secret in the midst of a text is easily overlooked, so the words say that it is not all of it. */
function secret({ name, text }: PlacedText): string | null {
  if (!looksSecret(name, text)) return null
  return isSecretKey(name) || !/\s/.test(text) ? "looks like a secret" : "contains what looks like a secret"
}

function order({ text }: PlacedText): string | null {
  const found = orderIn(text)
  return found === null ? null : `may give orders to an AI: it contains ${quoted(found)}`
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

/** Pages and terminals follow Unicode's rules for the direction of text, and a person reads what they make of it. */
export function reorderedParts(text: string): string | null {
  if (!mayBeReordered(text)) return null
  return "has right-to-left letters: parts of it may be displayed in another order than the one sent. Exact JSON on the card shows the order sent"
}

/** In prose, letters of other alphabets are usual; in what a program reads, one among others is not. */
function lookalikeLetters({ name, text, length }: PlacedText): string | null {
  const isProse = namesProse(name) || length > longestLine || text.includes("\n")
  return isProse ? null : mixedLetters(text)
}

const longestLine = 300
const largeBytes = 65_536
export const longestPath = 4_096
const destroying = /\b(?:rm|rmdir|mkfs|dd|shred|shutdown|reboot|drop|truncate|delete|format)\b/i

function destructiveProgram({ name, text }: PlacedText): string | null {
  const verb = namesProgram(name) ? destroying.exec(text)?.[0] : undefined
  return verb === undefined ? null : `may delete data: it contains "${verb}"`
}

function outside(context: RiskContext): Look {
  const { workspace } = context
  const roots = rootsOf(context)
  if (roots.length === 0) return () => null
  const isInside = insideFrom(context)
  const lookup = lookupFor(context)
  const perCharacter = isInside.length * roots.length * costOfPath
  const where =
    workspace === undefined ? (roots.length > 1 ? "the server's folders" : "the server's folder") : "the workspace"
  const named = roots.slice(0, mostFolders).map(showText).join(", ") + (roots.length > mostFolders ? " and others" : "")
  return ({ name, text, length }) => {
    if (length > longestPath || !looksLikePath(name, text)) return null
    const isPaid = tookWork(lookup, perCharacter * (shortName + text.length))
    const judgement = isPaid ? isInside.map((judge) => judge(text, lookup)).reduce(both) : tooMuchWork
    if (judgement === "holds") return null
    if (judgement === "fails") return `is outside ${where} ${named}`
    return `may be outside ${where}: it ${judgement.unjudged}`
  }
}

/** In units of work: for each character of a path, and for as many beside them as make a short one. */
const costOfPath = 5
const shortName = 50

/** Whether a path lies in one of the folders that the work is expected in: one judge for each place where a relative path may start. */
export function insideFrom(context: RiskContext): ReadonlyArray<(text: string, lookup: PathLookup) => Judgement> {
  const roots = rootsOf(context)
  return startsOf(context).map((start) => {
    const judges = roots.map((root) => compileUnder(root, "surely-inside", { ...context, bases: [start] }))
    return (text, lookup) => judges.map((judge) => judge(text, lookup)).reduce(either)
  })
}

/** One for all paths of a call: agents choose how many there are. */
export function lookupFor(context: RiskContext): PathLookup {
  return createPathLookup(context, context.hasRoots)
}

export function startsOf(context: RiskContext): readonly string[] {
  return context.bases ?? rootsOf(context).slice(0, 1)
}

/** The folders that the work is expected in. */
function rootsOf({ workspace, folders = [] }: RiskContext): readonly string[] {
  return workspace === undefined ? folders : [workspace]
}

const mostFolders = 3

const systemFolders =
  /^(?:\/(?:private\/)?etc|\/s?bin|\/usr|\/boot|\/dev|\/proc|\/sys|\/root|\/lib\w*|\/System|\/Library|[a-z]:[\\/](?:windows|program\w*( files)?( \(x86\))?))(?:[\\/]|$)/i

/** Files that configure the system or other programs: a change there reaches far beyond the work at hand. */
function sensitiveFile({ workspace, folders = [] }: RiskContext): Look {
  // Where the work itself lies in such a folder, the folder tells nothing.
  const isAtHome = [workspace, ...folders].some((folder) => folder !== undefined && systemFolders.test(folder))
  return ({ name, text, length }) => {
    if (length > longestPath || !looksLikePath(name, text)) return null
    // Doubled separators and `.` lead to the same place.
    const plain = text.replace(/^file:\/\//, "").replaceAll(/\/(?:\.?\/)+/g, "/")
    if (!isAtHome && systemFolders.test(plain)) return "is a system file"
    const dotted = text.split(/[\\/]/).find((part) => /^\.[^.]/.test(part))
    return dotted === undefined ? null : `includes ${quoted(dotted)}, a name typically used for settings`
  }
}

function leavesFolder({ name, text, length }: PlacedText): string | null {
  if (length > longestPath || !text.includes("..") || !looksLikePath(name, text)) return null
  const means = meantElsewhere(text)
  return means === null ? null : `leaves the folder it begins with: it means ${quoted(means)}`
}

export function looksLikePath(name: string, text: string): boolean {
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

/** A host that no approved call has led to, where a program is given it to go to. In prose, a link is only worth a glance. */
function newHost(context: TextRiskContext): Look {
  if (context.approvedHosts === undefined) return () => null
  const isKnown = knownHost(context)
  return ({ name, text }) => {
    if (namesProse(name)) return null
    const { unknown } = hostsOf(text, isKnown)
    return unknown.length === 0 ? null : `goes to ${hostList(unknown)}, which no approved call has used before`
  }
}

function unknownHost(context: TextRiskContext): Look {
  const isKnown = knownHost(context)
  return ({ name, text }) => {
    const { unknown, isDoubtful, isTooMany } = hostsOf(text, isKnown)
    if (isTooMany) return "has too many addresses to check them all"
    const isTold = context.approvedHosts !== undefined && !namesProse(name)
    if (unknown.length > 0) {
      if (isTold) return null
      return namesProse(name)
        ? `mentions ${hostList(unknown)}, not a known host`
        : `goes to ${hostList(unknown)}, not a known host`
    }
    return isDoubtful ? "has an address with an unclear host" : null
  }
}

function knownHost({ knownHosts = [], approvedHosts }: TextRiskContext): (host: string) => boolean {
  const known = knownHosts.map((host) => compileGlob(host.toLowerCase()))
  return (host) => approvedHosts?.has(host) === true || known.some((matches) => matches(host))
}

function hostsOf(
  text: string,
  isKnown: (host: string) => boolean,
): { readonly unknown: readonly string[]; readonly isDoubtful: boolean; readonly isTooMany: boolean } {
  const unknown = new Set<string>()
  let isDoubtful = false
  let count = 0
  for (const url of urlsIn(text)) {
    count += 1
    if (count > mostAddresses) return { unknown: [...unknown], isDoubtful, isTooMany: true }
    const host = hostOf(url)
    if (host === null) isDoubtful = true
    else if (!isKnown(host)) unknown.add(host)
    if (unknown.size > mostHosts) break
  }
  return { unknown: [...unknown], isDoubtful, isTooMany: false }
}

const mostHosts = 5
const longestHost = 200
const mostAddresses = 500

function hostList(hosts: readonly string[]): string {
  return `${hosts
    .slice(0, mostHosts)
    .map((host) => showText(firstCharacters(host, longestHost)))
    .join(", ")}${hosts.length > mostHosts ? " and others" : ""}`
}

function large({ text, length }: PlacedText): string | null {
  if (length * 3 <= largeBytes) return null
  // Characters that are not looked at count as one byte each: never more than there are.
  const bytes = utf8Length(text) + (length - text.length)
  if (bytes <= largeBytes) return null
  return `is very large: ${text.length < length ? "more than " : ""}${sizeInWords(bytes)}`
}
