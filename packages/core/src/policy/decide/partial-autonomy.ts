import type { JsonObject } from "../../call/json/json.ts"
import { keySegments } from "../conditions/argument-key.ts"
import { compileConditions } from "../conditions/condition.ts"
import type { PathLookup } from "../conditions/path-lookup.ts"
import { namesAddress, namesPath } from "../risks/argument-kind.ts"
import type { AutonomyKind } from "../rules/autonomy.ts"
import type { Condition } from "../rules/rule.ts"
import { judgeCandidate } from "./candidates.ts"
import type { CompiledPolicy } from "./compile-policy.ts"
import { namesPlace, type PlaceKind } from "./names-place.ts"

export type AutonomyQuestion = {
  readonly policy: CompiledPolicy
  readonly server: string
  readonly args: JsonObject | undefined
  readonly lookup: PathLookup
  /** The conditions of every allow, by rule or permission, that is about the tool. None of them holds. */
  readonly allows: () => ReadonlyArray<readonly Condition[]>
  readonly fitsSchema: () => boolean
}

/**
 * Whether a call that asks by default runs in a session that is autonomous in part.
 *
 * I1. `tools` runs tools that nobody allowed. Paths and addresses in the arguments are among those that allows about the tool name, or it asks: an
 *     allow that is taken away never makes more run.
 * I2. `paths` and `urls` run what an allow would cover but for its folders, or its hosts.
 * I3. More kinds never run less, and all of them together run everything that asks by default.
 */
export function runsInPart(kinds: readonly AutonomyKind[], question: AutonomyQuestion): boolean {
  const isFree = (condition: Condition): boolean => {
    const kind = kindOf(condition)
    return kind !== null && kinds.includes(kind)
  }
  const isInPlace = (kind: PlaceKind): boolean => kinds.includes(kind) || isWithin(kind, question)
  if (kinds.includes("tools") && isInPlace("paths") && isInPlace("urls")) return true
  return question.allows().some((when) => {
    const left = when.filter((condition) => !isFree(condition))
    return left.length < when.length && holds(left, question) && question.fitsSchema()
  })
}

/** The kind of place that a condition names, and that the kind of autonomy frees. */
function kindOf({ op }: Condition): PlaceKind | null {
  if (op === "under" || op === "directlyIn") return "paths"
  return op === "host" ? "urls" : null
}

/** The same, and single files and addresses that an allow names: a limit, too, although none that a switch takes away. */
function limitOf(condition: Condition): PlaceKind | null {
  const { key, op } = condition
  if (op === "file") return "paths"
  if (op !== "equals" && op !== "oneOf" && op !== "glob") return kindOf(condition)
  const name = keySegments(key).at(-1) ?? ""
  if (namesPath(name)) return "paths"
  return namesAddress(name) ? "urls" : null
}

/** Whether all places of a kind that a call names are among those of one allow about its tool; without an allow, it may name none. */
function isWithin(kind: PlaceKind, question: AutonomyQuestion): boolean {
  const limits = question.allows().map((when) => when.filter((condition) => limitOf(condition) === kind))
  return [[], ...limits].some((limit) => {
    const held = new Set(limit.map(({ key }) => key))
    return holds(limit, question) && !namesPlace(kind, question.args ?? {}, held, question.lookup)
  })
}

function holds(when: readonly Condition[], { policy, server, args, lookup }: AutonomyQuestion): boolean {
  const judge = when.length === 0 ? null : compileConditions(when, "allow", policy.contextOf(server))
  return judgeCandidate({ judge }, args, lookup) === "holds"
}
