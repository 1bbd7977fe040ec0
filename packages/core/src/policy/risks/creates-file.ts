import type { JsonObject } from "../../call/json/json.ts"
import { formatPath, readFolder, readPath } from "../conditions/path.ts"
import { wordSet } from "./argument-kind.ts"
import { nameWords } from "./name-words.ts"
import { insideFrom, longestPath, looksLikePath, type RiskContext, startsOf } from "./text-risks.ts"

/**
 * Whether a call creates one file or folder where the server has none yet, within its folders: by the tool's name, and because its arguments name no other
 * path. It destroys nothing, whatever else the tool can do. Lists and objects may name more, so calls with such arguments do not count.
 */
export function createsFile(tool: string, args: JsonObject, context: RiskContext): boolean {
  if (!nameWords(tool).some((word) => creatingVerbs.has(word))) return false
  const { isMissing } = context
  const starts = startsOf(context)
  const entries = Object.entries(args)
  const paths = entries.flatMap(([name, value]) =>
    typeof value === "string" && looksLikePath(name, value) ? [value] : [],
  )
  const [path] = paths
  if (isMissing === undefined || starts.length === 0) return false
  if (path === undefined || paths.length > 1 || path.length > longestPath) return false
  if (entries.some(([, value]) => typeof value === "object" && value !== null)) return false
  if (insideFrom(context).some((judge) => judge(path) !== "holds")) return false
  return starts.every((start) => {
    const base = readFolder(start)
    const read = base === null ? null : readPath(path, base.style, base)
    return read?.ok === true && isMissing(formatPath(read.path))
  })
}

const creatingVerbs = wordSet("write create save make new add touch mkdir")
