import type { ToolRef } from "../../call/call.ts"
import type { WorkSteps } from "../../call/steps.ts"
import { keySegments } from "../conditions/argument-key.ts"
import { formatPath } from "../conditions/path.ts"
import type { Decision, ToolFacts } from "../decide/decision.ts"
import { groupedBy } from "../decide/map-of-lists.ts"
import { wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"
import { guard } from "../rules/kept-as-given.ts"
import type { Policy } from "../rules/rule.ts"
import { foldersIn } from "../server-folders.ts"
import type { KeptCall } from "./answered-call.ts"
import { allows, callsOf, isRead, type ToolOf } from "./covers.ts"
import { byTime, type LiveAnswers, liveAnswers } from "./live-answers.ts"
import { folderKind, type LocatedCall, locateCall, parentOf } from "./located-call.ts"
import type { TrialEngine } from "./trial-engine.ts"

/** More of one agent's calls of one tool show nothing new. */
export const mostEvidence = 200
/** Of files that kindred tools led to. */
const mostSupport = 400

/** All answers about one tool. */
export type ToolAnswers = {
  readonly ref: ToolRef
  readonly tool: ToolOf
  readonly all: readonly LocatedCall[]
  /** Of each agent. */
  readonly live: ReadonlyMap<string, LiveAnswers>
  /** Those in which nothing looks sensitive. */
  readonly plain: ReadonlySet<LocatedCall>
  /** How each call would be decided now. */
  readonly now: ReadonlyMap<LocatedCall, Decision>
}

type KnownTools = {
  readonly policy: Policy
  readonly factsOf: (tool: ToolRef) => ToolFacts | undefined
}

export function* toolAnswers(
  calls: readonly KeptCall[],
  { factsOf, policy }: KnownTools,
  engine: TrialEngine,
): WorkSteps<ToolAnswers> {
  const [first] = calls
  if (first === undefined) throw new RangeError("There are no calls to learn from.")
  const ref = first.tool
  const tool = knownTool(ref, { factsOf, policy }, engine)
  const isPlain = allows([guard], tool)
  const plain = new Set<LocatedCall>()
  const kinds = new Map<LocatedCall, string>()
  const now = new Map<LocatedCall, Decision>()
  for (const call of calls) {
    const one = locateCall(call, tool.context)
    if (isPlain(call)) plain.add(one)
    // A call that looks sensitive is denied for that, which tells nothing of its neighbours.
    kinds.set(one, plain.has(one) ? folderKind(one) : one.place)
    now.set(one, engine.decide(call))
    yield
  }
  const all = [...now.keys()]
  const byAgent = groupedBy(all, ({ call }) => call.principal)
  const live = new Map<string, LiveAnswers>()
  for (const [agent, own] of byAgent) {
    live.set(
      agent,
      liveAnswers(own, (one) => kinds.get(one) ?? one.place),
    )
    yield
  }
  return { ref, tool, all, plain, live, now }
}

export function knownTool(ref: ToolRef, { factsOf, policy }: KnownTools, engine: TrialEngine): ToolOf {
  const { folders: homes = [] } = foldersIn(policy, ref.server)
  return { name: ref.tool, context: engine.policy.contextOf(ref.server), facts: factsOf(ref), homes }
}

/** The calls that a yes for an agent must not cover: its own denied ones, those of others, and paths that people did not even let be read. */
export function deniedFor(agent: string, answers: ToolAnswers, tools: readonly ToolAnswers[]): readonly KeptCall[] {
  const allowed = new Set(answers.live.get(agent)?.approved.map(({ place }) => place))
  const own = [...answers.live].flatMap(([who, { denied }]) =>
    denied.filter(({ place }) => who === agent || !allowed.has(place)),
  )
  const key = answers.all.find(({ location }) => location.kind === "path")?.location
  if (key?.kind !== "path") return callsOf(own)
  const unread = tools
    .filter(
      ({ ref, tool }) => ref.server === answers.ref.server && ref !== answers.ref && tool.facts?.access === "read",
    )
    .flatMap(({ live }) => [...live.values()].flatMap(({ denied }) => denied))
    .flatMap(({ call, location, place }) => {
      // Of several paths, nobody knows which one was denied.
      if (location.kind !== "path" || location.paths.length > 1 || allowed.has(place)) return []
      return [{ ...call, args: { [keySegments(key.key)[0] ?? ""]: place } }]
    })
  return [...callsOf(own), ...unread]
}

/** Approved calls of kindred tools that lead to files, each as this tool would be called: with the file, or with the folder it lies in. */
export function supportFor(agent: string, answers: ToolAnswers, tools: readonly ToolAnswers[]): readonly LocatedCall[] {
  const own = answers.all.find(({ location }) => location.kind === "path")
  if (own?.location.kind !== "path") return []
  const { isFolder } = own.location
  const name = keySegments(own.location.key)[0] ?? ""
  const isList = Array.isArray(own.call.args[name])
  return tools
    .filter((other) => other !== answers && isKindred(other, answers))
    .flatMap(({ live }) => live.get(agent)?.approved.slice(-mostEvidence) ?? [])
    .toSorted(byTime)
    .slice(-mostSupport)
    .flatMap(({ call, location }) => {
      if (location.kind !== "path" || location.isFolder) return []
      return location.paths.map((file): LocatedCall => {
        const path = isFolder ? parentOf(file) : file
        const place = formatPath(path)
        const args = { ...own.call.args, [name]: isList ? [place] : place }
        return { call: { ...call, args }, location: { ...location, isFolder, paths: [path] }, place, others: [] }
      })
    })
    .slice(-mostSupport)
}

/** Tools of one server that do the like: that only read, or that change files. */
export function isKindred(one: ToolAnswers, other: ToolAnswers): boolean {
  if (one.ref.server !== other.ref.server) return false
  const kinds = [one, other].map(({ tool }) => (isRead(tool) ? "read" : changesThings(tool.name) ? "change" : null))
  return kinds[0] !== null && kinds[0] === kinds[1]
}

const changingVerbs = wordSet("write create edit update append insert replace patch modify save add")

function changesThings(name: string): boolean {
  return nameWords(name).some((word) => changingVerbs.has(word))
}
