import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { formatPath, readFolder, readPath } from "../conditions/path.ts"
import { wordSet } from "./argument-kind.ts"
import { nameWords } from "./name-words.ts"
import { insideFrom, longestPath, looksLikePath, lookupFor, type RiskContext, startsOf } from "./text-risks.ts"

/**
 * Whether a call creates one file or folder where the server has none yet, within its folders: by the tool's name, and because its arguments name no other
 * path. It destroys nothing, whatever else the tool can do. Lists and objects may name more, so calls with such arguments do not count.
 */
export function createsFile(tool: string, args: JsonObject, context: RiskContext): boolean {
  if (!hasVerb(tool, creatingVerbs)) return false
  const { isMissing } = context
  const path = onlyPath(args, context)
  if (isMissing === undefined || path === null) return false
  if (Object.values(args).some((value) => typeof value === "object" && value !== null)) return false
  return startsOf(context).every((start) => {
    const base = readFolder(start)
    const read = base === null ? null : readPath(path, base.style, base)
    return read?.ok === true && isMissing(formatPath(read.path))
  })
}

/**
 * Whether a call writes or edits one file within the server's folders, and its arguments name no other path. Its text and edits say what it replaces; that
 * the server's tool can overwrite in general is no news then.
 */
export function changesFile(tool: string, args: JsonObject, context: RiskContext): boolean {
  if (!hasVerb(tool, creatingVerbs) && !hasVerb(tool, changingVerbs)) return false
  if (onlyPath(args, context) === null) return false
  return Object.values(args).every((value) => typeof value !== "object" || value === null || areEdits(value))
}

function hasVerb(tool: string, verbs: ReadonlySet<string>): boolean {
  return nameWords(tool).some((word) => verbs.has(word))
}

/** Nobody writes a file with more arguments, or with more edits at once: of such a call nothing is said. */
const mostMembers = 1_000

/** The one path that a call's own arguments name, where it is within the server's folders. */
function onlyPath(args: JsonObject, context: RiskContext): string | null {
  if (Object.keys(args).length > mostMembers) return null
  const paths = Object.entries(args).flatMap(([name, value]) =>
    typeof value === "string" && looksLikePath(name, value) ? [value] : [],
  )
  const [path] = paths
  if (path === undefined || paths.length > 1 || path.length > longestPath) return null
  if (startsOf(context).length === 0) return null
  const lookup = lookupFor(context)
  return insideFrom(context).every((judge) => judge(path, lookup) === "holds") ? path : null
}

/** A list of texts that replace others, without a path among them. */
function areEdits(value: JsonValue): boolean {
  if (!Array.isArray(value) || value.length > mostMembers) return false
  return value.every(
    (edit) =>
      typeof edit === "object" &&
      edit !== null &&
      !Array.isArray(edit) &&
      Object.entries(edit).every(
        ([name, part]) => typeof part !== "object" && !(typeof part === "string" && looksLikePath(name, part)),
      ),
  )
}

const creatingVerbs = wordSet("write create save make new add touch mkdir")
const changingVerbs = wordSet("edit update append insert replace patch modify")
