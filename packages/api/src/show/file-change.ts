/**
 * Which arguments amount to a change of a file's text, for those who show it and for those who read the file for them. Told by their shape: no
 * server's tools are known by name.
 *
 * I1. An edit belongs to the file that it names itself, else to the one its list stands beside. A list with an edit that says anything else that is
 *     not understood is no list of edits: it may be made to another file.
 * I2. A text is a file's new content only where nothing beside it says that it is written otherwise than as it stands.
 * I3. A change names a yes of its call that is not understood, such as `regex`: its texts may mean something else than they say.
 */
import { type JsonObject, type JsonValue, pointerTo } from "@byleave/core"
import { type DeclaredNames, declaredNames } from "../declared-names.ts"
import { howSaid, isPlainYes, snakeCase } from "./how-said.ts"

/** One text in place of another. `before` is null where nothing is replaced. */
export type TextEdit = { readonly before: string | null; readonly after: string; readonly everywhere: boolean }

export type FileChange = {
  readonly path: string | null
  /** Where the file is named. */
  readonly pathPointer: string | null
  readonly how: "write" | "add" | "edit" | "patch"
  /** In the order they are made; of a patch its text alone. */
  readonly edits: readonly TextEdit[]
  /** The arguments whose texts it shows. */
  readonly pointers: readonly string[]
  /** The tool's name says that it writes. Any other tool may do something else with the texts than put them into the file. */
  readonly isNamedWriter: boolean
  /** The name of an argument that says yes to something that is not understood. */
  readonly flag?: string
}

/**
 * Every change of a file that a call's arguments carry; none for most calls. `schema`: the tool's input schema, where it is known. Names that it
 * does not declare are not looked at: the tool would not write by them.
 */
export function fileChanges(tool: string, args: JsonObject, schema: JsonObject | null = null): readonly FileChange[] {
  const changes = changesOf(tool, args, schema)
  const flag =
    changes.length === 0
      ? null
      : unknownYes(
          args,
          "",
          changes.every(({ how }) => how === "add"),
        )
  return flag === null ? changes : changes.map((change) => ({ ...change, flag }))
}

/** The name of the first yes in a value that may change what texts beside it mean, or where they go. `isAdded`: by a yes that was understood. */
function unknownYes(value: JsonValue, name: string, isAdded: boolean): string | null {
  if (value === true) return isPlainYes(name) || (isAdded && howSaid(name, value) === "added") ? null : name
  if (Array.isArray(value)) return firstIn(value, (each) => unknownYes(each, name, isAdded))
  if (!isObject(value)) return null
  return firstIn(Object.entries(value), ([inner, each]) => unknownYes(each, inner, isAdded))
}

function firstIn<Item>(items: readonly Item[], find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

function changesOf(tool: string, args: JsonObject, schema: JsonObject | null): readonly FileChange[] {
  const top: Place = { object: args, pointer: "", names: declaredNames(schema) }
  const whole = changesIn(tool, top, [top])
  if (whole.length > 0) return whole
  const list = ["files", "changes", "writes"].flatMap((name) => elementsAt(top, name))
  const each = list.map((place) => (place === null ? [] : changesIn(tool, place, [top, place])))
  const isEachNamed = each.every((changes) => changes.length > 0 && changes.every(({ path }) => path !== null))
  return isEachNamed ? each.flat() : []
}

/** The arguments of a call that its changes of files show whole: texts, and the files' names. */
export function shownPointers(changes: readonly FileChange[]): ReadonlySet<string> {
  return new Set(changes.flatMap(({ pointers, pathPointer }) => [...pointers, pathPointer ?? []].flat()))
}

/** An object among the arguments, and the names that count in it. */
type Place = { readonly object: JsonObject; readonly pointer: string; readonly names: DeclaredNames }

const listNames = ["edits", "replacements", "files", "changes", "writes"]

/** Whether a call may change a file, by the names of its arguments alone: for lists, which hold no more of them. */
export function mayChangeFiles(tool: string, names: readonly string[]): boolean {
  const has = (known: readonly string[]): boolean => known.some((name) => names.includes(name))
  if (has(listNames) && writing.test(tool)) return true
  if (has(beforeNames) && has(afterNames)) return true
  if (has(["patch", "diff"])) return true
  return has(pathNames) && (has(contentNames) || (writing.test(tool) && has(vagueContentNames)))
}

/** `around`: every object that may say how the texts are written. */
function changesIn(tool: string, place: Place, around: readonly Place[]): readonly FileChange[] {
  const target = targetIn(tool, place)
  const edited = editsIn(tool, place)
  if (edited.length > 0) return edited
  const one =
    replacementIn(place, target) ??
    patchIn(place, target) ??
    (target.path === null ? null : contentIn(tool, place, around, target))
  return one === null ? [] : [one]
}

function targetIn(tool: string, place: Place): Target {
  const file = textAt(place, pathNames)
  return { path: file?.text ?? null, pathPointer: file?.pointer ?? null, isNamedWriter: isNamedWriter(tool) }
}

type Target = Pick<FileChange, "path" | "pathPointer" | "isNamedWriter">

/** The names of arguments that name a file, the likelier first. */
export const pathNames: readonly string[] = [
  "path",
  "file_path",
  "filePath",
  "filepath",
  "filename",
  "file_name",
  "fileName",
  "file",
  "target_file",
  "relative_path",
  "notebook_path",
]
const beforeNames = ["oldText", "old_text", "old_string", "oldString", "old_str", "search", "find"]
const afterNames = ["newText", "new_text", "new_string", "newString", "new_str", "replace", "replacement"]
const everywhereNames = ["replace_all", "replaceAll", "all"]
/** The names of arguments that hold a file's whole content. */
export const contentNames: readonly string[] = [
  "content",
  "contents",
  "file_text",
  "fileText",
  "new_content",
  "newContent",
  "new_source",
]
/** These are a file's content only where the tool's own name says that it writes. */
const vagueContentNames = ["text", "data", "body", "code", "insert_text"]
const writing = /write|create|save|put|update|replace|overwrite|append|insert|add|edit/i
const adding = /append|insert|prepend|add_?(?:to|lines?|text)(?![a-z])/
/** Whole words, unlike `writing`: a `compute` is no `put`. */
const writingWord =
  /(?:^|[^a-z])(?:write|create|save|put|update|replace|overwrite|append|prepend|insert|add|edit|modify|push|upload)(?:[^a-z]|$)/

function isNamedWriter(tool: string): boolean {
  return writingWord.test(snakeCase(tool))
}

function editsIn(tool: string, place: Place): readonly FileChange[] {
  const beside = targetIn(tool, place)
  const list = ["edits", "replacements", "changes"].flatMap((name) => elementsAt(place, name))
  const byPath = new Map<string | null, Target & { readonly found: Edited[] }>()
  for (const element of list) {
    const edit = element === null ? null : editAt(element)
    // One element of another shape, and it is not what it looks like.
    if (element === null || edit === null) return []
    const own = targetIn(tool, element)
    if (saysMore(element, own.pathPointer)) return []
    const target = own.path === null ? beside : own
    const known = byPath.get(target.path)
    if (known === undefined) byPath.set(target.path, { ...target, found: [edit] })
    else known.found.push(edit)
  }
  // Some name their file, and of the others nobody knows it.
  if (byPath.has(null) && byPath.size > 1) return []
  return [...byPath.values()].map(({ found, ...target }) => editing(target, found))
}

/** Whether anything in an element, declared or not, says more than the texts, its file, yes, no or a remark. */
function saysMore({ object, pointer }: Place, pathPointer: string | null): boolean {
  return Object.entries(object).some(([name, value]) => {
    if (beforeNames.includes(name) || afterNames.includes(name) || pointerTo(pointer, name) === pathPointer)
      return false
    if (typeof value === "boolean") return howSaid(name, value) !== "nothing"
    return value !== null && value !== "" && !/^(?:description|explanation|reason|comment)$/.test(name)
  })
}

function replacementIn(place: Place, target: Target): FileChange | null {
  const found = editAt(place)
  return found === null ? null : editing(target, [found])
}

type Edited = { readonly edit: TextEdit; readonly pointers: readonly string[] }

function editing(target: Target, found: readonly Edited[]): FileChange {
  const pointers = found.flatMap((each) => each.pointers)
  return { ...target, how: "edit", edits: found.map(({ edit }) => edit), pointers }
}

function editAt(place: Place): Edited | null {
  const before = textAt(place, beforeNames)
  const after = textAt(place, afterNames)
  if (before === null || after === null) return null
  const everywhere = everywhereNames.some((name) => memberOf(place, name) === true)
  return { edit: { before: before.text, after: after.text, everywhere }, pointers: [before.pointer, after.pointer] }
}

function patchIn(place: Place, target: Target): FileChange | null {
  const patch = textAt(place, ["patch", "diff"])
  if (patch === null || !/^@@|^\+\+\+ |^\*\*\* /m.test(patch.text)) return null
  const edit = { before: null, after: patch.text, everywhere: false }
  return { ...target, how: "patch", edits: [edit], pointers: [patch.pointer] }
}

function contentIn(tool: string, place: Place, around: readonly Place[], target: Target): FileChange | null {
  const names = writing.test(tool) ? [...contentNames, ...vagueContentNames] : contentNames
  const content = textAt(place, names)
  const how = howIn(tool, around)
  if (content === null || how === null) return null
  const edit = { before: null, after: content.text, everywhere: false }
  return { ...target, how, edits: [edit], pointers: [content.pointer] }
}

/** Null where it cannot be told: said in words that are not understood, or under a name that the tool does not declare. */
function howIn(tool: string, around: readonly Place[]): "write" | "add" | null {
  const said = around.flatMap(({ object, names }) =>
    Object.entries(object).map(([name, value]) => {
      const how = howSaid(name, value)
      return how === "added" && !names.has(name) ? "otherwise" : how
    }),
  )
  if (said.includes("otherwise")) return null
  return said.includes("added") || adding.test(snakeCase(tool)) ? "add" : "write"
}

function textAt(place: Place, names: readonly string[]) {
  for (const name of names) {
    const text = memberOf(place, name)
    if (typeof text === "string") return { text, pointer: pointerTo(place.pointer, name) }
  }
  return null
}

/** Null for each element that is no object. */
function elementsAt(place: Place, name: string): readonly (Place | null)[] {
  const list = memberOf(place, name)
  if (!Array.isArray(list)) return []
  const at = pointerTo(place.pointer, name)
  const names = place.names.elementsOf(name)
  return (list as readonly JsonValue[]).map((object, number) =>
    isObject(object) ? { object, pointer: pointerTo(at, `${number}`), names } : null,
  )
}

function memberOf({ object, names }: Place, name: string): JsonValue | undefined {
  return names.has(name) && Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
