import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { keyOf } from "../conditions/argument-key.ts"
import { hostOf } from "../conditions/hosts/url-host.ts"
import { formatPath, readPath } from "../conditions/path.ts"
import { namesProse } from "../risks/argument-kind.ts"
import type { Condition } from "./rule.ts"

/** The conditions that the arguments of several calls have in common. */
export type SharedConditions = {
  readonly when: readonly Condition[]
  /** Arguments that differ in a way no condition holds together; texts for people are not among them. */
  readonly loose: readonly string[]
}

/** The narrowest conditions that all of these arguments meet: the same value, the same folder, the same host. */
export function sharedConditions(all: readonly JsonObject[]): SharedConditions {
  const keys = [...new Set(all.flatMap((args) => Object.keys(args)))].sort()
  const when: Condition[] = []
  const loose: string[] = []
  for (const name of keys) {
    const values = all.flatMap((args) => (Object.hasOwn(args, name) ? [args[name] as JsonValue] : []))
    const shared = values.length === all.length ? sharedBy(keyOf([name]), values) : null
    if (shared !== null) when.push(shared)
    else if (!namesProse(name)) loose.push(name)
  }
  return { when, loose }
}

function sharedBy(key: string, values: readonly JsonValue[]): Condition | null {
  return sameValue(key, values) ?? sameFolder(key, values) ?? sameHost(key, values)
}

/** A rule is read by people: a longer value says nothing to them. */
const longestValue = 200

function sameValue(key: string, values: readonly JsonValue[]): Condition | null {
  const [first] = values
  if (first === undefined) return null
  const text = canonicalJson(first)
  if (text.length > longestValue || values.some((value) => canonicalJson(value) !== text)) return null
  return { key, op: "equals", value: first }
}

function sameFolder(key: string, values: readonly JsonValue[]): Condition | null {
  const folders = values.map(folderOf)
  const [first] = folders
  if (first === null || first === undefined) return null
  let length = first.length
  for (const folder of folders) {
    if (folder === null) return null
    const apart = first.findIndex((segment, at) => folder[at] !== segment)
    if (apart >= 0) length = Math.min(length, apart)
  }
  const shared = first.slice(0, length)
  if (isTooWide(shared)) return null
  return { key, op: "under", folder: formatPath({ style: "posix", root: "", segments: shared, climbs: false }) }
}

/** The folder that a plain absolute path lies in. */
function folderOf(value: JsonValue): readonly string[] | null {
  if (typeof value !== "string" || !value.startsWith("/")) return null
  const read = readPath(value, "posix", null)
  return read.ok && !read.path.climbs ? read.path.segments.slice(0, -1) : null
}

/** The whole disk, a folder of the system's, or all of a person's files is not something calls have in common. */
function isTooWide(segments: readonly string[]): boolean {
  if (segments.length < 2) return true
  return segments.length === 2 && (segments[0] === "home" || segments[0] === "Users")
}

function sameHost(key: string, values: readonly JsonValue[]): Condition | null {
  const hosts = values.map((value) => (typeof value === "string" ? hostOf(value) : null))
  const [first] = hosts
  if (first === null || first === undefined || hosts.some((host) => host !== first)) return null
  return { key, op: "host", patterns: [first] }
}
