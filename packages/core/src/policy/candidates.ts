/**
 * Which rules an argument's value leaves in question, without judging each of them.
 *
 * I1. What a group picks, judged, comes to the same as judging every rule of the group: a rule left out surely fails.
 */
import type { JsonObject, JsonValue } from "../call/json.ts"
import { isRawNumber } from "../call/raw-number.ts"
import { keySegments } from "./argument-key.ts"
import { type ConditionalEffect, type ConditionContext, compileConditions } from "./condition.ts"
import { deepestFolder } from "./deepest-folder.ts"
import type { Judgement } from "./judgement.ts"
import { pushTo } from "./map-of-lists.ts"
import { formatPath, readFolder } from "./path.ts"
import { isPlain } from "./path-under.ts"
import type { Condition } from "./rule.ts"

/** Something with conditions. Its place says which of several comes first. */
export type Conditional = {
  readonly effect: ConditionalEffect
  readonly when: readonly Condition[]
  readonly order: number
}

/** A conditional with what is left to be judged of it; null: nothing, it holds. */
export type Candidate<T> = { readonly of: T; readonly judge: ((args: JsonObject) => Judgement) | null }

/** Candidates by effect, each list in order. */
export type Bucket<T> = { readonly [effect in ConditionalEffect]: ReadonlyArray<Candidate<T>> }

/** Gives the candidates; no arguments rule out nothing. */
export type CandidateGroup<T> = (args: JsonObject | undefined) => Bucket<T>

/** Rules about the same argument share a group when a look-up answers for all of them at once; the rest are judged one by one. */
export function groupCandidates<T extends Conditional>(
  all: readonly T[],
  context: ConditionContext,
): ReadonlyArray<CandidateGroup<T>> {
  const slots = new Map<string, Slotted<T>[]>()
  const rest: T[] = []
  for (const one of all) {
    const slotted = slotOf(one, context)
    if (slotted === null) rest.push(one)
    else pushTo(slots, slotted.slot, slotted)
  }
  const groups: CandidateGroup<T>[] = []
  for (const members of slots.values()) {
    const [first] = members
    if (first === undefined || members.length < worthAnIndex) rest.push(...members.map(({ of }) => of))
    else groups.push(first.folder === null ? valueGroup(members, context) : folderGroup(members, context))
  }
  if (rest.length === 0) return groups
  const bucket = bucketOf(rest.map((one) => whole(one, context)))
  return [...groups, () => bucket]
}

/** A condition that fails to be evaluated is one that cannot be judged; so is every condition before there are arguments. */
export function judgeCandidate(candidate: Pick<Candidate<unknown>, "judge">, args: JsonObject | undefined): Judgement {
  if (candidate.judge === null) return "holds"
  if (args === undefined) return noArguments
  try {
    return candidate.judge(args)
  } catch (cause) {
    return { unjudged: `its conditions could not be evaluated (${String(cause)})` }
  }
}

const noArguments: Judgement = { unjudged: "there are no arguments yet" }
const worthAnIndex = 1

type Primitive = string | number | boolean

/** A conditional under the one condition of it that is looked up: an argument's values, or a folder. */
type Slotted<T> = {
  readonly of: T
  readonly slot: string
  readonly key: string
  readonly values: readonly Primitive[]
  readonly folder: string | null
  /** What is left to judge once the look-up has found it. */
  readonly left: readonly Condition[]
}

function slotOf<T extends Conditional>(of: T, context: ConditionContext): Slotted<T> | null {
  const looked =
    of.when.find((condition) => valuesOf(condition) !== null) ?? of.when.find((one) => folderOf(one) !== null)
  if (looked === undefined) return null
  const { key } = looked
  const others = of.when.filter((condition) => condition !== looked)
  const values = valuesOf(looked)
  if (values !== null)
    return { of, slot: JSON.stringify([key, typeof values[0]]), key, values, folder: null, left: others }
  // By text alone a folder is settled only where nobody looks at real paths; else an allow still has to, and a deny may be elsewhere.
  if (context.caseInsensitivePaths === true || (context.realPath !== undefined && of.effect !== "allow")) return null
  const left = context.realPath === undefined ? others : of.when
  return { of, slot: JSON.stringify([key, "folder"]), key, values: [], folder: folderOf(looked), left }
}

/** The values a condition accepts, when all are of one simple type: then any other value of that type surely fails. */
function valuesOf(condition: Condition): readonly Primitive[] | null {
  const values = condition.op === "equals" ? [condition.value] : condition.op === "oneOf" ? condition.values : []
  const [first] = values
  if (typeof first !== "string" && typeof first !== "number" && typeof first !== "boolean") return null
  return values.every((value) => typeof value === typeof first) ? (values as readonly Primitive[]) : null
}

function folderOf(condition: Condition): string | null {
  const folder = condition.op === "under" ? readFolder(condition.folder) : null
  return folder === null || folder.style !== "posix" ? null : formatPath(folder)
}

function valueGroup<T extends Conditional>(
  members: ReadonlyArray<Slotted<T>>,
  context: ConditionContext,
): CandidateGroup<T> {
  const byValue = bucketsByValue(members, context)
  const all = bucketOf(members.map(({ of }) => whole(of, context)))
  const { read, type } = readerOf(members)
  return (args) => {
    const value = read(args)
    if (typeof value !== type) return all
    return byValue.get(value as Primitive) ?? noCandidates
  }
}

function folderGroup<T extends Conditional>(
  members: ReadonlyArray<Slotted<T>>,
  context: ConditionContext,
): CandidateGroup<T> {
  const deepest = deepestFolder<Bucket<T>>(bucketsByFolder(members, context), noCandidates)
  const all = bucketOf(members.map(({ of }) => whole(of, context)))
  const { read } = readerOf(members)
  return (args) => {
    const path = read(args)
    return typeof path === "string" && isPlain(path) ? deepest(path) : all
  }
}

/** Each folder with what is about it and what is about the folders around it. */
function bucketsByFolder<T extends Conditional>(
  members: ReadonlyArray<Slotted<T>>,
  context: ConditionContext,
): ReadonlyMap<string, Bucket<T>> {
  const about = new Map<string, Candidate<T>[]>()
  for (const member of members) pushTo(about, member.folder ?? "", found(member, context))
  const withOuter = (folder: string) => [folder, ...foldersAround(folder)].flatMap((outer) => about.get(outer) ?? [])
  return new Map([...about.keys()].map((folder) => [folder, bucketOf(withOuter(folder))]))
}

function foldersAround(folder: string): readonly string[] {
  if (folder === "/") return []
  const around: string[] = []
  for (let end = folder.lastIndexOf("/"); end > 0; end = folder.lastIndexOf("/", end - 1))
    around.push(folder.slice(0, end))
  return [...around, "/"]
}

function bucketsByValue<T extends Conditional>(
  members: ReadonlyArray<Slotted<T>>,
  context: ConditionContext,
): ReadonlyMap<Primitive, Bucket<T>> {
  const about = new Map<Primitive, Candidate<T>[]>()
  for (const member of members) {
    const candidate = found(member, context)
    for (const value of new Set(member.values)) pushTo(about, value, candidate)
  }
  return new Map([...about].map(([value, candidates]) => [value, bucketOf(candidates)]))
}

/** What is left of a conditional whose look-up has found it. */
function found<T extends Conditional>({ of, left }: Slotted<T>, context: ConditionContext): Candidate<T> {
  return { of, judge: left.length === 0 ? null : compileConditions(left, of.effect, context) }
}

function whole<T extends Conditional>(of: T, context: ConditionContext): Candidate<T> {
  return { of, judge: compileConditions(of.when, of.effect, context) }
}

function bucketOf<T extends Conditional>(candidates: ReadonlyArray<Candidate<T>>): Bucket<T> {
  const inOrder = candidates.toSorted((a, b) => a.of.order - b.of.order)
  const of = (effect: ConditionalEffect) => inOrder.filter((candidate) => candidate.of.effect === effect)
  return { deny: of("deny"), ask: of("ask"), allow: of("allow") }
}

/** Every rule of the group surely fails. */
export const noCandidates: Bucket<never> = { deny: [], ask: [], allow: [] }

/** Reads the argument all members are about; undefined where it is missing, or in or behind a list. */
function readerOf<T>(members: ReadonlyArray<Slotted<T>>) {
  const key = members[0]?.key ?? ""
  const type = typeof members[0]?.values[0]
  const [first = "", ...deeper] = keySegments(key)
  if (deeper.length === 0) {
    return {
      type,
      read: (args: JsonObject | undefined) =>
        args !== undefined && Object.hasOwn(args, first) ? args[first] : undefined,
    }
  }
  const segments = [first, ...deeper]
  return {
    type,
    read: (args: JsonObject | undefined) => segments.reduce<JsonValue | undefined>(ownValue, args),
  }
}

function ownValue(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isRawNumber(value)) return undefined
  if (!Object.hasOwn(value, name)) return undefined
  return (value as JsonObject)[name]
}
