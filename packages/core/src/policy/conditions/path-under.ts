/**
 * Whether a path lies in a folder: a guard-rail, not a sandbox.
 *
 * I1. What holds for an allow is in the folder by its text and wherever it may lead.
 * I2. What fails for a deny or ask is in the folder neither by its text nor wherever it may lead.
 * I3. A path that systems read in different ways is left to a person.
 * I4. Where nobody can tell where a path leads, no allow holds and every deny and ask does.
 * I5. One judgement follows each path once, and a bounded number of them; the others are paths of which nobody can tell.
 * I6. A relative path that may start in several folders is judged from each: an allow needs all of them, a deny or ask one. Where the agent itself names the
 *     folders, it is left to a person.
 */
import { both, either, type Judgement } from "./judgement.ts"
import { formatPath, isWithin, longestPath, type Path, readFolder, readPath } from "./path.ts"

export type PathContext = {
  /** Where a relative path may start: each of them counts. Absolute; absent: that is not known. */
  readonly bases?: readonly string[]
  readonly caseInsensitivePaths?: boolean
  /** Begins one judgement's look at the file system. */
  readonly realPaths?: () => FindPlaces
}

/** Where an absolute path leads, `..` and links and all: with its last link followed, and as that link itself. Null: it cannot be told. */
export type FindPlaces = (path: string) => readonly string[] | null

/** The known facts about the paths in one judgement. */
export type PathLookup = {
  readonly placesOf: (path: string) => readonly Path[] | null
  /** The agent tells the server which folders to work in: nobody else knows where a relative path starts. */
  readonly hasRoots: boolean
}

/** Of different paths, with the folders of rules: a call about more is left to a person. */
const mostPaths = 1_024

/** Nothing is looked at before the first path is asked about. */
export function createPathLookup({ realPaths }: Pick<PathContext, "realPaths">, hasRoots = false): PathLookup {
  if (realPaths === undefined) return hasRoots ? blindWithRoots : blind
  return { placesOf: placesBy(realPaths), hasRoots }
}

const blind: PathLookup = { placesOf: () => null, hasRoots: false }
const blindWithRoots: PathLookup = { ...blind, hasRoots: true }

function placesBy(realPaths: () => FindPlaces): PathLookup["placesOf"] {
  let known: Map<string, readonly Path[] | null> | undefined
  let find: FindPlaces | undefined
  return (path) => {
    known ??= new Map()
    const before = known.get(path)
    if (before !== undefined || known.size >= mostPaths) return before ?? null
    find ??= realPaths()
    const places = find(path)?.map(readFolder)
    const read = places?.every((place) => place !== null) ? places : null
    known.set(path, read)
    return read
  }
}

type JudgeText = (text: string, lookup?: PathLookup) => Judgement

/** `wanted`: what a path that some reading puts inside and another outside counts as. `within`: when a place is in the folder. */
export function compileUnder(
  folderText: string,
  wanted: "surely-inside" | "maybe-inside",
  context: PathContext,
  within: typeof isWithin = isWithin,
): JudgeText {
  const folder = readFolder(folderText)
  if (folder === null) return always({ unjudged: "is compared with a folder that is not an absolute path" })
  const bases = (context.bases ?? []).map((text) => ({ text, path: readFolder(text) }))
  const ignoreCase = context.caseInsensitivePaths === true
  const combine = wanted === "surely-inside" ? both : either
  const settled = wanted === "surely-inside" ? "fails" : "holds"
  const unresolved: Judgement =
    wanted === "surely-inside" ? { unjudged: "cannot be followed to where it leads" } : "holds"
  const { realPaths } = context

  const judge = (text: string, lookup = createPathLookup(context)): Judgement => {
    // No system has a file by that name.
    if (realPaths !== undefined && text.includes("\0")) return unresolved
    const whole = readPath(text, folder.style, null)
    if (whole.ok) return judgeRead(whole.path, text, lookup)
    if (whole.isRelative && lookup.hasRoots) return { unjudged: startsAtRoots }
    if (!whole.isRelative || bases.length === 0) return { unjudged: whole.doubt }
    return bases.map((base) => judgeFrom(base, text, lookup)).reduce(combine)
  }
  const judgeFrom = (base: (typeof bases)[number], text: string, lookup: PathLookup): Judgement => {
    const read = readPath(text, folder.style, base.path)
    return read.ok ? judgeRead(read.path, `${base.text}/${text}`, lookup) : { unjudged: read.doubt }
  }
  /** `text`: the same path as a program would follow it. */
  const judgeRead = (path: Path, text: string, lookup: PathLookup): Judgement => {
    let answer = within(path, folder, ignoreCase)
    if (context.realPaths === undefined || answer === settled) return answer
    // A folder that cannot be followed is known by its text: paths into it cannot be followed either.
    const folders = lookup.placesOf(formatPath(folder)) ?? [folder]
    // Behind a link, `..` leads elsewhere for a program that does not shorten the path first: both readings are looked at.
    for (const seen of path.climbs ? [formatPath(path), text] : [formatPath(path)]) {
      const places = lookup.placesOf(seen)
      const reallyWithin = (place: Path): Judgement =>
        folders.map((real) => within(place, real, ignoreCase)).reduce(either)
      answer = (places?.map(reallyWithin) ?? [unresolved]).reduce(combine, answer)
    }
    return answer
  }
  if (realPaths !== undefined || ignoreCase || folder.style !== "posix" || within !== isWithin) return judge
  return withFastPath(folder, judge)
}

/** Said of an argument. */
export const startsAtRoots = "is relative, and the agent tells the server which folders it may start from"

function always(judgement: Judgement): () => Judgement {
  return () => judgement
}

function withFastPath(folder: Path, judge: JudgeText): JudgeText {
  const exact = formatPath(folder)
  const inside = exact.endsWith("/") ? exact : `${exact}/`
  return (text, lookup) => {
    if (!isPlain(text)) return judge(text, lookup)
    return text.startsWith(inside) || text === exact ? "holds" : "fails"
  }
}

/** Absolute, with nothing to normalise and nothing doubtful in it. */
export function isPlain(text: string): boolean {
  if (text.charCodeAt(0) !== 0x2f || text.length > longestPath) return false
  let previous = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code >= 0x7f || code === 0x25 || code === 0x5c) return false
    if (previous === 0x2f && (code === 0x2e || code === 0x2f)) return false
    previous = code
  }
  return true
}
