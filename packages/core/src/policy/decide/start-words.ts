import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { asObject, memberAt } from "../../call/json/members.ts"
import { showText } from "../../call/text/show-text.ts"
import { keySegments } from "../conditions/argument-key.ts"
import type { ConditionContext } from "../conditions/condition.ts"
import { isAbsolutePath } from "../conditions/path.ts"
import type { Condition } from "../rules/rule.ts"

/** Whether conditions compare a relative path with a folder or file: then it matters where the path starts. */
export function comparesRelative(when: readonly Condition[], args: JsonObject | undefined): boolean {
  if (args === undefined) return false
  return when.some(
    ({ op, key }) => isAboutPlaces(op) && textsAt(args, keySegments(key)).some((text) => !isAbsolutePath(text)),
  )
}

function isAboutPlaces(op: Condition["op"]): boolean {
  return op === "under" || op === "directlyIn" || op === "file"
}

/** "; a relative path may start in /a or in /b"; nothing where there is one such folder or none. Other arguments than folders are not shown: they may be secrets. */
export function startWords({ bases = [], folders = bases }: Pick<ConditionContext, "bases" | "folders">): string {
  if (bases.length < 2) return ""
  const others = bases.some((base) => !folders.includes(base)) ? ["what another argument of its server names"] : []
  return `; a relative path may start in ${[...folders.map(showText), ...others].join(" or in ")}`
}

export const asksAtRoots =
  "An agent that tells the server which folders to work in (MCP roots) needs approval for this relative path."

function textsAt(value: JsonValue, [name, ...deeper]: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsAt(each, name === undefined ? [] : [name, ...deeper]))
  if (name === undefined) return typeof value === "string" ? [value] : []
  const member = memberAt(asObject(value), name)
  return member === undefined ? [] : textsAt(member, deeper)
}
