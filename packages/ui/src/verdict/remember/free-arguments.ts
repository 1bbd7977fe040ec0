import type { ApprovalView } from "@byleave/api"
import { keyWords } from "@byleave/core"
import { comparableKeys, givenNames, type PatternDraft } from "./pattern-draft.ts"

const mostNamed = 12

/** Says which arguments of this call a pattern leaves open, by name; null: none. */
export function freeArguments(draft: PatternDraft, approval: ApprovalView): string | null {
  const held = new Set(draft.conditions.map(({ key }) => key))
  const free = comparableKeys(approval).filter((key) => !held.has(key))
  const others = draft.isClosed && givenNames(approval) === null ? ["any other argument may be given"] : []
  const told = [...(free.length === 0 ? [] : [`${listed(free)} may be anything`]), ...others].join(", and ")
  return told === "" ? null : `Not limited: ${told}.`
}

function listed(keys: readonly string[]): string {
  const named = keys.slice(0, mostNamed).map(keyWords)
  const more = keys.length - named.length
  const parts = more === 0 ? named : [...named, `${more} more`]
  const last = parts.pop() ?? ""
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`
}
