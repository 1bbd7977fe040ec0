import { either, type Judgement } from "./judgement.ts"
import { isWithin, type Path } from "./path.ts"
import type { PathContext, PathLookup } from "./path-lookup.ts"
import { compileUnder } from "./path-under.ts"

/** Whether a path lies in one of the folders and in none below it, with all that `under` looks at. */
export function compileDirectlyIn(
  folders: readonly string[],
  needsAll: boolean,
  context: PathContext,
): (text: string, lookup: PathLookup) => Judgement {
  const wanted = needsAll ? "surely-inside" : "maybe-inside"
  const judges = folders.map((folder) => compileUnder(folder, wanted, context, isDirectlyIn))
  return (text, lookup) => judges.map((judge) => judge(text, lookup)).reduce(either, "fails")
}

function isDirectlyIn(path: Path, folder: Path, ignoreCase: boolean): Judgement {
  return path.segments.length === folder.segments.length + 1 ? isWithin(path, folder, ignoreCase) : "fails"
}
