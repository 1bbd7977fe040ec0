/**
 * Whether what an argument holds looks sensitive: a secret, a file that is likely to hold one, another person's folder. By names and shapes, so it errs
 * towards yes; it is a guard-rail that keeps a habit from covering what nobody meant, not a proof that a file is harmless.
 *
 * I1. A rule that names a folder, and a server that works in one, mean what the folder's own path says: only what lies below it is judged.
 * I2. A path that systems read in different ways, that climbs, or that leads elsewhere by links is judged by all it may mean, and looks sensitive in doubt.
 *     So is one that is written as an address (`file:`), or that stands among other words.
 * I3. The work is bounded: of more than a fixed amount nothing is said.
 * I4. Nothing is said of a relative path where the agent names the folders that it may start from, unless its own names look sensitive.
 * I5. Nor, where links are followed, of one that nobody knows the start of. The files of a server elsewhere are judged by their names.
 */
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { normalizeText } from "../../call/text/normalize-text.ts"
import { namesPath, namesProgram, namesProse, wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"
import { looksSecret } from "../risks/secret-like.ts"
import { holdsPeoplesFolders, isSensitiveName } from "../risks/sensitive-name.ts"
import { looseReadings } from "../rules/name-readings.ts"
import type { Judgement } from "./judgement.ts"
import { isAbsolutePath, isWithin, longestPath, type Path, readFolder } from "./path.ts"
import type { PathContext, PathLookup } from "./path-lookup.ts"
import { type PathReading, type PathStart, pathReadings, placesOf, startsAtRoots, startsOf } from "./path-readings.ts"

type SensitiveContext = PathContext & { readonly folders?: readonly string[]; readonly isRemote?: boolean }

/** `name`: of the argument; empty for all of them. `folders`: those that the rule names. */
export function compileSensitive(
  wanted: boolean,
  name: string,
  context: SensitiveContext,
  folders: readonly string[],
): (value: JsonValue, lookup: PathLookup) => Judgement {
  // A server that takes folders takes relative paths to start in them, wherever it was started.
  const starts = startsOf({ bases: context.bases ?? context.folders ?? [] })
  // Not every folder that a path may start from is one that the server works in.
  const homes = startsOf({ bases: [...folders, ...(context.folders ?? context.bases ?? [])] }).flatMap(
    ({ path }) => path ?? [],
  )
  const followsLinks = context.realPaths !== undefined
  const ignoreCase = context.caseInsensitivePaths === true
  const needsStart = followsLinks && context.isRemote !== true
  const known: Known = { homes, starts, ignoreCase, followsLinks, needsStart }
  return (value, lookup) => {
    const look: Look = { known, lookup, characters: 0, places: 0 }
    const found = lookAt(look, name, value, 0)
    return typeof found === "object" ? found : found === wanted ? "holds" : "fails"
  }
}

const tooLarge = { unjudged: "is too large to be looked through" } as const
const atRoots = { unjudged: startsAtRoots } as const
const most = { characters: 131_072, places: 4_000, depth: 100 } as const

type Known = {
  readonly homes: readonly Path[]
  readonly starts: readonly PathStart[]
  readonly ignoreCase: boolean
  readonly followsLinks: boolean
  readonly needsStart: boolean
}

type Look = { readonly known: Known; readonly lookup: PathLookup; characters: number; places: number }
type Found = boolean | Exclude<Judgement, string>

/** One that looks sensitive settles it, whatever cannot be said of the others. */
function anyOf<T>(items: readonly T[], look: (item: T) => Found): Found {
  let answer: Found = false
  for (const item of items) {
    const found = look(item)
    if (found === true) return true
    if (found !== false) answer = found
  }
  return answer
}

function lookAt(look: Look, name: string, value: JsonValue, depth: number): Found {
  look.places += 1
  if (look.places > most.places || depth > most.depth) return tooLarge
  if (typeof value === "string") {
    look.characters += value.length
    return look.characters > most.characters ? tooLarge : isSensitiveText(look, name, value)
  }
  if (typeof value === "number") return looksSecret(name, String(value))
  if (typeof value !== "object" || value === null) return false
  if (isRawNumber(value)) return looksSecret(name, value.rawJSON)
  const isList = Array.isArray(value)
  const inner: ReadonlyArray<readonly [string, JsonValue]> = isList
    ? value.map((item) => [name, item])
    : Object.entries(value as JsonObject)
  let answer: Found = false
  for (const [member, item] of inner) {
    // Files are given by path in some servers' arguments: `{ "a.md": "its text" }`.
    const named = isList ? false : isSensitiveMember(look, member)
    const found = named === true ? true : lookAt(look, member, item, depth + 1)
    if (found === true) return true
    if (named !== false || found !== false) answer = found === false ? named : found
    if (look.places > most.places) return answer
  }
  return answer
}

function isSensitiveMember(look: Look, member: string): Found {
  look.characters += member.length
  if (isFileAddress(member)) return isSensitiveAddress(look, member)
  if (isAbsolutePath(member) || startsLikePath.test(member)) return isSensitivePath(look, member)
  return /[.\\/]/.test(member) && isSensitiveInWords(member)
}

function isSensitiveText(look: Look, name: string, text: string): Found {
  if (looksSecret(name, text)) return true
  // However long, and whatever characters are in it: servers take it for a path.
  if (namesPath(name)) return isSensitivePath(look, text)
  const isPath = isAbsolutePath(text) || (startsLikePath.test(text) && !namesProse(name))
  const whole = isPath ? isSensitivePath(look, text) : isFileAddress(text) && isSensitiveAddress(look, text)
  if (whole === true || (isPath && !/\s/.test(text))) return whole
  // A single word is no text for people, however long it is and whatever stands around it.
  const isText = (text.length > longestLine || text.includes("\n")) && /\S\s+\S/.test(text)
  if (isText && !namesProgram(name)) return whole
  // A value that is left out is named in order not to be touched.
  if (nameWords(name).some((word) => leftOut.has(word))) return whole
  return text.split(/[\s"'`,;()<>]+/).some((word) => isSensitiveWord(look, word, isPath)) || whole
}

/** `isInPath`: it may be the beginning of a path with blanks, and says nothing of a person's folder. */
function isSensitiveWord(look: Look, word: string, isInPath: boolean): boolean {
  const address = word.search(/\bfile:/i)
  if (address >= 0 && isSensitiveAddress(look, word.slice(address)) === true) return true
  return word.split(":").some((part, at) => {
    if (!(isInPath && isAbsolutePath(part)) && isSensitiveInWords(part)) return true
    // Behind a colon, two slashes begin the host of an address.
    return !(at > 0 && part.startsWith("//")) && part.split(besidePath).some((piece) => leadsToSensitive(look, piece))
  })
}

/** Signs and options that stand before a path: `--file=/a`, `@/a`, `-f/a`. */
const besidePath = /[=@|&{}[\]]+|^-\w(?=\/)/

/** Of an absolute path. Signs that make an argument doubtful are at home among words. */
function leadsToSensitive({ known, lookup }: Look, text: string): boolean {
  const path = text === "/dev/null" ? null : readFolder(text)
  return path !== null && isSensitiveReading({ ok: true, path, text }, known, lookup)
}

/** Readers of addresses leave out tabs and line breaks. */
function isFileAddress(text: string): boolean {
  return /^\s*f[\t\r\n]*i[\t\r\n]*l[\t\r\n]*e[\t\r\n]*:/i.test(text)
}

/** Of a path that is written as an address, in every way it may be read. */
function isSensitiveAddress(look: Look, uri: string): Found {
  const readings = uri.length > longestPath ? null : looseReadings("resource", uri)
  // There are too many ways to read it.
  if (readings === null) return true
  return anyOf(readings, (reading) => {
    const path = /^file:\/\/(\/.*)$/is.exec(reading)?.[1]
    return path !== undefined && isSensitivePath(look, path.replace(/^\/(?=[a-z]:)/i, ""))
  })
}

/** Longer lines are texts, in which names of files and secrets stand without leading to them. A program's text leads to what it names. */
const longestLine = 200
const startsLikePath = /^\s*(?:[\\/~]|\.\.?[\\/]|[a-z]:[\\/])/i
const leftOut = wordSet("exclude excludes excluded ignore ignores ignored except omit")

function isSensitiveInWords(text: string): boolean {
  if (text === "") return false
  const readings = text.includes("%") ? looseReadings("resource", text) : [text]
  if (readings === null) return true
  return readings.some((reading) => {
    const segments = reading.replace(/[.!?]$/, "").split(/[\\/]/)
    return (segments.length > 1 && segments.includes("..")) || hasSensitiveName(segments)
  })
}

function isSensitivePath({ known, lookup }: Look, text: string): Found {
  if (text.length > longestPath) return true
  return anyOf(pathReadings(text, styleOf(text, known), known.starts, lookup), (reading) => {
    if (reading.ok) return isSensitiveReading(reading, known, lookup)
    if (!reading.isRelative || isSensitiveRelative(text)) return true
    if (lookup.hasRoots) return atRoots
    return known.needsStart && { unjudged: reading.doubt }
  })
}

function isSensitiveReading(reading: ReadOk, known: Known, lookup: PathLookup): boolean {
  if (reading.path.climbs) return true
  const places = placesOf(reading, lookup)
  if (places === null && known.followsLinks) return true
  return [reading.path, ...(places ?? [])].some((path) => isSensitivePlace(path, known))
}

type ReadOk = Extract<PathReading, { readonly ok: true }>

function styleOf(text: string, { starts }: Known): Path["style"] {
  if (isAbsolutePath(text)) return text.startsWith("/") ? "posix" : "windows"
  return starts[0]?.path?.style ?? "posix"
}

/** A relative path of which nobody knows where it starts. */
function isSensitiveRelative(text: string): boolean {
  const segments = text.split(/[\\/]/)
  return segments.includes("..") || hasSensitiveName(segments)
}

/** Judges what lies below the deepest folder that a path is known to be in; of a path elsewhere, what lies below a person's home. */
function isSensitivePlace(path: Path, { homes, ignoreCase }: Known): boolean {
  let length = 0
  for (const home of homes) {
    if (isWithin(path, home, ignoreCase) === "holds") length = Math.max(length, home.segments.length)
  }
  const first = plainLetters(path.segments[0] ?? "").toLowerCase()
  if (length === 0 && systemFolders.has(first)) return true
  return hasSensitiveName(path.segments.slice(length === 0 && (first === "home" || first === "users") ? 2 : length))
}

function hasSensitiveName(segments: readonly string[]): boolean {
  // Some systems and servers find a name by another spelling of its letters.
  const names = segments.filter((segment) => segment !== "" && segment !== ".").map(plainLetters)
  return names.some((name, at) => isSensitiveName(name) || (at < names.length - 1 && holdsPeoplesFolders(name)))
}

function plainLetters(name: string): string {
  return /^\p{ASCII}*$/u.test(name) ? name : normalizeText(name, "NFKC")
}

const systemFolders = wordSet("etc root proc sys boot dev private")
