import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonValue } from "../../call/json/json.ts"
import { keyOf } from "../conditions/argument-key.ts"
import type { ConditionContext } from "../conditions/condition.ts"
import { hostOf } from "../conditions/hosts/url-host.ts"
import { formatPath, type Path, readFolder, readPath } from "../conditions/path.ts"
import { namesPath, namesProgram, wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"
import { looksLikePath } from "../risks/text-risks.ts"
import type { KeptCall } from "./answered-call.ts"

/** Where a call leads, by the argument that says it best. */
export type Location =
  /** `isFolder`: the paths are folders to look into, so their neighbours are others' folders. */
  | { readonly kind: "path"; readonly key: string; readonly paths: readonly Path[]; readonly isFolder: boolean }
  | { readonly kind: "host"; readonly key: string; readonly host: string }
  | { readonly kind: "program"; readonly key: string; readonly text: string }
  | { readonly kind: "none" }
  /** To a path or address that no rule can hold on to. */
  | { readonly kind: "unclear" }

export type LocatedCall = {
  readonly call: KeptCall
  readonly location: Location
  /** The same text for calls that lead to the same place. */
  readonly place: string
  /** Other arguments with paths, such as where a file is moved to. */
  readonly others: ReadonlyArray<{ readonly key: string; readonly paths: readonly Path[] }>
}

export function locateCall(call: KeptCall, context: ConditionContext): LocatedCall {
  const found = Object.entries(call.args).flatMap(([name, value]) => pathsOf(name, value, context) ?? [])
  const program = programOf(call)
  const [first, ...others] = found
  if (found.some(({ paths }) => paths.length === 0)) {
    return { call, location: { kind: "unclear" }, place: canonicalJson(call.args), others: [] }
  }
  // The program that is run says more than the folder it runs in.
  if (program !== null) return { call, location: program, place: placeOf(call, program), others: found }
  const location: Location =
    first === undefined ? hostLocation(call) : { kind: "path", isFolder: isAboutFolders(call, first.key), ...first }
  return { call, location, place: placeOf(call, location), others }
}

/** No rule about folders is drawn from calls with more paths, or with deeper ones. */
const mostPaths = 20
const deepestPath = 40

type FoundPaths = { readonly key: string; readonly paths: readonly Path[] }

/** Null: it holds no path. Without paths: it holds some, of which nobody knows where they lead, or too many. */
function pathsOf(name: string, value: JsonValue, { bases = [] }: ConditionContext): FoundPaths | null {
  const texts = Array.isArray(value) ? value : [value]
  if (texts.length === 0 || !texts.every((text) => typeof text === "string" && looksLikePath(name, text))) return null
  if (texts.length > mostPaths) return { key: keyOf([name]), paths: [] }
  const base = bases.length === 1 && bases[0] !== undefined ? readFolder(bases[0]) : null
  const paths = texts.flatMap((text) => {
    const read = readPath(text as string, /^[a-z]:/i.test(text as string) ? "windows" : "posix", base)
    return read.ok && !read.path.climbs && read.path.segments.length <= deepestPath ? [read.path] : []
  })
  return { key: keyOf([name]), paths: paths.length === texts.length ? paths : [] }
}

function hostLocation({ args }: KeptCall): Location {
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== "string") continue
    const host = value.includes("://") ? hostOf(value) : null
    if (host !== null) return { kind: "host", key: keyOf([name]), host }
  }
  return { kind: "none" }
}

function programOf({ tool, args }: KeptCall): Location | null {
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== "string" || !namesProgram(name) || isSearchText(tool.tool, name)) continue
    return { kind: "program", key: keyOf([name]), text: value }
  }
  return null
}

/** The words a search tool looks for are no program, unless the argument says so. */
function isSearchText(tool: string, name: string): boolean {
  return name === "query" && nameWords(tool).some((word) => searchWords.has(word))
}

const searchWords = wordSet("search find lookup recall browse")

function isAboutFolders({ tool }: KeptCall, key: string): boolean {
  const words = nameWords(tool.tool)
  if (words.some((word) => makingWords.has(word))) return false
  if (nameWords(key).some((word) => folderWords.has(word))) return true
  return namesPath(key) && words.some((word) => folderWords.has(word) || browsingWords.has(word))
}

const makingWords = wordSet("create make mkdir new write save")
const folderWords = wordSet("dir dirs directory directories folder folders cwd root workspace")
const browsingWords = wordSet("list ls tree search find glob grep browse walk")

function placeOf({ args }: KeptCall, location: Location): string {
  switch (location.kind) {
    case "path":
      return location.paths.map(formatPath).join("\n")
    case "host":
      return location.host
    case "program":
      return location.text
    default:
      return canonicalJson(args)
  }
}

/** The ending that all paths of a call have; empty: none, or different ones. */
export function endingOf({ location }: LocatedCall): string {
  if (location.kind !== "path") return ""
  const endings = new Set(location.paths.map(({ segments }) => /\.(\w{1,10})$/.exec(segments.at(-1) ?? "")?.[1] ?? ""))
  const [only] = endings
  return endings.size === 1 ? (only ?? "") : ""
}

export function parentOf(path: Path): Path {
  return { ...path, segments: path.segments.slice(0, -1) }
}

/** The same text for calls about files of one kind in the same folders; elsewhere, for calls that lead to the same place. */
export function folderKind(one: LocatedCall): string {
  const { location, place } = one
  if (location.kind !== "path" || location.isFolder) return place
  const folders = new Set(location.paths.map((path) => formatPath(parentOf(path))))
  return JSON.stringify([[...folders].sort(), endingOf(one)])
}
