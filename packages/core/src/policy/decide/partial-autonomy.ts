import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { keySegments } from "../conditions/argument-key.ts"
import { compileConditions } from "../conditions/condition.ts"
import type { PathLookup } from "../conditions/path-under.ts"
import { namesAddress, namesPath, namesProse } from "../risks/argument-kind.ts"
import type { AutonomyKind } from "../rules/autonomy.ts"
import type { Condition } from "../rules/rule.ts"
import { judgeCandidate } from "./candidates.ts"
import type { CompiledPolicy } from "./compile-policy.ts"

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
  if (kinds.includes("tools")) {
    return (["paths", "urls"] as const).every((kind) => kinds.includes(kind) || isWithin(kind, question))
  }
  return question.allows().some((when) => {
    const left = when.filter((condition) => !isFree(condition))
    return left.length < when.length && holds(left, question) && question.fitsSchema()
  })
}

/** The kind of place that a condition names, and that the kind of autonomy frees. */
function kindOf({ op }: Condition): "paths" | "urls" | null {
  if (op === "under" || op === "directlyIn") return "paths"
  return op === "host" ? "urls" : null
}

/** The same, and single files and addresses that an allow names: a limit, too, although none that a switch takes away. */
function limitOf(condition: Condition): "paths" | "urls" | null {
  const { key, op } = condition
  if (op !== "equals" && op !== "oneOf" && op !== "glob") return kindOf(condition)
  const name = keySegments(key).at(-1) ?? ""
  if (namesPath(name)) return "paths"
  return namesAddress(name) ? "urls" : null
}

/** Whether a call stays within what the allows about its tool name of a kind; where none names any, it has none. */
function isWithin(kind: "paths" | "urls", question: AutonomyQuestion): boolean {
  const limits = question
    .allows()
    .map((when) => when.filter((condition) => limitOf(condition) === kind))
    .filter((when) => when.length > 0)
  if (limits.length === 0) return !hasPlace(kind, "", question.args ?? {})
  return limits.some((when) => holds(when, question))
}

function hasPlace(kind: "paths" | "urls", name: string, value: JsonValue): boolean {
  if (typeof value === "string") return kind === "paths" ? isPath(name, value) : isAddress(name, value)
  if (typeof value !== "object" || value === null || isRawNumber(value)) return false
  if (Array.isArray(value)) return value.some((item) => hasPlace(kind, name, item))
  return Object.entries(value).some(([member, inner]) => hasPlace(kind, member, inner))
}

const startsLikePath = /^\s*(?:[\\/~]|\.\.?[\\/]|[a-z]:[\\/]|file:)/i

function isPath(name: string, text: string): boolean {
  return namesPath(name) || (startsLikePath.test(text) && !namesProse(name))
}

function isAddress(name: string, text: string): boolean {
  return namesAddress(name) || (text.includes("://") && !namesProse(name))
}

function holds(when: readonly Condition[], { policy, server, args, lookup }: AutonomyQuestion): boolean {
  const judge = when.length === 0 ? null : compileConditions(when, "allow", policy.contextOf(server))
  return judgeCandidate({ judge }, args, lookup) === "holds"
}
