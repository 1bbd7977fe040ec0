import { flatSteps, type WorkSteps } from "../../call/steps.ts"
import { formatPath, isWithin, type Path, readFolder } from "../conditions/path.ts"
import { groupedBy, pushTo } from "../decide/map-of-lists.ts"
import { holdsPeoplesFolders } from "../risks/sensitive-name.ts"
import type { Condition } from "../rules/rule.ts"
import type { LeastWeight } from "./answered-call.ts"
import type { RuleCandidate } from "./covers.ts"
import { endingOf, type LocatedCall, parentOf } from "./located-call.ts"

/** Makes a candidate of calls and where they lie, with whatever else they share; null: too little, or it would cover what was denied. */
export type TryFolders = (
  calls: readonly LocatedCall[],
  where: readonly Condition[],
  least: LeastWeight,
) => WorkSteps<RuleCandidate | null>

const leastInFolder: LeastWeight = { calls: 3, sessions: 2, days: 1 }
/** A rule for everything below a folder, also folders nobody has seen, needs time in which a no would have come. */
const leastBelow: LeastWeight = { calls: 6, sessions: 3, days: 3 }
const fewestFiles = 2
const fewestFolders = 3
/** Agents choose how many folders their calls lead to; a rule with more of them is none that a person would read. */
const mostFolders = 100
const mostParents = 400

export type FolderEvidence = {
  readonly key: string
  /** Calls about files, still asked about. */
  readonly asked: readonly LocatedCall[]
  /** The same and those that rules allow by now. */
  readonly approved: readonly LocatedCall[]
  readonly homes: readonly string[]
  /** The tool makes folders, which have no ending; of other names without one nothing follows. */
  readonly makesFolders: boolean
  readonly attempt: TryFolders
}

/**
 * Folders in which files of one kind were allowed: each by itself, without the folders below it. All that lies below one only where files directly in it
 * and in several folders below were allowed for days: a folder that merely holds others says nothing about their neighbours.
 */
export function folderCandidates(evidence: FolderEvidence): WorkSteps<readonly RuleCandidate[]> {
  const approvedBy = groupedBy(evidence.approved, endingOf)
  return flatSteps(groupedBy(evidence.asked, endingOf), function* ([ending, asked]) {
    if (ending === "" && !evidence.makesFolders) return []
    const approved = approvedBy.get(ending) ?? []
    const below = yield* foldersBelow({ ...evidence, approved, asked }, ending)
    const covered = new Set(below.flatMap((candidate) => candidate.evidence))
    const rest = asked.filter((one) => !covered.has(one))
    return [...below, ...(yield* foldersAlone({ ...evidence, asked: rest }, ending))]
  })
}

function endingCondition(key: string, ending: string): readonly Condition[] {
  return ending === "" ? [] : [{ key, op: "glob", pattern: `*.${ending}` }]
}

/** Calls that lead to several folders show nothing of one of them. */
function* foldersAlone({ key, asked, attempt }: FolderEvidence, ending: string): WorkSteps<readonly RuleCandidate[]> {
  const byFolder = new Map<string, LocatedCall[]>()
  for (const one of asked) {
    const [only, ...others] = foldersOf(one)
    if (only !== undefined && others.length === 0) pushTo(byFolder, only, one)
  }
  const fullest = [...byFolder].toSorted(
    ([one, calls], [other, more]) => more.length - calls.length || (one < other ? -1 : 1),
  )
  const folders: string[] = []
  for (const [folder, inside] of fullest.slice(0, mostFolders)) {
    const path = readFolder(folder)
    if (path === null || path.segments.length < 2 || holdsPeoplesFolders(path.segments.at(-1) ?? "")) continue
    const where: readonly Condition[] = [{ key, op: "directlyIn", folders: [folder] }, ...endingCondition(key, ending)]
    const candidate = yield* attempt(inside, where, leastInFolder)
    if (candidate !== null && placesOf(candidate) >= fewestFiles) folders.push(folder)
  }
  if (folders.length === 0) return []
  const where: readonly Condition[] = [
    { key, op: "directlyIn", folders: folders.sort() },
    ...endingCondition(key, ending),
  ]
  return [yield* attempt(asked, where, leastInFolder)].filter((candidate) => candidate !== null)
}

function placesOf({ evidence, support }: RuleCandidate): number {
  return new Set([...evidence, ...support].map(({ place }) => place)).size
}

function foldersOf({ location }: LocatedCall): readonly string[] {
  return location.kind === "path" ? [...new Set(location.paths.map((path) => formatPath(parentOf(path))))] : []
}

/** The widest folders first. */
function* foldersBelow(
  { key, asked, approved, homes, attempt }: FolderEvidence,
  ending: string,
): WorkSteps<readonly RuleCandidate[]> {
  const known = homes.flatMap((home) => readFolder(home) ?? [])
  const parents = new Map<string, Path>()
  for (const one of approved.toReversed()) {
    if (parents.size >= mostParents) break
    for (const folder of foldersOf(one)) parents.set(folder, readFolder(folder) as Path)
  }
  const widest = [...parents.values()].toSorted((one, other) => one.segments.length - other.segments.length)
  const found: RuleCandidate[] = []
  for (const folder of widest) {
    yield
    if (isTooWide(folder, known) || childrenOf(folder, [...parents.values()]).size < fewestFolders) continue
    const isInside = (one: LocatedCall) => isAllIn(one, folder)
    if (found.some((candidate) => candidate.evidence.some(isInside)) || !asked.some(isInside)) continue
    const where: readonly Condition[] = [
      { key, op: "under", folder: formatPath(folder) },
      ...endingCondition(key, ending),
    ]
    const candidate = yield* attempt(approved.filter(isInside), where, leastBelow)
    if (candidate !== null) found.push(candidate)
  }
  return found
}

function isAllIn({ location }: LocatedCall, folder: Path): boolean {
  return location.kind === "path" && location.paths.every((path) => isWithin(path, folder, false) === "holds")
}

function childrenOf(folder: Path, folders: readonly Path[]): ReadonlySet<string> {
  const inside = folders.filter(
    (path) => path.segments.length > folder.segments.length && isWithin(path, folder, false) === "holds",
  )
  return new Set(inside.map(({ segments }) => segments[folder.segments.length] ?? ""))
}

/** The whole disk, a server's whole folder, folders of the system or of people, and all files of one person are more than calls can show. */
function isTooWide(folder: Path, homes: readonly Path[]): boolean {
  const { segments } = folder
  const last = segments.at(-1)
  if (segments.length < 2 || last === undefined || holdsPeoplesFolders(last)) return true
  if (segments.length === 2 && holdsPeoplesFolders(segments[0] ?? "")) return true
  return homes.some((home) => isWithin(home, folder, false) === "holds")
}
