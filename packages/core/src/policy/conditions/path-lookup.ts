import type { JudgingWork } from "./judging-work.ts"
import { mostWork, tookWork } from "./judging-work.ts"
import { type Path, readFolder } from "./path.ts"

export type PathContext = {
  /** Where a relative path may start: each of them counts. Absolute; absent: that is not known. */
  readonly bases?: readonly string[]
  readonly caseInsensitivePaths?: boolean
  /** Begins one judgement's look at the file system. */
  readonly realPaths?: () => FindPlaces
}

/** Where an absolute path leads, `..` and links and all: with its last link followed, and as that link itself. Null: it cannot be told. */
export type FindPlaces = (path: string) => readonly string[] | null

/** What the conditions of one judgement share: the known facts about paths, and the work that may still be done. */
export type PathLookup = JudgingWork & {
  readonly placesOf: (path: string) => readonly Path[] | null
  /** The agent tells the server which folders to work in: nobody else knows where a relative path starts. */
  readonly hasRoots: boolean
}

/** Of different paths, with the folders of rules: a call about more is left to a person. */
const mostPaths = 1_024

/** To find where a path leads, whatever its length, and for each character of it. The names on its way are bounded by whoever follows them. */
const finding = { path: 1_000, character: 10 } as const

/** Nothing is looked at before the first path is asked about. */
export function createPathLookup({ realPaths }: Pick<PathContext, "realPaths">, hasRoots = false): PathLookup {
  const lookup = { workLeft: mostWork, hasRoots, placesOf: findsNothing }
  if (realPaths !== undefined) lookup.placesOf = placesBy(realPaths, lookup)
  return lookup
}

function findsNothing(_path: string): readonly Path[] | null {
  return null
}

function placesBy(realPaths: () => FindPlaces, work: JudgingWork): PathLookup["placesOf"] {
  let known: Map<string, readonly Path[] | null> | undefined
  let find: FindPlaces | undefined
  return (path) => {
    known ??= new Map()
    const before = known.get(path)
    if (before !== undefined || known.size >= mostPaths) return before ?? null
    if (!tookWork(work, finding.path + finding.character * path.length)) return null
    find ??= realPaths()
    const places = find(path)?.map(readFolder)
    const read = places?.every((place) => place !== null) ? places : null
    known.set(path, read)
    return read
  }
}
