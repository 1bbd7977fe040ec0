import { globCovers } from "../conditions/glob.ts"
import { accessClasses, classesOf } from "./access-class.ts"
import { principalCovers } from "./principal-glob.ts"
import type { Rule, TargetPattern } from "./rule.ts"

/** Whether every question that `narrow` is about, conditions aside, `wide` is about too. Sound, not complete. */
export function ruleCovers(wide: Rule, narrow: Rule): boolean {
  return targetCovers(wide, narrow) && principalCovers(wide, narrow) && accessCovers(wide, narrow)
}

function targetCovers(wide: Rule, narrow: Rule): boolean {
  if (!globCovers(wide.target.server, narrow.target.server)) return false
  if (isAllOfServer(wide)) return true
  if (isAllOfServer(narrow) || kindOf(wide.target) !== kindOf(narrow.target)) return false
  return globCovers(nameOf(wide.target), nameOf(narrow.target))
}

/** A hide or deny of the bare server is about more than its tools. */
function isAllOfServer({ effect, target }: Rule): boolean {
  return target.whole && (effect === "hide" || effect === "deny")
}

function kindOf(target: TargetPattern): TargetPattern["kind"] {
  return target.whole ? "tool" : target.kind
}

function nameOf(target: TargetPattern): string {
  return target.whole ? "*" : target.name
}

function accessCovers(wide: Rule, narrow: Rule): boolean {
  const wideClasses = classesOf(wide.effect, wide.access)
  const narrowClasses = classesOf(narrow.effect, narrow.access)
  return accessClasses.every((access) => !narrowClasses.includes(access) || wideClasses.includes(access))
}
