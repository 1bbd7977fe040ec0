/**
 * Whether a path lies in a folder: a guard-rail, not a sandbox.
 *
 * I1. What holds for an allow is in the folder by its text and wherever it may lead.
 * I2. What fails for a deny or ask is in the folder neither by its text nor wherever it may lead.
 * I3. A path that systems read in different ways is left to a person.
 * I4. Where nobody can tell where a path leads, no allow holds and every deny and ask does.
 * I5. One judgement follows each path once, and a bounded number of them; the others are paths of which nobody can tell.
 */
import { both, either, type Judgement } from "./judgement.ts"
import { formatPath, isWithin, type Path, readFolder, readPath } from "./path.ts"

export type PathContext = {
  /** Where a relative path starts. Absolute. */
  readonly cwd?: string
  readonly caseInsensitivePaths?: boolean
  /** Begins one judgement's look at the file system. */
  readonly realPaths?: () => FindPlaces
}

/** Where an absolute path leads, `..` and links and all: with its last link followed, and as that link itself. Null: it cannot be told. */
export type FindPlaces = (path: string) => readonly string[] | null

/** The places of the paths of one judgement. */
export type PathLookup = (path: string) => readonly Path[] | null

/** Of different paths, with the folders of rules: a call about more is left to a person. */
const mostPaths = 1_024

/** Nothing is looked at before the first path is asked about. */
export function createPathLookup({ realPaths }: Pick<PathContext, "realPaths">): PathLookup {
  if (realPaths === undefined) return () => null
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

/** `wanted`: what a path that some reading puts inside and another outside counts as. */
export function compileUnder(
  folderText: string,
  wanted: "surely-inside" | "maybe-inside",
  context: PathContext,
): (text: string, lookup?: PathLookup) => Judgement {
  const folder = readFolder(folderText)
  if (folder === null) return always({ unjudged: "is compared with a folder that is not an absolute path" })
  const base = context.cwd === undefined ? null : readFolder(context.cwd)
  const ignoreCase = context.caseInsensitivePaths === true
  const combine = wanted === "surely-inside" ? both : either
  const settled = wanted === "surely-inside" ? "fails" : "holds"
  const unresolved: Judgement =
    wanted === "surely-inside" ? { unjudged: "cannot be followed to where it leads" } : "holds"
  const { realPaths } = context

  const judge = (text: string, lookup = createPathLookup(context)): Judgement => {
    // No system has a file by that name.
    if (realPaths !== undefined && text.includes("\0")) return unresolved
    const read = readPath(text, folder.style, base)
    if (!read.ok) return { unjudged: read.doubt }
    let answer = isWithin(read.path, folder, ignoreCase)
    if (context.realPaths === undefined || answer === settled) return answer
    // A folder that cannot be followed is known by its text: paths into it cannot be followed either.
    const folders = lookup(formatPath(folder)) ?? [folder]
    for (const path of pathsToSee(text, read.path, context.cwd)) {
      const places = lookup(path)
      const reallyWithin = (place: Path): Judgement => withinAny(place, folders, ignoreCase)
      answer = (places?.map(reallyWithin) ?? [unresolved]).reduce(combine, answer)
    }
    return answer
  }
  if (realPaths !== undefined || ignoreCase || folder.style !== "posix") return judge
  return withFastPath(folder, judge)
}

function always(judgement: Judgement): () => Judgement {
  return () => judgement
}

function withinAny(path: Path, folders: readonly Path[], ignoreCase: boolean): Judgement {
  return folders.map((folder) => isWithin(path, folder, ignoreCase)).reduce(either)
}

/** Behind a link, `..` leads elsewhere for a program that does not shorten the path first: both readings are looked at. */
function pathsToSee(text: string, path: Path, cwd: string | undefined): readonly string[] {
  const short = formatPath(path)
  if (!path.climbs) return [short]
  const isRelative = readFolder(text) === null
  return [short, isRelative && cwd !== undefined ? `${cwd}/${text}` : text]
}

function withFastPath(folder: Path, judge: (text: string) => Judgement): (text: string) => Judgement {
  const exact = formatPath(folder)
  const inside = exact.endsWith("/") ? exact : `${exact}/`
  return (text) => {
    if (!isPlain(text)) return judge(text)
    return text.startsWith(inside) || text === exact ? "holds" : "fails"
  }
}

/** Absolute, with nothing to normalise and nothing doubtful in it. */
export function isPlain(text: string): boolean {
  if (text.charCodeAt(0) !== 0x2f) return false
  let previous = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code >= 0x7f || code === 0x25 || code === 0x5c) return false
    if (previous === 0x2f && (code === 0x2e || code === 0x2f)) return false
    previous = code
  }
  return true
}
