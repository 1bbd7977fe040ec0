import type { JsonObject } from "../call/json.ts"
import { formatPath, readFolder, readPath } from "./path.ts"
import { compileUnder } from "./path-under.ts"
import { longestPath, looksLikePath, type RiskContext, rootsOf } from "./text-risks.ts"

/**
 * Whether all that a call names is one file in the server's folders, where there is none yet: it destroys nothing, whatever the tool can do otherwise.
 * Told of nothing but plain values, since a list or an object may name more.
 */
export function createsFile(args: JsonObject, context: RiskContext): boolean {
  const { isMissing, cwd } = context
  const [first, ...others] = rootsOf(context)
  const entries = Object.entries(args)
  const paths = entries.flatMap(([name, value]) =>
    typeof value === "string" && looksLikePath(name, value) ? [value] : [],
  )
  const [path] = paths
  if (isMissing === undefined || first === undefined) return false
  if (path === undefined || paths.length > 1 || path.length > longestPath) return false
  if (entries.some(([, value]) => typeof value === "object" && value !== null)) return false
  const base = readFolder(cwd ?? first)
  if (base === null) return false
  const read = readPath(path, base.style, base)
  const at = { ...context, cwd: cwd ?? first }
  const isInside = [first, ...others].some((root) => compileUnder(root, "surely-inside", at)(path) === "holds")
  return read.ok && isInside && isMissing(formatPath(read.path))
}
