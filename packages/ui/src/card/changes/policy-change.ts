import type { ApprovalView } from "@byleave/api"
import type { JsonObject } from "@byleave/core"

/** A change of Byleave's own configuration that waits for a yes, in sentences. */
export type PolicyChangeWords = {
  readonly file: string
  readonly widens: readonly string[]
  readonly tightens: readonly string[]
  readonly servers: readonly string[]
}

/** The reserved call's arguments; null for any other call, and for one that does not have its shape. */
export function policyChangeIn(approval: ApprovalView): PolicyChangeWords | null {
  const { tool, args } = approval
  if (tool.server !== "byleave" || tool.tool !== "change_policy" || args === null) return null
  const file = Object.hasOwn(args, "file") ? args.file : null
  const [widens, tightens, servers] = [
    sentences(args, "widens"),
    sentences(args, "tightens"),
    sentences(args, "servers"),
  ]
  if (typeof file !== "string" || widens === null || tightens === null || servers === null) return null
  return { file, widens, tightens, servers }
}

function sentences(args: JsonObject, name: string): readonly string[] | null {
  const list = Object.hasOwn(args, name) ? args[name] : null
  return Array.isArray(list) && list.every((item) => typeof item === "string") ? (list as readonly string[]) : null
}
