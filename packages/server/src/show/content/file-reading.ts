/** How the file that a call would change is read by another tool of the same server. */

import { contentNames, type FileChange, fileChanges, howSaid, isPlainYes, pathNames, snakeCase } from "@byleave/api"
import {
  type Approval,
  asObject,
  isNamedAsProse,
  type JsonObject,
  type JsonValue,
  memberAt,
  pointerTo,
  type ToolDefinition,
  textAt,
} from "@byleave/core"
import { definitionFor, type ToolKnowledge } from "../tool-knowledge.ts"

/** A file that a call names, and everything else the call says. */
export type NamedFile = {
  readonly name: string
  readonly path: string
  readonly args: JsonObject
  /** The pointers of the texts that it writes or looks for: they say nothing about its place. */
  readonly written: ReadonlySet<string>
}

/** The file of a call that changes this one and no other; null where it is not named. */
export function namedFile({ path, pathPointer, pointers }: FileChange, args: JsonObject): NamedFile | null {
  // Named by an argument of its own, not within another.
  if (path === null || pathPointer === null || pathPointer.lastIndexOf("/") !== 0) return null
  return { name: pathPointer.slice(1), path, args, written: new Set(pointers) }
}

/** The file that a call's card names, so that both mean the same one. Null: the call changes no file, or more than one. */
export function fileOf(tools: ToolKnowledge, approval: Approval): (NamedFile & { readonly change: FileChange }) | null {
  const { kind, tool, editedArgs, args } = approval
  const shown = editedArgs ?? args
  if (kind !== "tool" || shown === null) return null
  const schema = objectOf(definitionFor(tools, approval)?.inputSchema)
  const [change, ...others] = fileChanges(tool.tool, shown, schema)
  if (change === undefined || others.length > 0) return null
  const file = namedFile(change, shown)
  return file === null ? null : { ...file, change }
}

/** Names that readers of whole files go by, the likelier first. */
const readerNames = [
  "read_text_file",
  "read_file",
  "get_file_contents",
  "get_file_content",
  "read_file_content",
  "read_file_contents",
  "readTextFile",
  "readFile",
  "get_file",
  "getFile",
  "view_file",
  "open_file",
  "file_read",
  "read",
  "cat",
]

/** The tools that could read a file, the likeliest first. */
export function readersAmong(tools: readonly string[]): readonly string[] {
  const there = new Set(tools)
  return readerNames.filter((name) => there.has(name))
}

/** Words in the names of parameters by which a tool gives a file in parts, and without which it may give the first of them. */
const partWords =
  /(?:^|_)(?:offset|limit|page|cursor|range|start|end|skip|max|chunk|lines?|length|count|size|bytes|first|last|from|to)(?:_|$)/

/** Of these a tool gives a part only where it is asked for one. */
const asksForPart = new Set(["head", "tail"])

/** Whether a reader may give less than the whole file where it is asked for no part of it. */
export function mayGivePart({ inputSchema }: ToolDefinition): boolean {
  const properties = objectOf(objectOf(inputSchema).properties)
  return Object.entries(properties).some(([name, property]) => {
    const words = snakeCase(name)
    return asksForPart.has(words) ? memberAt(objectOf(property), "default") !== undefined : partWords.test(words)
  })
}

/** Names that writers of whole files go by, the likelier first. */
const writerNames = ["write_file", "write_text_file", "writeFile", "save_file", "put_file", "file_write", "write"]

export function writersAmong(tools: readonly string[]): readonly string[] {
  const there = new Set(tools)
  return writerNames.filter((name) => there.has(name))
}

/**
 * The arguments by which a tool writes this text into the file that a call has changed; null: it wants something nobody can tell it, or cannot be
 * told all that the call says of where the file is.
 */
export function writingArgs(definition: ToolDefinition, file: NamedFile, text: string): JsonObject | null {
  const properties = objectOf(objectOf(definition.inputSchema).properties)
  const content = contentNames.find((name) => takesText(memberAt(properties, name)))
  const args = content === undefined ? null : argsFor(definition, file, { [content]: text })
  return args === null || untold(file, args) !== null ? null : args
}

/** The arguments by which a tool reads the file that a call would change; null: it wants something nobody can tell it. */
export function readingArgs(definition: ToolDefinition, file: NamedFile): JsonObject | null {
  return argsFor(definition, file, {})
}

function argsFor(definition: ToolDefinition, file: NamedFile, more: JsonObject): JsonObject | null {
  const { name: key, path, args } = file
  const schema = objectOf(definition.inputSchema)
  const properties = objectOf(schema.properties)
  const own = [key, ...pathNames].find((name) => takesText(memberAt(properties, name)))
  if (own === undefined) return null
  const shared = Object.keys(properties).filter((name) => isShared(name, properties, file))
  const said = Object.fromEntries(shared.map((name) => [name, args[name] ?? null]))
  const given: JsonObject = { ...said, ...more, [own]: path }
  const required = Array.isArray(schema.required) ? schema.required : []
  return required.every((name) => typeof name === "string" && Object.hasOwn(given, name)) ? given : null
}

/**
 * The name of an argument that may say where the file is (a branch, a workspace, a drive), or that it is written otherwise (appended), and that is not among what a tool is told; null where
 * there is none. Without it, the tool may take the same path for another file.
 */
export function untold({ name: key, args, written }: NamedFile, told: JsonObject): string | null {
  const names = Object.keys(args).filter((name) => name !== key && !Object.hasOwn(told, name))
  return names.find((name) => maySayWhere(argumentOf(args, name), written)) ?? null
}

function argumentOf(args: JsonObject, name: string) {
  return { name, value: args[name] ?? null, pointer: pointerTo("", name) }
}

/** An argument with its place among the others. */
type PlacedArgument = { readonly name: string; readonly value: JsonValue; readonly pointer: string }

/** Whether an argument may say where a file is, or that its texts are not written as they stand. `known`: the pointers of values that say neither. */
function maySayWhere({ name, value, pointer }: PlacedArgument, known: ReadonlySet<string>): boolean {
  if (known.has(pointer)) return false
  const how = howSaid(name, value)
  if (how !== "nothing") return how !== "as it stands"
  // A no asks for nothing; a yes may ask for another place, such as a shared one.
  if (value === true) return !isPlainYes(name)
  if (value === null || value === false || value === "" || isNamedAsProse(name)) return false
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).some((each, at) =>
      maySayWhere({ name, value: each, pointer: pointerTo(pointer, `${at}`) }, known),
    )
  }
  const inner = asObject(value)
  if (inner === undefined) return true
  return Object.entries(inner).some(([each, of]) =>
    maySayWhere({ name: each, value: of, pointer: pointerTo(pointer, each) }, known),
  )
}

/** Says where the file is, in both: an owner, a repository, a branch. */
function isShared(name: string, properties: JsonObject, { args, written }: NamedFile): boolean {
  if (pathNames.includes(name) || written.has(pointerTo("", name))) return false
  return takesText(memberAt(properties, name)) && textAt(args, name) !== undefined
}

function takesText(property: JsonValue | undefined): boolean {
  return property !== undefined && memberAt(objectOf(property), "type") === "string"
}

/** The facts about the file in a reader's result. */
export type FileRead =
  | { readonly kind: "text"; readonly text: string; readonly isPart: boolean }
  | { readonly kind: "absent" }
  /** `said`: the tool's own words for why not; null where it said nothing, or nothing of its own. */
  | { readonly kind: "unreadable"; readonly said: string | null }

/** Words of tools for a file that is not there. A message that a tool, a session, a command or a host was not found says nothing about the file. */
const notThere =
  /no such file|\b(file|path|directory|folder)\b.*\b(not found|not be found|does not exist|doesn't exist)\b|\b(cannot|can't|could not|couldn't) find (the |a )?(file|path)\b/i

/** More of an error is not looked at. */
const longestError = 2_000

/** `path`: as the agent wrote it. Errors repeat it, so where it reads like a file's absence itself, they prove nothing. */
export function fileIn(result: JsonObject, path: string): FileRead {
  const parts = Array.isArray(result.content) ? result.content.map((part) => objectOf(part as JsonValue)) : []
  if (result.isError === true) return isOurs(result) ? unreadable : errorIn(parts, path)
  // A file comes embedded, whatever is said beside it, or as the one text there is. Anything else is not the file as it is.
  const files = parts.filter(({ type }) => type === "resource")
  const [file] = files.length === 0 ? parts : files
  const text = file === undefined || (files.length !== 1 && parts.length !== 1) ? null : textOf(file)
  return text === null ? unreadable : { kind: "text", text, isPart: saysPart(result, text) }
}

/** Members of a result by which tools say that there is more. */
const moreNames = /truncated|partial|has_?more|next_?(?:cursor|offset|page)/i
/** Words by which they say so within the text, in its first line or its last. */
const moreWords =
  /\btruncated\b|\b\d+ (?:more |of \d+ )?(?:lines?|bytes|characters)? ?(?:remaining|left|more)\b|\blines? \d+ ?(?:-|to) ?\d+ of \d+\b|\b\d+ more lines?\b/i

function saysPart(result: JsonObject, text: string): boolean {
  const said = [result, objectOf(result._meta), objectOf(result.structuredContent)]
  if (said.some((each) => Object.entries(each).some(([name, value]) => moreNames.test(name) && isSaid(value))))
    return true
  const lines = text.trim().split("\n")
  return [lines[0], lines.at(-1)].some((line) => moreWords.test((line ?? "").slice(0, longestError)))
}

function isSaid(value: JsonValue): boolean {
  return value !== null && value !== false && value !== ""
}

const unreadable: FileRead = { kind: "unreadable", said: null }

/** The gate in front of the tool answers, too, and marks its answers: a server that cannot be reached has not looked for any file. */
function isOurs(result: JsonObject): boolean {
  return Object.keys(objectOf(result._meta)).some((key) => key.startsWith("byleave/"))
}

function isTelling(path: string): boolean {
  return path.length > longestError || notThere.test(path)
}

/** Where the path itself reads like such words, they tell nothing. */
function errorIn(parts: readonly JsonObject[], path: string): FileRead {
  const said = parts.map((part) => textAt(part, "text") ?? "").join("\n")
  if (!isTelling(path) && notThere.test(said.slice(0, longestError))) return { kind: "absent" }
  return said.trim() === ""
    ? unreadable
    : { kind: "unreadable", said: said.trim().slice(0, longestSaid).toWellFormed() }
}

const longestSaid = 300

function textOf(part: JsonObject): string | null {
  if (part.type === "text") return textAt(part, "text") ?? null
  return part.type === "resource" ? (textAt(objectOf(part.resource), "text") ?? null) : null
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return asObject(value) ?? {}
}
