import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonValue } from "../../call/json/json.ts"
import { filterSteps, flatSteps, someSteps, type WorkSteps } from "../../call/steps.ts"
import { anyArgument, keyOf, keySegments } from "../conditions/argument-key.ts"
import { groupedBy } from "../decide/map-of-lists.ts"
import { wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"
import { argumentNames, argumentShape, type KeyValues, mostNames } from "../rules/argument-shape.ts"
import { isFreeText } from "../rules/free-text.ts"
import { choiceCondition, guard } from "../rules/kept-as-given.ts"
import type { Condition } from "../rules/rule.ts"
import { sharedConditions } from "../rules/shared-conditions.ts"
import { type KeptCall, type LeastWeight, weigh, weighsEnough } from "./answered-call.ts"
import { allows, callsOf, isRead, type RuleCandidate, recurring, type ToolOf } from "./covers.ts"
import { folderCandidates } from "./folder-candidates.ts"
import type { LocatedCall } from "./located-call.ts"
import { repeatedChoices, valueConditions } from "./value-conditions.ts"

const leastLocated: LeastWeight = { calls: 3, sessions: 2, days: 1 }
const leastFreeRead: LeastWeight = { calls: 3, sessions: 3, days: 1 }
/** A write that nothing holds to a place needs a longer habit. */
const leastFreeWrite: LeastWeight = { calls: 5, sessions: 3, days: 2 }
const mostValues = 8
/** A call with more values is no habit that a rule could stand for. */
const mostInCall = 100
const mostHosts = 50
const mostChoices = 20

/** The answers about one tool that a yes has to agree with. */
export type AllowEvidence = {
  readonly tool: ToolOf
  /** Still asked about. */
  readonly approved: readonly LocatedCall[]
  /** Allowed by rules meanwhile. */
  readonly settled: readonly LocatedCall[]
  /** Approved calls of kindred tools, as calls of this one. */
  readonly support: readonly LocatedCall[]
  /** Calls that it must not cover. */
  readonly denied: readonly KeptCall[]
}

/** Conditions under which people allowed calls of a tool and denied none. Calls that do not fit the tool's schema are no evidence. */
export function* allowCandidates(evidence: AllowEvidence): WorkSteps<readonly RuleCandidate[]> {
  const fits = allows([], evidence.tool)
  function* alikeOf(calls: readonly LocatedCall[]): WorkSteps<ReadonlyMap<string, readonly LocatedCall[]>> {
    const fitting = yield* filterSteps(calls, ({ call }) => fits(call))
    return groupedBy(fitting, (one) => argumentsOf(one, evidence.tool))
  }
  const settled = yield* alikeOf(evidence.settled)
  return yield* flatSteps(yield* alikeOf(evidence.approved), function* ([names, approved]) {
    if (names === tooMany) return []
    const byPlace = groupedBy(approved, ({ location }) =>
      location.kind === "none" || location.kind === "unclear" ? location.kind : `${location.kind} ${location.key}`,
    )
    const own = { ...evidence, settled: settled.get(names) ?? [] }
    return yield* flatSteps(byPlace.values(), (calls) => candidatesAt({ ...own, approved: calls }))
  })
}

const tooMany = "too many"

/**
 * The same text for calls that one rule may stand for. A change with one argument more, or one of another kind, is another change, so those with the
 * same arguments belong together. Reads belong together with the numbers and open texts of all of them.
 */
function argumentsOf({ call, location }: LocatedCall, tool: ToolOf): string {
  const at = "key" in location ? location.key : ""
  const shape = argumentShape(call.args)
  if (shape === null || shape.size > mostNames) return tooMany
  if ([...shape.values()].reduce((sum, { values }) => sum + values.length, 0) > mostInCall) return tooMany
  const isOpen = (key: string, { kind, values }: KeyValues): boolean =>
    kind === "number" || (kind === "text" && (key === at || isFreeText(key, values, true)))
  const counted = isRead(tool) ? [...shape].filter(([key, given]) => !isOpen(key, given)) : [...shape]
  const kinds = counted.map(([key, { kind }]) => [key, kind] as const)
  return JSON.stringify(kinds.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function* candidatesAt(evidence: AllowEvidence): WorkSteps<readonly RuleCandidate[]> {
  const [first] = evidence.approved
  switch (first?.location.kind) {
    case "path":
      return yield* pathCandidates(evidence, first.location.key)
    case "host":
      return yield* hostCandidates(evidence, first.location.key)
    case "program":
      return yield* exactCandidates(evidence, first.location.key)
    case "none":
      return yield* freeCandidates(evidence)
    default:
      return []
  }
}

function* pathCandidates(evidence: AllowEvidence, key: string): WorkSteps<readonly RuleCandidate[]> {
  const { approved, tool } = evidence
  const ofFiles = (calls: readonly LocatedCall[]) =>
    calls.filter(({ location }) => location.kind === "path" && location.key === key && !location.isFolder)
  const found = yield* folderCandidates({
    key,
    asked: ofFiles(approved),
    approved: ofFiles([...evidence.settled, ...approved]),
    homes: tool.homes,
    makesFolders: nameWords(tool.name).some((word) => folderNames.has(word)),
    *attempt(calls, where, least) {
      const others = otherPaths(calls)
      const values = valuesOf(tool, calls)
      if (others === null || values === null) return null
      return yield* tried(evidence, calls, [...where, ...others, ...values, guard], least)
    },
  })
  const covered = new Set(found.flatMap(({ evidence: calls }) => calls))
  const rest = approved.filter((one) => !covered.has(one))
  return [...found, ...(yield* exactCandidates({ ...evidence, approved: rest }, key))]
}

const folderNames = wordSet("directory folder dir mkdir")

/** The condition that further paths of these calls share; null: none that a rule could use. */
function otherPaths(calls: readonly LocatedCall[]): readonly Condition[] | null {
  const names = [...new Set(calls.flatMap(({ others }) => others.map(({ key }) => key)))]
  const conditions = names.map((name): Condition | null => {
    const [top = ""] = keySegments(name)
    const values = callsOf(calls).map(({ args }) => (Object.hasOwn(args, top) ? { [top]: args[top] as JsonValue } : {}))
    return sharedConditions(values).when[0] ?? null
  })
  return conditions.every((condition) => condition !== null) ? conditions : null
}

/** The conditions on the arguments that do not say where the calls lead. */
function valuesOf(tool: ToolOf, calls: readonly LocatedCall[]): readonly Condition[] | null {
  const except = new Set(
    calls.flatMap(({ location, others }) => ["key" in location ? location.key : "", ...others.map(({ key }) => key)]),
  )
  return valueConditions(callsOf(calls), { except, isRead: isRead(tool) })
}

function hostCandidates(evidence: AllowEvidence, key: string): WorkSteps<readonly RuleCandidate[]> {
  const hostOf = ({ location }: LocatedCall) => (location.kind === "host" ? location.host : "")
  const byHost = recurring(evidence.approved, hostOf, 2)
  return flatSteps([...byHost].slice(0, mostHosts), function* ([host, calls]) {
    const values = valuesOf(evidence.tool, calls)
    if (values === null) return []
    const where: Condition = { key, op: "host", patterns: [host] }
    const candidate = yield* tried(evidence, calls, [where, ...values, guard], leastLocated)
    return candidate === null ? [] : [candidate]
  })
}

/** The very same paths or programs, again and again. What looks sensitive and was allowed itself is among them, apart from the others. */
function* exactCandidates(evidence: AllowEvidence, key: string): WorkSteps<readonly RuleCandidate[]> {
  const name = keySegments(key)[0] ?? ""
  const single = evidence.approved.filter(({ call }) => typeof call.args[name] === "string")
  const own = new Set(single)
  // Whoever reads files of a folder may see their names; a file that is read itself shows nothing of being written.
  const support = evidence.support.filter(({ location }) => location.kind === "path" && location.isFolder)
  const often = [...recurring([...single, ...support], ({ place }) => place, 2).values()]
    .filter((calls) => calls.length >= leastExact(evidence.tool).calls)
    .map((calls) => calls.filter((one) => own.has(one)))
    .filter((calls) => calls.length > 0)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, mostValues)
    .flat()
  const isPlain = allows([guard], evidence.tool)
  const plain = yield* filterSteps(often, ({ call }) => isPlain(call))
  const isAmongThem = new Set(plain)
  const sensitive = often.filter((one) => !isAmongThem.has(one))
  const alone = { ...evidence, support }
  return [
    ...(yield* exactCandidate(alone, plain, name, [guard])),
    ...(yield* exactCandidate(alone, sensitive, name, guardsBeside(name, sensitive))),
  ]
}

function* exactCandidate(
  evidence: AllowEvidence,
  calls: readonly LocatedCall[],
  name: string,
  guards: readonly Condition[],
): WorkSteps<readonly RuleCandidate[]> {
  const [others, values] = [otherPaths(calls), valuesOf(evidence.tool, calls)]
  if (calls.length === 0 || others === null || values === null) return []
  const byText = new Map(callsOf(calls).map(({ args }) => [canonicalJson(args[name] ?? null), args[name] as JsonValue]))
  const where = choiceCondition(keyOf([name]), [...byText.values()])
  const when = [where, ...others, ...values, ...guards]
  return [yield* tried(evidence, calls, when, leastExact(evidence.tool))].filter((candidate) => candidate !== null)
}

function leastExact(tool: ToolOf): LeastWeight {
  return isRead(tool) ? { ...leastLocated, calls: 2 } : leastLocated
}

/** The other arguments, each guarded by itself: what is sensitive about these calls is the place that was allowed. */
function guardsBeside(name: string, calls: readonly LocatedCall[]): readonly Condition[] {
  const names = [...new Set(callsOf(calls).flatMap(({ args }) => Object.keys(args)))].filter((one) => one !== name)
  const always = names.filter((one) => callsOf(calls).every(({ args }) => Object.hasOwn(args, one)))
  return always.sort().map((one) => ({ key: keyOf([one]), op: "sensitive", value: false }))
}

/** A tool whose arguments lead nowhere in particular: all of its calls, or those with values that only allowed calls have. */
function* freeCandidates(evidence: AllowEvidence): WorkSteps<readonly RuleCandidate[]> {
  const { approved, tool } = evidence
  const least =
    isRead(tool) || callsOf(approved).every(({ args }) => Object.keys(args).length === 0)
      ? leastFreeRead
      : leastFreeWrite
  const values = valuesOf(tool, approved)
  if (values === null) return []
  const all = yield* tried(evidence, approved, [...values, guard], least)
  if (all !== null) return [all]
  for (const choice of repeatedChoices(callsOf(approved)).slice(0, mostChoices)) {
    const candidate = yield* tried(
      evidence,
      approved,
      [...values.filter(({ key }) => key !== choice.key), choice, guard],
      least,
    )
    if (candidate !== null) return [candidate]
  }
  return []
}

/** The candidate with those of the calls that it covers; null when that is too little, or when it covers what was denied. It allows no argument that none of them has. */
function* tried(
  { tool, denied, support: kindred }: AllowEvidence,
  calls: readonly LocatedCall[],
  where: readonly Condition[],
  least: LeastWeight,
): WorkSteps<RuleCandidate | null> {
  const isThere = allows(where, tool)
  const there = yield* filterSteps(calls, ({ call }) => isThere(call))
  const named = callsOf(there).map(({ args }) => argumentNames(args))
  const names = new Set(named.flatMap((one) => one ?? []))
  if (named.includes(null) || names.size > mostNames) return null
  const when: readonly Condition[] = [...where, { key: anyArgument, op: "only", names: [...names].sort() }]
  const covers = allows(when, tool)
  const evidence = yield* filterSteps(there, ({ call }) => covers(call))
  if (evidence.length === 0) return null
  const support = yield* filterSteps(kindred, ({ call }) => isThere(call))
  if (!weighsEnough(weigh(callsOf([...evidence, ...support])), least)) return null
  return (yield* someSteps(denied, covers)) ? null : { when, evidence, support }
}
