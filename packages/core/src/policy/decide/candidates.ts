/**
 * Which rules an argument's value leaves in question, without judging each of them.
 *
 * I1. What a group picks, judged, comes to the same as judging every rule of the group: a rule left out surely fails.
 */

import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { asObject, memberAt } from "../../call/json/members.ts"
import { keySegments } from "../conditions/argument-key.ts"
import {
  type ConditionalEffect,
  type ConditionContext,
  compileConditions,
  type Judge,
  restsOnStart,
} from "../conditions/condition.ts"
import { deepestFolder, type Folders, foldersAround, foldersOf } from "../conditions/deepest-folder.ts"
import type { Judgement } from "../conditions/judgement.ts"
import { formatPath, isComposed, readFolder } from "../conditions/path.ts"
import type { PathLookup } from "../conditions/path-lookup.ts"
import { isPlain } from "../conditions/path-under.ts"
import type { Condition } from "../rules/rule.ts"
import { pushTo } from "./map-of-lists.ts"

/** Something with conditions. Its place says which of several comes first. */
export type Conditional = {
  readonly effect: ConditionalEffect
  readonly when: readonly Condition[]
  readonly order: number
}

/** A conditional with what is left to be judged of it; null: nothing, it holds. */
export type Candidate<T> = { readonly of: T; readonly judge: Judge | null }

/** Candidates by effect, each list in order. */
export type Bucket<T> = { readonly [effect in ConditionalEffect]: ReadonlyArray<Candidate<T>> }

/** Rules that one look-up of an argument answers for; `all` of them are candidates where it cannot. */
export type CandidateGroup<T> =
  | {
      readonly by: "value"
      readonly read: Reader
      readonly buckets: ReadonlyMap<JsonValue, Bucket<T>>
      readonly type: string
      readonly all: Bucket<T>
    }
  | { readonly by: "folder"; readonly read: Reader; readonly folders: Folders<Bucket<T>>; readonly all: Bucket<T> }
  | { readonly by: "none"; readonly all: Bucket<T> }

/** The candidates of a group; no arguments rule out nothing. */
export function pickCandidates<T>(group: CandidateGroup<T>, args: JsonObject | undefined): Bucket<T> {
  if (group.by === "none" || args === undefined) return group.all
  const value = group.read(args)
  if (group.by === "value")
    return typeof value === group.type ? (group.buckets.get(value as JsonValue) ?? noCandidates) : group.all
  return typeof value === "string" && isPlain(value) ? deepestFolder(group.folders, value) : group.all
}

/** Makes groups of rules. The parts that depend on a rule alone are made once, however many targets it is about. */
export type Grouper<T> = (rules: readonly T[], context: ConditionContext) => ReadonlyArray<CandidateGroup<T>>

export function createGrouper<T extends Conditional>(): Grouper<T> {
  const prepared = new WeakMap<ConditionContext, WeakMap<T, Prepared<T>>>()
  const readers = new Map<string, Reader>()
  return (rules, context) => {
    const known = prepared.get(context) ?? new WeakMap<T, Prepared<T>>()
    prepared.set(context, known)
    const ready = rules.map((rule) => {
      const one = known.get(rule) ?? prepare(rule, context)
      known.set(rule, one)
      return one
    })
    return groupsOf(ready, (key) => {
      const reader = readers.get(key) ?? readerOf(key)
      readers.set(key, reader)
      return reader
    })
  }
}

/** Rules about the same argument share a group when a look-up answers for all of them; the rest are judged one by one. */
function groupsOf<T extends Conditional>(
  ready: ReadonlyArray<Prepared<T>>,
  reader: (key: string) => Reader,
): ReadonlyArray<CandidateGroup<T>> {
  const bySlot = new Map<string, Slotted<T>[]>()
  for (const { slotted } of ready) if (slotted !== null) pushTo(bySlot, slotted.slot, slotted)
  const rest = ready.filter(({ slotted }) => slotted === null).map(({ whole }) => whole)
  const groups = [...bySlot.values()].map((members): CandidateGroup<T> => {
    const { key, values, folder } = members[0] as Slotted<T>
    const all = bucketOf(members.map(({ whole }) => whole))
    if (folder !== null)
      return { by: "folder", read: reader(key), folders: foldersOf(bucketsByFolder(members), noCandidates), all }
    return { by: "value", read: reader(key), buckets: bucketsByValue(members), type: typeof values[0], all }
  })
  return rest.length === 0 ? groups : [...groups, { by: "none", all: bucketOf(rest) }]
}

/** A condition that fails to be evaluated is one that cannot be judged; so is every condition before there are arguments. */
export function judgeCandidate(
  candidate: Pick<Candidate<unknown>, "judge">,
  args: JsonObject | undefined,
  lookup?: PathLookup,
): Judgement {
  if (candidate.judge === null) return "holds"
  if (args === undefined) return noArguments
  try {
    return candidate.judge(args, lookup)
  } catch (cause) {
    return { unjudged: `its conditions could not be evaluated (${String(cause)})` }
  }
}

const noArguments: Judgement = { unjudged: "no arguments were given" }
type Primitive = string | number | boolean

type Prepared<T> = { readonly whole: Candidate<T>; readonly slotted: Slotted<T> | null }

/** A conditional under the one condition of it that is looked up: an argument's values, or a folder. */
type Slotted<T> = {
  readonly slot: string
  readonly key: string
  readonly values: readonly Primitive[]
  readonly folder: string | null
  /** The conditions left to judge once the look-up has found it. */
  readonly found: Candidate<T>
  readonly whole: Candidate<T>
}

function prepare<T extends Conditional>(of: T, context: ConditionContext): Prepared<T> {
  const judgeBy = (when: readonly Condition[]) =>
    when.length === 0 ? null : compileConditions(when, of.effect, context, of.when)
  const whole = { of, judge: judgeBy(of.when) }
  const looked = lookedUp(of, context)
  if (looked === null) return { whole, slotted: null }
  const { condition, settles } = looked
  const found = { of, judge: judgeBy(of.when.filter((one) => one !== condition || !settles)) }
  const values = valuesOf(condition) ?? []
  const folder = folderOf(condition)
  const slot = JSON.stringify([condition.key, folder === null ? typeof values[0] : "folder"])
  return { whole, slotted: { slot, key: condition.key, values, folder, found, whole } }
}

/** The condition to look up; `settles`: once found, it holds. */
function lookedUp(of: Conditional, context: ConditionContext): { condition: Condition; settles: boolean } | null {
  const byValue = of.when.find((condition) => valuesOf(condition) !== null)
  if (byValue !== undefined) return { condition: byValue, settles: !restsOnStart(byValue, of.effect) }
  const byFolder = of.when.find((condition) => folderOf(condition) !== null)
  // By text alone a folder is settled only where nobody looks at real paths; else an allow still has to, and a deny may be elsewhere.
  const isBlind = context.realPaths === undefined
  if (byFolder === undefined || context.caseInsensitivePaths === true || (!isBlind && of.effect !== "allow"))
    return null
  return { condition: byFolder, settles: isBlind }
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
  if (folder === null || folder.style !== "posix") return null
  const text = formatPath(folder)
  // Of any other, a plain path can be another spelling.
  return isComposed(text) ? text : null
}

/** Each folder with what is about it and what is about the folders around it. */
function bucketsByFolder<T extends Conditional>(members: ReadonlyArray<Slotted<T>>): ReadonlyMap<string, Bucket<T>> {
  const about = new Map<string, Candidate<T>[]>()
  for (const { folder, found } of members) pushTo(about, folder ?? "", found)
  const withOuter = (folder: string) => [folder, ...foldersAround(folder)].flatMap((outer) => about.get(outer) ?? [])
  return new Map([...about.keys()].map((folder) => [folder, bucketOf(withOuter(folder))]))
}

function bucketsByValue<T extends Conditional>(members: ReadonlyArray<Slotted<T>>): ReadonlyMap<JsonValue, Bucket<T>> {
  const about = new Map<Primitive, Candidate<T>[]>()
  for (const { values, found } of members) for (const value of new Set(values)) pushTo(about, value, found)
  return new Map([...about].map(([value, candidates]) => [value, bucketOf(candidates)]))
}

function bucketOf<T extends Conditional>(candidates: ReadonlyArray<Candidate<T>>): Bucket<T> {
  const inOrder = candidates.toSorted((a, b) => a.of.order - b.of.order)
  const of = (effect: ConditionalEffect) => {
    const list = inOrder.filter((candidate) => candidate.of.effect === effect)
    return list.length === 0 ? noCandidates[effect] : list
  }
  return { deny: of("deny"), ask: of("ask"), allow: of("allow") }
}

/** Every rule of the group surely fails. */
export const noCandidates: Bucket<never> = { deny: [], ask: [], allow: [] }

/** Reads an argument; undefined where it is missing, or in or behind a list. */
type Reader = (args: JsonObject) => JsonValue | undefined

function readerOf(key: string): Reader {
  const [first = "", ...deeper] = keySegments(key)
  if (deeper.length === 0) return (args) => memberAt(args, first)
  const segments = [first, ...deeper]
  return (args) => segments.reduce<JsonValue | undefined>((value, name) => memberAt(asObject(value), name), args)
}
