/**
 * The arguments that may be given, by name.
 *
 * I1. A name stands for a plain value or a list of plain values. Members of an object, also in a list, are named one by one.
 * I2. `options.*` stands for whatever is in `options`.
 * I3. Of more members than there is work left for, nothing is said.
 */
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { anyArgument, keySegments } from "./argument-key.ts"
import type { Judgement } from "./judgement.ts"
import { type JudgingWork, tookWork, tooMuchWork } from "./judging-work.ts"

type Allowed = { isPlain: boolean; isAnything: boolean; readonly members: Map<string, Allowed> }

/** Whether an object has no other members than these dotted names. Elements of a list stand for the list. */
export function compileOnly(names: readonly string[]): (value: JsonValue, work: JudgingWork) => Judgement {
  const allowed = allowedBy(names)
  return (value, work) => (isObject(value) ? hasOnly(value, allowed, work) : noObject)
}

const noObject: Judgement = { unjudged: "is not an object" }

function allowedBy(names: readonly string[]): Allowed {
  const all = nothing()
  for (const name of names) {
    let at = all
    for (const segment of keySegments(name)) {
      if (segment === anyArgument) at.isAnything = true
      const next = at.members.get(segment) ?? nothing()
      at.members.set(segment, next)
      at = next
    }
    at.isPlain = true
  }
  return all
}

function nothing(): Allowed {
  return { isPlain: false, isAnything: false, members: new Map() }
}

/** In units of work: to look at a value. */
const perValue = 30

function hasOnly(value: JsonValue, allowed: Allowed, work: JudgingWork): Judgement {
  if (allowed.isAnything) return "holds"
  if (!tookWork(work, perValue)) return tooMuchWork
  if (Array.isArray(value)) return eachOf(value, (item) => hasOnly(item, allowed, work))
  if (!isObject(value)) return allowed.isPlain ? "holds" : "fails"
  return eachOf(Object.entries(value), ([name, inner]) => {
    const further = allowed.members.get(name)
    return further === undefined ? "fails" : hasOnly(inner, further, work)
  })
}

function eachOf<T>(items: readonly T[], judge: (item: T) => Judgement): Judgement {
  for (const item of items) {
    const judgement = judge(item)
    if (judgement !== "holds") return judgement
  }
  return "holds"
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value)
}
