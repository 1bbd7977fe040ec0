/**
 * Conditions on a call's arguments, compiled once.
 *
 * I1. An allow never holds while one of its conditions is unjudged or fails.
 * I2. A deny or ask with an unjudged condition never fails by it: it is reported, with what was missing, unless another condition surely fails.
 * I3. Of several values, an allow needs all and at least one; a deny or ask needs one, whatever the others are. Where the rule's value is a list, an
 *     allow compares lists as a whole; for a deny or ask it is enough that the list, or anything in it, is the value.
 * I4. Only own properties of the arguments are read.
 * I5. Numbers are compared as they were written and as doubles; where the two disagree, a condition is unjudged.
 * I6. No allow holds by the text of a relative path where the agent names the folders that it may start from.
 * I7. Conditions judged together draw on one amount of work; one that there is not enough left for is unjudged.
 */

import { assertNever } from "../../call/assert-never.ts"
import type { JsonObject, JsonValue, RawNumber } from "../../call/json/json.ts"
import { asObject, memberAt } from "../../call/json/members.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { unambiguousJson } from "../../call/text/quoted.ts"
import { namesPath } from "../risks/argument-kind.ts"
import type { Condition } from "../rules/rule.ts"
import { anyArgument, keySegments } from "./argument-key.ts"
import { numberOrders } from "./compare-numbers.ts"
import { compileDirectlyIn } from "./directly-in.ts"
import { globProblem } from "./glob.ts"
import { compileGlobTest, type PaidFor, paidAlone, paidInList } from "./glob-condition.ts"
import { compileHost } from "./hosts/host-condition.ts"
import { both, either, type Judgement } from "./judgement.ts"
import { keptForLists, listedCharacter, shortText, tookWork, tooMuchWork } from "./judging-work.ts"
import { compileOnly } from "./only-these.ts"
import { isAbsolutePath, isSamePath } from "./path.ts"
import { createPathLookup, type PathContext, type PathLookup } from "./path-lookup.ts"
import { startsAtRoots } from "./path-readings.ts"
import { compileUnder } from "./path-under.ts"
import { sameJson } from "./same-json.ts"
import { compileSensitive } from "./sensitive.ts"

export type { Judgement } from "./judgement.ts"
export type ConditionContext = PathContext & {
  /** The folders that the server works in, as far as they are known. */
  readonly folders?: readonly string[]
  /** The server runs on another machine. */
  readonly isRemote?: boolean
}

export type ConditionalEffect = "allow" | "deny" | "ask"

/** Judges arguments; conditions judged together share one view of the file system, and the work that may be done. */
export type Judge = (args: JsonObject, lookup?: PathLookup) => Judgement

/** All conditions must hold; none at all holds. */
export function compileConditions(
  conditions: readonly Condition[],
  effect: ConditionalEffect,
  context: ConditionContext,
  /** All conditions of the rule, where `conditions` are those still to be judged. */
  all: readonly Condition[] = conditions,
): Judge {
  const folders = all.flatMap((condition) => foldersNamed(condition))
  const compiled = conditions.map((condition) => compileCondition(condition, effect, context, folders))
  const [only] = compiled
  if (compiled.length === 1 && only !== undefined) return only
  return (args, lookup = createPathLookup(context)) => {
    let answer: Judgement = "holds"
    for (const judge of compiled) {
      answer = both(answer, judge(args, lookup))
      if (answer === "fails") return answer
    }
    return answer
  }
}

function weightOf(condition: Condition, { bases = [] }: ConditionContext): number {
  const starts = Math.max(1, bases.length)
  if (condition.op === "oneOf") return condition.values.length
  if (condition.op === "directlyIn") return condition.folders.length * starts
  if (condition.op === "under" || condition.op === "file") return starts
  return condition.op === "host" ? condition.patterns.length : 1
}

/** In units of work: to compare a value in a list, beside its characters, and for each character of a long one elsewhere. */
const cost = { listed: 250, character: 2 } as const

function unlessTooLong(weight: number, tooMuch: Judgement, test: Test): Test {
  return (value, lookup) => {
    const length = lengthOf(value)
    const isPaid = length <= shortText || tookWork(lookup, weight * cost.character * length, keptForLists)
    return isPaid ? test(value, lookup) : tooMuch
  }
}

function tookForListed(value: JsonValue, { weight }: Probe, lookup: PathLookup): boolean {
  return tookWork(lookup, weight * (cost.listed + listedCharacter * lengthOf(value)))
}

function lengthOf(value: JsonValue): number {
  if (typeof value === "string") return value.length
  return typeof value === "object" && isRawNumber(value) ? value.rawJSON.length : 0
}

function foldersNamed(condition: Condition): readonly string[] {
  if (condition.op === "directlyIn") return condition.folders
  return condition.op === "under" ? [condition.folder] : []
}

/** A test of one value that is not a list, unless the condition is about lists. */
type Test = (value: JsonValue, lookup: PathLookup) => Judgement

type Probe = {
  readonly segments: readonly string[]
  readonly test: Test
  /** As `test`, of one of many values: none of them has looks for free. */
  readonly testListed: Test
  readonly needsAll: boolean
  /** Where the condition is about lists. */
  readonly lists: ListTests | null
  /** How many things a value is compared with. */
  readonly weight: number
  readonly missing: Judgement
  readonly empty: Judgement
  readonly tooMuch: Judgement
}

/** `whole`: of a list itself. `inside`: of what is in a list and is none. */
type ListTests = { readonly whole: Test; readonly inside: Test }

function compileCondition(
  condition: Condition,
  effect: ConditionalEffect,
  context: ConditionContext,
  folders: readonly string[],
): Judge {
  const key = unambiguousJson(condition.key)
  const needsAll = effect === "allow"
  const test = compileTest(condition, needsAll, context, folders, paidAlone)
  const checked = (one: Test): Test => (restsOnStart(condition, effect) ? unlessAtRoots(condition, one) : one)
  if ((condition.op === "sensitive" || condition.op === "only") && condition.key === anyArgument)
    return (args, lookup = createPathLookup(context)) => test(args, lookup)
  const weight = weightOf(condition, context)
  const tooMuch: Judgement = { unjudged: `the argument ${key} ${tooMuchWork.unjudged}` }
  const alone = unlessTooLong(weight, tooMuch, checked(test))
  const matchesGlobs = condition.op === "glob" || condition.op === "host"
  const probe: Probe = {
    segments: keySegments(condition.key),
    test: alone,
    testListed: matchesGlobs
      ? unlessTooLong(weight, tooMuch, checked(compileTest(condition, needsAll, context, folders, paidInList)))
      : alone,
    needsAll,
    lists: listTests(condition, needsAll, checked),
    ...{ weight, tooMuch },
    missing: { unjudged: `the argument ${key} is missing` },
    empty: needsAll ? { unjudged: `the argument ${key} is an empty list` } : "fails",
  }
  const [first] = probe.segments
  if (probe.segments.length > 1 || first === undefined)
    return (args, lookup = createPathLookup(context)) => judgeAt(args, 0, probe, lookup)
  const { missing } = probe
  return (args, lookup = createPathLookup(context)) => {
    if (!Object.hasOwn(args, first)) return missing
    const value = args[first] as JsonValue
    return typeof value === "object" ? judgeAt(value, 1, probe, lookup) : probe.test(value, lookup)
  }
}

/** Whether an allow compares the text of what may be a path: the same text is another file where it starts elsewhere. */
export function restsOnStart(condition: Condition, effect: ConditionalEffect): boolean {
  if (effect !== "allow") return false
  // The values of a glob are not known before they are sent.
  if (condition.op === "glob") return true
  const isNamed = keySegments(condition.key).some(namesPath)
  return valuesIn(condition).some((value) => holdsRelative(value, isNamed))
}

function unlessAtRoots({ key }: Condition, test: Test): Test {
  const isNamed = keySegments(key).some(namesPath)
  const atRoots: Judgement = { unjudged: `the argument ${unambiguousJson(key)} ${startsAtRoots}` }
  return (value, lookup) => {
    const judgement = test(value, lookup)
    if (judgement !== "holds" || !lookup.hasRoots) return judgement
    return holdsRelative(value, isNamed) ? atRoots : judgement
  }
}

/** Whether there is a path in it that does not say itself where it starts. `isNamed`: any text is a path, by the name that it stands under. */
function holdsRelative(value: JsonValue, isNamed: boolean): boolean {
  if (typeof value === "string") return isNamed ? !isAbsolutePath(value) : startsRelative.test(value)
  if (Array.isArray(value)) return value.some((item) => holdsRelative(item, isNamed))
  return Object.entries(asObject(value) ?? {}).some(([name, inner]) => holdsRelative(inner, isNamed || namesPath(name)))
}

const startsRelative = /^\s*\.{1,2}(?:[\\/]|$)/

function valuesIn(condition: Condition): readonly JsonValue[] {
  if (condition.op === "equals") return [condition.value]
  return condition.op === "oneOf" ? condition.values : []
}

/** Lists are compared with lists, and what is in them with the other values: it is no doubt that the two are of different types. */
function listTests(condition: Condition, needsAll: boolean, checked: (test: Test) => Test): ListTests | null {
  const values = valuesIn(condition)
  const wanted = values.filter((value) => Array.isArray(value))
  if (wanted.length === 0) return null
  const others = values.filter((value) => !Array.isArray(value))
  const key = unambiguousJson(condition.key)
  return {
    whole: checked(oneOf(wanted, key, needsAll)),
    inside: others.length === 0 ? () => "fails" : oneOf(others, key, needsAll),
  }
}

function judgeAt(value: JsonValue, depth: number, probe: Probe, lookup: PathLookup): Judgement {
  const atEnd = depth === probe.segments.length
  if (Array.isArray(value))
    return atEnd && probe.lists !== null
      ? judgeList(value, probe.lists, probe, lookup)
      : judgeEach(value, depth, probe, lookup)
  if (atEnd) return probe.test(value, lookup)
  const inner = memberAt(asObject(value), probe.segments[depth] as string)
  return inner === undefined ? probe.missing : judgeAt(inner, depth + 1, probe, lookup)
}

function judgeList(list: readonly JsonValue[], tests: ListTests, probe: Probe, lookup: PathLookup): Judgement {
  let answer = tests.whole(list, lookup)
  if (probe.needsAll) return answer
  for (const item of list) {
    if (answer === "holds") return answer
    if (!tookForListed(item, probe, lookup)) return probe.tooMuch
    answer = either(answer, Array.isArray(item) ? judgeList(item, tests, probe, lookup) : tests.inside(item, lookup))
  }
  return answer
}

function judgeEach(values: readonly JsonValue[], depth: number, given: Probe, lookup: PathLookup): Judgement {
  if (values.length === 0) return given.empty
  const probe = given.test === given.testListed ? given : { ...given, test: given.testListed }
  const combine = probe.needsAll ? both : either
  const settled = probe.needsAll ? "fails" : "holds"
  let answer: Judgement = probe.needsAll ? "holds" : "fails"
  for (const value of values) {
    if (!tookForListed(value, probe, lookup)) return probe.tooMuch
    answer = combine(answer, judgeAt(value, depth, probe, lookup))
    if (answer === settled) return answer
  }
  return answer
}

function compileTest(
  condition: Condition,
  needsAll: boolean,
  context: ConditionContext,
  folders: readonly string[],
  paidFor: PaidFor,
): Test {
  const key = unambiguousJson(condition.key)
  const wanted = needsAll ? "surely-inside" : "maybe-inside"
  switch (condition.op) {
    case "equals":
    case "oneOf":
      return oneOf(valuesIn(condition), key, needsAll)
    case "glob": {
      const problem = globProblem(condition.pattern)
      if (problem !== null) return unmatchable(key, problem)
      return onText(key, named(key, compileGlobTest(condition.pattern, paidFor)))
    }
    case "under":
      return onText(key, named(key, compileUnder(condition.folder, wanted, context)))
    case "directlyIn":
      return onText(key, named(key, compileDirectlyIn(condition.folders, needsAll, context)))
    case "file":
      return onText(key, named(key, compileUnder(condition.path, wanted, context, isSamePath)))
    case "host": {
      const problem = condition.patterns.map(globProblem).find((found) => found !== null)
      if (problem !== undefined) return unmatchable(key, problem)
      return onText(key, named(key, compileHost(condition.patterns, needsAll, paidFor)))
    }
    case "atMost":
      return onNumber(key, condition.value, 1)
    case "atLeast":
      return onNumber(key, condition.value, -1)
    case "sensitive":
      return onValue(key, compileSensitive(condition.value, keySegments(condition.key).at(-1) ?? "", context, folders))
    case "only":
      return onValue(key, compileOnly(condition.names))
    default:
      return assertNever(condition)
  }
}

function unmatchable(key: string, problem: string): Test {
  const judgement: Judgement = {
    unjudged: `the argument ${key} cannot be compared with the rule's pattern: ${problem}`,
  }
  return () => judgement
}

/** One value that cannot be compared leaves a deny or ask in doubt, whatever the others are; an allow fails by any that differs. */
function oneOf(values: readonly JsonValue[], key: string, needsAll: boolean): Test {
  const otherType: Judgement = { unjudged: `the argument ${key} is of another type than the rule's value` }
  return (value) => {
    let differs = false
    let isDoubtful = values.length === 0
    for (const wanted of values) {
      const same = sameJson(wanted, value)
      if (same === true) return "holds"
      if (same === false) differs = true
      else isDoubtful = true
    }
    return isDoubtful && !(needsAll && differs) ? otherType : "fails"
  }
}

function onText(key: string, judge: (text: string, lookup: PathLookup) => Judgement): Test {
  const notText: Judgement = { unjudged: `the argument ${key} is not text` }
  return (value, lookup) => (typeof value === "string" ? judge(value, lookup) : notText)
}

function onValue(key: string, judge: Test): Test {
  const subject = key === JSON.stringify(anyArgument) ? "an argument" : `the argument ${key}`
  return (value, lookup) => {
    const judgement = judge(value, lookup)
    return typeof judgement === "string" ? judgement : { unjudged: `${subject} ${judgement.unjudged}` }
  }
}

/** Puts the argument's name before the doubt about it. */
function named(
  key: string,
  judge: (text: string, lookup: PathLookup) => Judgement,
): (text: string, lookup: PathLookup) => Judgement {
  return (text, lookup) => {
    const judgement = judge(text, lookup)
    return typeof judgement === "string" ? judgement : { unjudged: `the argument ${key} ${judgement.unjudged}` }
  }
}

function onNumber(key: string, limit: number, beyond: -1 | 1): Test {
  const notNumber: Judgement = { unjudged: `the argument ${key} is not a number` }
  const doubtful: Judgement = { unjudged: `the argument ${key} is a number that programs may read differently` }
  return (value) => {
    if (typeof value !== "number" && !isRawNumber(value)) return notNumber
    const orders = numberOrders(value as number | RawNumber, limit)
    if (orders === null || Number.isNaN(limit)) return doubtful
    if (!orders.includes(beyond)) return "holds"
    return orders.every((order) => order === beyond) ? "fails" : doubtful
  }
}
