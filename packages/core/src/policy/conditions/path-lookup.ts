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
