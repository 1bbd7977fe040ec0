import { filterSteps, flatSteps, someSteps, type WorkSteps } from "../../call/steps.ts"
import { anyArgument, keyOf, keySegments } from "../conditions/argument-key.ts"
import { formatPath, isWithin, type Path, readFolder } from "../conditions/path.ts"
import { groupedBy } from "../decide/map-of-lists.ts"
import type { Condition } from "../rules/rule.ts"
import { type KeptCall, type LeastWeight, weigh, weighsEnough } from "./answered-call.ts"
import { callsOf, denies, type RuleCandidate, recurring, type ToolOf } from "./covers.ts"
import { endingOf, type LocatedCall } from "./located-call.ts"
import { repeatedChoices } from "./value-conditions.ts"

const least: LeastWeight = { calls: 3, sessions: 2, days: 1 }
/** Of what looks sensitive, fewer are enough: a no too many is noticed, a yes too many is not. */
const leastSensitive: LeastWeight = { calls: 2, sessions: 2, days: 1 }
const fewestDifferent = 2
/** Agents choose how many folders and values their calls have. */
const mostFolders = 100
const mostPlaces = 100
const mostChoices = 20

/** The answers about one tool that a no has to agree with. */
export type DenyEvidence = {
  readonly tool: ToolOf
  readonly denied: readonly LocatedCall[]
  /** Denied calls of kindred tools that look sensitive. */
  readonly support: readonly LocatedCall[]
  /** Calls that it must leave alone. */
  readonly approved: readonly KeptCall[]
}

/** Conditions under which people denied calls of a tool and allowed none. */
export function* denyCandidates(evidence: DenyEvidence): WorkSteps<readonly RuleCandidate[]> {
  const found: RuleCandidate[] = []
  let rest = evidence.denied
  for (const find of [
    sensitiveCandidates,
    deniedFolders,
    endingCandidates,
    placeCandidates,
    choiceCandidates,
    wholeTool,
  ]) {
    if (rest.length === 0) break
    const more = yield* find({ ...evidence, denied: rest })
    found.push(...more)
    const covered = new Set(more.flatMap(({ evidence: calls }) => calls))
    rest = rest.filter((one) => !covered.has(one))
  }
  return found
}

/** Several different calls that look sensitive were denied, and none allowed. */
function* sensitiveCandidates(evidence: DenyEvidence): WorkSteps<readonly RuleCandidate[]> {
  const candidate = yield* tried(
    evidence,
    evidence.denied,
    [{ key: anyArgument, op: "sensitive", value: true }],
    leastSensitive,
    evidence.support,
  )
  if (candidate === null) return []
  const places = new Set([...candidate.evidence, ...candidate.support].map(({ place }) => place))
  return places.size >= fewestDifferent ? [candidate] : []
}

/** The widest folder around denied calls in which several branches were denied and nothing was allowed. */
function deniedFolders(evidence: DenyEvidence): WorkSteps<readonly RuleCandidate[]> {
  const homes = evidence.tool.homes.flatMap((home) => readFolder(home) ?? [])
  const byKey = groupedBy(evidence.denied, ({ location }) => (location.kind === "path" ? location.key : ""))
  byKey.delete("")
  return flatSteps(byKey, function* ([key, calls]) {
    const folders = new Map<string, Path>()
    for (const one of calls) {
      for (const folder of foldersOf(one, homes)) folders.set(formatPath(folder), folder)
      yield
    }
    const widestFirst = [...folders.values()].toSorted((one, other) => one.segments.length - other.segments.length)
    const found: RuleCandidate[] = []
    const covered = new Set<LocatedCall>()
    for (const folder of widestFirst.slice(0, mostFolders)) {
      yield
      const left = calls.filter((one) => !covered.has(one))
      const inside = left.filter(
        ({ location }) => location.kind === "path" && location.paths.some((path) => isIn(path, folder)),
      )
      if (inside.length < least.calls || branchesOf(inside, folder) < 2) continue
      const candidate = yield* tried(evidence, inside, [{ key, op: "under", folder: formatPath(folder) }])
      if (candidate === null) continue
      found.push(candidate)
      for (const one of candidate.evidence) covered.add(one)
    }
    return found
  })
}

function isIn(path: Path, folder: Path): boolean {
  return isWithin(path, folder, false) === "holds"
}

/** The folders around a call's paths, up to, and without, what its server works in. */
function foldersOf({ location }: LocatedCall, homes: readonly Path[]): readonly Path[] {
  if (location.kind !== "path") return []
  return location.paths.flatMap((path) => {
    const own = location.isFolder ? path.segments.length : path.segments.length - 1
    const all = Array.from({ length: Math.max(0, own - 1) }, (_, at) => ({
      ...path,
      segments: path.segments.slice(0, own - at),
    }))
    return all.filter((folder) => !homes.some((home) => isIn(home, folder)))
  })
}

/** How many different files or folders directly in a folder the calls lead to. */
function branchesOf(calls: readonly LocatedCall[], { segments }: Path): number {
  const names = calls.flatMap(({ location }) =>
    location.kind === "path" ? location.paths.map((path) => path.segments[segments.length] ?? "") : [],
  )
  return new Set(names).size
}

/** Files of one kind in one folder. */
function endingCandidates(evidence: DenyEvidence): WorkSteps<readonly RuleCandidate[]> {
  const byEnding = groupedBy(evidence.denied, (one) => {
    const { location } = one
    const [path] = location.kind === "path" && !location.isFolder ? location.paths : []
    const ending = endingOf(one)
    if (location.kind !== "path" || path === undefined || ending === "") return ""
    return JSON.stringify([location.key, formatPath({ ...path, segments: path.segments.slice(0, -1) }), ending])
  })
  byEnding.delete("")
  return flatSteps([...byEnding].slice(0, mostPlaces), function* ([text, calls]) {
    const [key = "", folder = "", ending = ""] = JSON.parse(text) as readonly string[]
    if (new Set(calls.map(({ place }) => place)).size < 2) return []
    const candidate = yield* tried(evidence, calls, [
      { key, op: "under", folder },
      { key, op: "glob", pattern: `*.${ending}` },
    ])
    return candidate === null ? [] : [candidate]
  })
}

/** The very same paths, hosts and programs, again and again. */
function placeCandidates(evidence: DenyEvidence): WorkSteps<readonly RuleCandidate[]> {
  const byPlace = recurring(evidence.denied, ({ location, place }) => JSON.stringify([location.kind, place]), 2)
  return flatSteps([...byPlace.values()].slice(0, mostPlaces), function* (calls) {
    const where = placeCondition(calls)
    const candidate = where === null ? null : yield* tried(evidence, calls, [where])
    return candidate === null ? [] : [candidate]
  })
}

function placeCondition([first]: readonly LocatedCall[]): Condition | null {
  const location = first?.location
  if (location?.kind === "host") return { key: location.key, op: "host", patterns: [location.host] }
  if (location?.kind !== "path" && location?.kind !== "program") return null
  const name = keySegments(location.key)[0] ?? ""
  const value = first?.call.args[name]
  return value === undefined ? null : { key: keyOf([name]), op: "equals", value }
}

/** Values that no allowed call has. */
function* choiceCandidates(evidence: DenyEvidence): WorkSteps<readonly RuleCandidate[]> {
  const free = evidence.denied.filter(({ location }) => location.kind === "none")
  if (evidence.approved.length === 0) return []
  for (const choice of repeatedChoices(callsOf(free)).slice(0, mostChoices)) {
    const candidate = yield* tried(evidence, free, [choice])
    if (candidate !== null) return [candidate]
  }
  return []
}

/** All of a tool that nobody ever allowed. */
function* wholeTool(evidence: DenyEvidence): WorkSteps<readonly RuleCandidate[]> {
  if (evidence.approved.length > 0) return []
  const candidate = yield* tried(evidence, evidence.denied, [])
  return candidate === null ? [] : [candidate]
}

function* tried(
  { tool, approved }: DenyEvidence,
  calls: readonly LocatedCall[],
  when: readonly Condition[],
  enough: LeastWeight = least,
  support: readonly LocatedCall[] = [],
): WorkSteps<RuleCandidate | null> {
  const judge = denies(when, tool)
  const evidence = yield* filterSteps(calls, ({ call }) => judge(call) === "yes")
  if (evidence.length === 0 || !weighsEnough(weigh(callsOf([...evidence, ...support])), enough)) return null
  return (yield* someSteps(approved, (call) => judge(call) !== "no")) ? null : { when, evidence, support }
}
