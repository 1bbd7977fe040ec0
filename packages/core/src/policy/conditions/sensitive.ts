/**
 * Whether what an argument holds looks sensitive: a secret, a file that is likely to hold one, another person's folder. By names and shapes, so it errs
 * towards yes; it is a guard-rail that keeps a habit from covering what nobody meant, not a proof that a file is harmless.
 *
 * I1. A rule that names a folder, and a server that works in one, mean what the folder's own path says: only what lies below it is judged.
 * I2. A path that systems read in different ways, that climbs, or that leads elsewhere by links is judged by all it may mean, and looks sensitive in doubt.
 * I3. The work is bounded: of more than a fixed amount nothing is said.
 */
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { namesPath, namesProgram, namesProse, wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"
import { looksSecret } from "../risks/secret-like.ts"
import { holdsPeoplesFolders, isSensitiveName } from "../risks/sensitive-name.ts"
import type { Judgement } from "./judgement.ts"
import { formatPath, isAbsolutePath, isWithin, longestPath, type Path, readFolder, readPath } from "./path.ts"
import type { PathContext, PathLookup } from "./path-under.ts"

type SensitiveContext = PathContext & { readonly folders?: readonly string[] }

/** `name`: of the argument; empty for all of them. `folders`: those that the rule names. */
export function compileSensitive(
  wanted: boolean,
  name: string,
  context: SensitiveContext,
  folders: readonly string[],
): (value: JsonValue, lookup: PathLookup) => Judgement {
  const homes = [...folders, ...(context.folders ?? []), ...(context.bases ?? [])].flatMap(
    (folder) => readFolder(folder) ?? [],
  )
  const followsLinks = context.realPaths !== undefined
  const ignoreCase = context.caseInsensitivePaths === true
  const known: Known = { homes, ignoreCase, bases: context.bases ?? [], followsLinks }
  return (value, lookup) => {
    const look: Look = { known, lookup, characters: 0, places: 0 }
    const found = lookAt(look, name, value, 0)
    return found === "too-large" ? tooLarge : found === wanted ? "holds" : "fails"
  }
}

const tooLarge: Judgement = { unjudged: "is too large to be looked through" }
const most = { characters: 131_072, places: 4_000, depth: 100 } as const

type Known = {
  readonly homes: readonly Path[]
  readonly bases: readonly string[]
  readonly ignoreCase: boolean
  readonly followsLinks: boolean
}

type Look = { readonly known: Known; readonly lookup: PathLookup; characters: number; places: number }
type Found = boolean | "too-large"

function lookAt(look: Look, name: string, value: JsonValue, depth: number): Found {
  look.places += 1
  if (look.places > most.places || depth > most.depth) return "too-large"
  if (typeof value === "string") {
    look.characters += value.length
    return look.characters > most.characters ? "too-large" : isSensitiveText(look, name, value)
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
    const found = !isList && isSensitiveMember(look, member) ? true : lookAt(look, member, item, depth + 1)
    if (found === true) return true
    if (found === "too-large") answer = found
    if (look.places > most.places) return answer
  }
  return answer
}

function isSensitiveMember(look: Look, member: string): boolean {
  look.characters += member.length
  if (isAbsolutePath(member) || startsLikePath.test(member)) return isSensitivePath(look, member)
  return /[.\\/]/.test(member) && isSensitiveInWords(member)
}

function isSensitiveText(look: Look, name: string, text: string): boolean {
  if (looksSecret(name, text)) return true
  // However long, and whatever characters are in it: servers take it for a path.
  if (namesPath(name) || isAbsolutePath(text) || (startsLikePath.test(text) && !namesProse(name)))
    return isSensitivePath(look, text)
  // A single word is no text for people, however long it is and whatever stands around it.
  const isText = (text.length > longestLine || text.includes("\n")) && /\S\s+\S/.test(text)
  if (isText && !namesProgram(name)) return false
  // A value that is left out is named in order not to be touched.
  if (nameWords(name).some((word) => leftOut.has(word))) return false
  return text.split(/[\s"'`,;:()<>]+/).some((word) => word !== "" && isSensitiveInWords(word))
}

/** Longer lines are texts, in which names of files and secrets stand without leading to them. A program's text leads to what it names. */
const longestLine = 200
const startsLikePath = /^\s*(?:[\\/~]|\.\.?[\\/]|[a-z]:[\\/])/i
const leftOut = wordSet("exclude excludes excluded ignore ignores ignored except omit")

function isSensitiveInWords(word: string): boolean {
  const segments = word.replace(/[.!?]$/, "").split(/[\\/]/)
  return (segments.length > 1 && segments.includes("..")) || hasSensitiveName(segments)
}

function isSensitivePath({ known, lookup }: Look, text: string): boolean {
  if (text.length > longestPath) return true
  const starts = isAbsolutePath(text) || known.bases.length === 0 ? [null] : known.bases.map(readFolder)
  return starts.some((start) => {
    const read = readPath(text, start?.style ?? styleOf(text), start)
    if (!read.ok) return read.isRelative ? isSensitiveRelative(text) : true
    const places = lookup.placesOf(formatPath(read.path))
    if (read.path.climbs || (places === null && known.followsLinks)) return true
    return [read.path, ...(places ?? [])].some((path) => isSensitivePlace(path, known))
  })
}

function styleOf(text: string): Path["style"] {
  return isAbsolutePath(text) && !text.startsWith("/") ? "windows" : "posix"
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
  const first = (path.segments[0] ?? "").toLowerCase()
  if (length === 0 && systemFolders.has(first)) return true
  return hasSensitiveName(path.segments.slice(length === 0 && (first === "home" || first === "users") ? 2 : length))
}

function hasSensitiveName(segments: readonly string[]): boolean {
  const names = segments.filter((segment) => segment !== "" && segment !== ".")
  return names.some((name, at) => isSensitiveName(name) || (at < names.length - 1 && holdsPeoplesFolders(name)))
}

const systemFolders = wordSet("etc root proc sys boot dev private")
