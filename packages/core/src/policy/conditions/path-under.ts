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
import { formatPath, isComposed, isWithin, longestPath, type Path, readFolder } from "./path.ts"
import { createPathLookup, type PathContext, type PathLookup } from "./path-lookup.ts"
import { type PathReading, pathReadings, placesOf, startsOf } from "./path-readings.ts"

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
  const starts = startsOf(context)
  const ignoreCase = context.caseInsensitivePaths === true
  const combine = wanted === "surely-inside" ? both : either
  const settled = wanted === "surely-inside" ? "fails" : "holds"
  const unresolved: Judgement =
    wanted === "surely-inside" ? { unjudged: "cannot be followed to where it leads" } : "holds"
  const { realPaths } = context

  const judge = (text: string, lookup = createPathLookup(context)): Judgement => {
    // No system has a file by that name.
    if (realPaths !== undefined && text.includes("\0")) return unresolved
    return pathReadings(text, folder.style, starts, lookup)
      .map((reading) => judgeReading(reading, lookup))
      .reduce(combine)
  }
  const judgeReading = (reading: PathReading, lookup: PathLookup): Judgement => {
    if (!reading.ok) return { unjudged: reading.doubt }
    const answer = within(reading.path, folder, ignoreCase)
    if (realPaths === undefined || answer === settled) return answer
    // A folder that cannot be followed is known by its text: paths into it cannot be followed either.
    const folders = lookup.placesOf(formatPath(folder)) ?? [folder]
    const reallyWithin = (place: Path): Judgement =>
      folders.map((real) => within(place, real, ignoreCase)).reduce(either)
    return (placesOf(reading, lookup)?.map(reallyWithin) ?? [unresolved]).reduce(combine, answer)
  }
  if (realPaths !== undefined || ignoreCase || folder.style !== "posix" || within !== isWithin) return judge
  // A plain path can be another spelling of a folder that is not composed.
  if (!isComposed(formatPath(folder))) return judge
  return withFastPath(folder, judge)
}

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
