/**
 * Whether what an argument holds looks sensitive: a secret, a file that is likely to hold one, another person's folder. By names and shapes, so it errs
 * towards yes; it is a guard-rail that keeps a habit from covering what nobody meant, not a proof that a file is harmless.
 *
 * I1. A rule that names a folder, and a server that works in one, mean what the folder's own path says: only what lies below it is judged.
 * I2. A path that systems read in different ways, that climbs, or that leads elsewhere by links is judged by all it may mean, and looks sensitive in doubt.
 *     So is one that is written as an address (`file:`), or that stands among other words.
 * I3. The work is bounded: of what takes more than is left nothing is said, and a part is left for other conditions. A value is looked through once in a
 *     judgement, however many rules ask about it.
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
import { keptForLists, tookWork, tooMuchWork } from "./judging-work.ts"
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
  const known = knownIn(context, name)
  // Not every folder that a path may start from is one that the server works in.
  const homes = startsOf({ bases: [...folders, ...(context.folders ?? context.bases ?? [])] }).flatMap(
    ({ path }) => path ?? [],
  )
  return (value, lookup) => {
    const scan = scanOf(known, value, lookup)
    const found =
      scan.found === true ? true : anyOf(scan.telling, (path) => isSensitivePlace(path, homes, known, lookup))
    const answer = found === false ? scan.found : found
    return typeof answer === "object" ? answer : answer === wanted ? "holds" : "fails"
  }
}

/** What a look goes by, the same for all rules about an argument of this name. */
type Known = {
  readonly name: string
  readonly starts: readonly PathStart[]
  readonly ignoreCase: boolean
  readonly followsLinks: boolean
  readonly needsStart: boolean
}

const knownByContext = new WeakMap<SensitiveContext, Map<string, Known>>()

function knownIn(context: SensitiveContext, name: string): Known {
  const byName = knownByContext.get(context) ?? new Map<string, Known>()
  knownByContext.set(context, byName)
  const followsLinks = context.realPaths !== undefined
  const known = byName.get(name) ?? {
    name,
    // A server that takes folders takes relative paths to start in them, wherever it was started.
    starts: startsOf({ bases: context.bases ?? context.folders ?? [] }),
    ignoreCase: context.caseInsensitivePaths === true,
    followsLinks,
    needsStart: followsLinks && context.isRemote !== true,
  }
  byName.set(name, known)
  return known
}

/** What was found in a value. `telling`: paths that are sensitive where no rule and no server names a folder around what is telling in them. */
type Scan = { readonly found: Found; readonly telling: readonly Path[] }

const scans = new WeakMap<PathLookup, Map<Known, Map<JsonValue, Scan>>>()

function scanOf(known: Known, value: JsonValue, lookup: PathLookup): Scan {
  const all = scans.get(lookup) ?? new Map<Known, Map<JsonValue, Scan>>()
  scans.set(lookup, all)
  const byValue = all.get(known) ?? new Map<JsonValue, Scan>()
  all.set(known, byValue)
  const scan = byValue.get(value) ?? lookThrough(known, value, lookup)
  byValue.set(value, scan)
  return scan
}

function lookThrough(known: Known, value: JsonValue, lookup: PathLookup): Scan {
  const look: Look = { known, lookup, telling: [], isCut: false }
  const found = lookAt(look, known.name, value, 0)
  return { found: found !== true && look.isCut ? tooMuchWork : found, telling: look.telling }
}

const atRoots = { unjudged: startsAtRoots } as const
const greatestDepth = 100

/** In units of work. `telling`: to hold a path against a folder that a rule names. */
const cost = {
  ...{ value: 300, nameCharacter: 20, character: 8 },
  ...{ word: 120, segment: 100, piece: 150 },
  ...{ path: 400, pathCharacter: 20, telling: 100 },
} as const

/** `isCut`: there was no work left for all of it. */
type Look = { readonly known: Known; readonly lookup: PathLookup; readonly telling: Path[]; isCut: boolean }
type Found = boolean | Exclude<Judgement, string>

/** Whether something may be looked at that takes so much work; once it may not, nothing more is. */
function mayLook(look: Look, units: number): boolean {
  if (!look.isCut && tookWork(look.lookup, units, keptForLists)) return true
  look.isCut = true
  return false
}

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
  // Lists have a name once, and it is read for each value in them.
  if (!mayLook(look, cost.value + cost.nameCharacter * name.length)) return false
  if (depth > greatestDepth) return tooMuchWork
  if (typeof value === "string")
    return mayLook(look, cost.character * value.length) && isSensitiveText(look, name, value)
  if (typeof value === "number") return looksSecret(name, String(value))
  if (typeof value !== "object" || value === null) return false
  if (isRawNumber(value))
    return mayLook(look, cost.character * value.rawJSON.length) && looksSecret(name, value.rawJSON)
  if (Array.isArray(value)) return anyOf(value, (item) => !look.isCut && lookAt(look, name, item, depth + 1))
  return anyOf(Object.keys(value), (member) => {
    if (look.isCut) return false
    // Files are given by path in some servers' arguments: `{ "a.md": "its text" }`.
    const named = isSensitiveMember(look, member)
    const found = named === true ? true : lookAt(look, member, (value as JsonObject)[member] as JsonValue, depth + 1)
    return found === false ? named : found
  })
}

function isSensitiveMember(look: Look, member: string): Found {
  if (!mayLook(look, cost.nameCharacter * member.length)) return false
  if (isFileAddress(member)) return isSensitiveAddress(look, member)
  if (isAbsolutePath(member) || startsLikePath.test(member)) return isSensitivePath(look, member)
  return /[.\\/]/.test(member) && isSensitiveInWords(look, member)
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
  const words = new Set(text.split(/[\s"'`,;()<>]+/))
  return [...words].some((word) => isSensitiveWord(look, word, isPath)) || whole
}

/** `isInPath`: it may be the beginning of a path with blanks, and says nothing of a person's folder. */
function isSensitiveWord(look: Look, word: string, isInPath: boolean): boolean {
  if (!mayLook(look, cost.word)) return false
  const address = word.search(/\bfile:/i)
  if (address >= 0 && isSensitiveAddress(look, word.slice(address)) === true) return true
  return word.split(":").some((part, at) => {
    if (!(isInPath && isAbsolutePath(part)) && isSensitiveInWords(look, part)) return true
    // Behind a colon, two slashes begin the host of an address.
    return !(at > 0 && part.startsWith("//")) && part.split(besidePath).some((piece) => leadsToSensitive(look, piece))
  })
}

/** Signs and options that stand before a path: `--file=/a`, `@/a`, `-f/a`. */
const besidePath = /[=@|&{}[\]]+|^-\w(?=\/)/

/** Of an absolute path. Signs that make an argument doubtful are at home among words. */
function leadsToSensitive(look: Look, text: string): boolean {
  if (!mayLook(look, cost.piece + cost.pathCharacter * text.length)) return false
  const path = text === "/dev/null" ? null : readFolder(text)
  return path !== null && isSensitiveReading(look, { ok: true, path, text })
}

/** Readers of addresses leave out tabs and line breaks. */
function isFileAddress(text: string): boolean {
  return /^\s*f[\t\r\n]*i[\t\r\n]*l[\t\r\n]*e[\t\r\n]*:/i.test(text)
}

/** Of a path that is written as an address, in every way it may be read. */
function isSensitiveAddress(look: Look, uri: string): Found {
  if (uri.length > longestPath) return true
  const readings = looseReadings("resource", uri, (units) => mayLook(look, units))
  // There are too many ways to read it.
  if (readings === null) return !look.isCut
  return anyOf(readings, (reading) => {
    const path = /^file:\/\/(\/.*)$/is.exec(reading)?.[1]
    return path !== undefined && isSensitivePath(look, path.replace(/^\/(?=[a-z]:)/i, ""))
  })
}

/** Longer lines are texts, in which names of files and secrets stand without leading to them. A program's text leads to what it names. */
const longestLine = 200
const startsLikePath = /^\s*(?:[\\/~]|\.\.?[\\/]|[a-z]:[\\/])/i
const leftOut = wordSet("exclude excludes excluded ignore ignores ignored except omit")

function isSensitiveInWords(look: Look, text: string): boolean {
  if (text === "") return false
  const readings = text.includes("%") ? looseReadings("resource", text, (units) => mayLook(look, units)) : [text]
  if (readings === null) return !look.isCut
  return readings.some((reading) => {
    const segments = reading.replace(/[.!?]$/, "").split(/[\\/]/)
    if (segments.length > 1 && segments.includes("..")) return true
    return mayLook(look, cost.segment * segments.length) && hasSensitiveName(segments)
  })
}

function isSensitivePath(look: Look, text: string): Found {
  if (text.length > longestPath) return true
  const { known, lookup } = look
  if (!mayLook(look, (cost.path + cost.pathCharacter * text.length) * Math.max(1, known.starts.length))) return false
  return anyOf(pathReadings(text, styleOf(text, known), known.starts, lookup), (reading) => {
    if (reading.ok) return isSensitiveReading(look, reading)
    if (!reading.isRelative || isSensitiveRelative(text)) return true
    if (lookup.hasRoots) return atRoots
    return known.needsStart && { unjudged: reading.doubt }
  })
}

/** False also of what rules may name a folder around; that is kept. */
function isSensitiveReading({ known, lookup, telling }: Look, reading: ReadOk): boolean {
  if (reading.path.climbs) return true
  const places = placesOf(reading, lookup)
  if (places === null && known.followsLinks) return true
  telling.push(...[reading.path, ...(places ?? [])].filter(isTelling))
  return false
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

/** Whether there is a folder that it would be sensitive in. */
function isTelling({ segments }: Path): boolean {
  return startsInSystem(segments) || hasSensitiveName(segments)
}

/** Judges what lies below the deepest folder that a path is known to be in; of a path elsewhere, what lies below a person's home. */
function isSensitivePlace(path: Path, homes: readonly Path[], { ignoreCase }: Known, lookup: PathLookup): Found {
  if (!tookWork(lookup, cost.telling * (homes.length + path.segments.length))) return tooMuchWork
  let length = 0
  for (const home of homes) {
    if (isWithin(path, home, ignoreCase) === "holds") length = Math.max(length, home.segments.length)
  }
  if (length === 0 && startsInSystem(path.segments)) return true
  const first = plainLetters(path.segments[0] ?? "").toLowerCase()
  return hasSensitiveName(path.segments.slice(length === 0 && (first === "home" || first === "users") ? 2 : length))
}

function startsInSystem([first = ""]: readonly string[]): boolean {
  return systemFolders.has(plainLetters(first).toLowerCase())
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
