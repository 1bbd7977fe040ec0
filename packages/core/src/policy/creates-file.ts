import type { JsonObject } from "../call/json.ts"
import { wordSet } from "./argument-kind.ts"
import { nameWords } from "./name-words.ts"
import { formatPath, readFolder, readPath } from "./path.ts"
import { compileUnder } from "./path-under.ts"
import { longestPath, looksLikePath, type RiskContext, rootsOf } from "./text-risks.ts"

/**
 * Whether a call creates one file or folder where the server has none yet, within its folders: by the tool's name, and because its arguments name no other
 * path. It destroys nothing, whatever else the tool can do. Lists and objects may name more, so calls with such arguments do not count.
 */
export function createsFile(tool: string, args: JsonObject, context: RiskContext): boolean {
  if (!nameWords(tool).some((word) => creatingVerbs.has(word))) return false
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

const creatingVerbs = wordSet("write create save make new add touch mkdir")
