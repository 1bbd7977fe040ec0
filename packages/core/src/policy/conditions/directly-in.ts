import { both, either, type Judgement } from "./judgement.ts"
import { formatPath, isAbsolutePath, isWithin, type Path, readFolder, readPath } from "./path.ts"
import { compileUnder, type PathContext, type PathLookup } from "./path-under.ts"

/** Whether a path lies in one of the folders and in none below it. It must be under the folder first, with all that `under` looks at. */
export function compileDirectlyIn(
  folders: readonly string[],
  needsAll: boolean,
  context: PathContext,
): (text: string, lookup: PathLookup) => Judgement {
  const judges = folders.map((folder) => {
    const isUnder = compileUnder(folder, needsAll ? "surely-inside" : "maybe-inside", context)
    const own = readFolder(folder)
    return (text: string, lookup: PathLookup): Judgement => {
      const under = isUnder(text, lookup)
      if (under !== "holds" || own === null) return under
      return placesOf(text, context, lookup)
        .map((path): Judgement => (isDirectlyIn(path, own, context.caseInsensitivePaths === true) ? "holds" : "fails"))
        .reduce(needsAll ? both : either, needsAll ? "holds" : "fails")
    }
  })
  return (text, lookup) => judges.map((judge) => judge(text, lookup)).reduce(either, "fails")
}

function isDirectlyIn(path: Path, folder: Path, ignoreCase: boolean): boolean {
  if (path.segments.length !== folder.segments.length + 1) return false
  return isWithin(path, folder, ignoreCase) === "holds"
}

/** Where a path may lead, by its text and by links. What cannot be read is not under any folder. */
function placesOf(text: string, { bases = [] }: PathContext, lookup: PathLookup): readonly Path[] {
  const starts = isAbsolutePath(text) || bases.length === 0 ? [null] : bases.map(readFolder)
  return starts.flatMap((start) => {
    const read = readPath(text, start?.style ?? (/^[a-z]:|^\\\\/i.test(text) ? "windows" : "posix"), start)
    return read.ok ? [read.path, ...(lookup.placesOf(formatPath(read.path)) ?? [])] : []
  })
}
