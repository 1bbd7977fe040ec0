/**
 * Limits and classification of another policy, put into the file in force.
 *
 * I1. Unless the imported ones are preferred, no limit gets looser, and no tool counts as reading that did not.
 * I2. What is not taken over as it was read is listed.
 */
import { type ClassifyRule, formatTargetPattern, type Limits, type Policy, type Rule } from "@byleave/core"
import { globsDisjoint, stricterLimits } from "@byleave/core/compare"
import type { ConfigEdit } from "../../text/edit-config.ts"
import { writtenClassify, writtenLimits } from "../../text/written-settings.ts"
import type { ImportedRules } from "../language.ts"
import type { MergedRules, Preference } from "./merge-rules.ts"

export function mergeLimits(current: Limits, imported: Partial<Limits>, prefer: Preference): MergedRules {
  const before = writtenOf(current)
  const read = writtenOf(imported)
  const after = writtenOf(chosenLimits(current, imported, prefer))
  const changed = [...after].filter(([limit, text]) => before.get(limit) !== text)
  const contradicted = [...read].filter(([limit, text]) => before.has(limit) && before.get(limit) !== text)
  return {
    edits: changed.map(([limit, text]): ConfigEdit => ({ kind: "set-limit", limit, value: JSON.parse(text) })),
    conflicts: contradicted.map(([limit, text]) => ({
      imported: `limits.${limit}: ${text}`,
      current: `limits.${limit}: ${before.get(limit)}`,
      outcome: outcomeOf(after.get(limit) ?? "", before.get(limit), text),
    })),
  }
}

function writtenOf(limits: Partial<Limits>): ReadonlyMap<keyof Limits, string> {
  return new Map(writtenLimits(limits).map(([limit, value]) => [limit, JSON.stringify(value)]))
}

function chosenLimits(current: Limits, imported: Partial<Limits>, prefer: Preference): Limits {
  if (prefer === "imported") return { ...current, ...imported }
  const { autoAllowedPerDay: _perDay, ...others } = imported
  // A file that limits sessions alone limits days by the same count.
  const added = current.autoAllowedPerSession === undefined ? imported : others
  return prefer === "current" ? { ...added, ...current } : stricterLimits(current, imported)
}

function outcomeOf(after: string, before: string | undefined, read: string): string {
  if (after === before) return "the limit in force stays"
  return after === read ? "the imported limit replaces the one in force" : `the stricter parts of both hold: ${after}`
}

/** `freed`: tools to which rules about that access applied where they were read, and may not apply here. */
export type MergedClassify = MergedRules & { readonly freed: readonly Classified[] }

type Classified = Pick<ClassifyRule, "access" | "target">

export function mergeClassify(
  current: Policy,
  { classify }: Pick<ImportedRules, "classify">,
  prefer: Preference,
): MergedClassify {
  const fresh = without(classify, current.classify)
  const others = without(current.classify, classify)
  const leftOut = prefer === "imported" ? [] : fresh.filter((entry) => mayWiden(current, entry))
  const taken = fresh.filter((entry) => !leftOut.includes(entry))
  return {
    freed: [...leftOut, ...others.map(({ access, target }) => ({ access: opposite[access], target }))],
    edits: taken.map((entry): ConfigEdit => ({ kind: "add-classify", entry: writtenClassify(entry) })),
    conflicts: leftOut.map((entry) => ({
      imported: textOf(entry),
      current: "the classification in force",
      outcome: "the imported classification is left out, since more might run with it",
    })),
  }
}

const opposite = { read: "write", write: "read" } as const satisfies Record<ClassifyRule["access"], string>

function without(entries: readonly ClassifyRule[], others: readonly ClassifyRule[]): readonly ClassifyRule[] {
  const texts = new Set(others.map(textOf))
  return entries.filter((entry) => !texts.has(textOf(entry)))
}

function textOf({ access, target }: ClassifyRule): string {
  return `${access}: ${JSON.stringify(formatTargetPattern(target))}`
}

/** To read lets a tool run by whatever is allowed to reads, rules and saved permissions. To write frees it from what restricts reads. */
function mayWiden(current: Policy, { access, target }: ClassifyRule): boolean {
  if (access === "read") return true
  return current.rules.some((rule) => {
    return rule.access === (rule.effect === "allow" ? "write" : "read") && overlaps(rule.target, target)
  })
}

/** A restriction by access holds for every access where the classification here may free tools from it. */
export function forEveryAccess(rule: Rule, freed: readonly Classified[]): Rule {
  const { access, ...whole } = rule
  if (rule.effect === "allow") return rule
  return freed.some((entry) => entry.access === access && overlaps(entry.target, rule.target)) ? whole : rule
}

function overlaps(one: Rule["target"], other: Rule["target"]): boolean {
  return !globsDisjoint(one.server, other.server) && !globsDisjoint(one.name, other.name)
}
