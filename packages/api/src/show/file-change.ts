/** Which arguments amount to a change of a file's text, for those who show it and for those who read the file for them. Told by their shape: no server's tools are known by name. */
import { type JsonObject, type JsonValue, pointerTo } from "@byleave/core"
import { type DeclaredNames, declaredNames } from "../declared-names.ts"

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
}

/**
 * Every change of a file that a call's arguments carry; none for most calls. `schema`: the tool's input schema, where it is known. Names that it
 * does not declare are not looked at: the tool would not write by them.
 */
export function fileChanges(tool: string, args: JsonObject, schema: JsonObject | null = null): readonly FileChange[] {
  const top: Place = { object: args, pointer: "", names: declaredNames(schema) }
  const whole = changeIn(tool, top)
  if (whole !== null) return [whole]
  const list = ["files", "changes", "writes"].flatMap((name) => elementsAt(top, name))
  const several = list.flatMap((place) => {
    const change = place === null ? null : changeIn(tool, place)
    return change === null || change.path === null ? [] : [change]
  })
  return several.length === list.length ? several : []
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

function changeIn(tool: string, place: Place): FileChange | null {
  const file = textAt(place, pathNames)
  const target = { path: file?.text ?? null, pathPointer: file?.pointer ?? null, isNamedWriter: isNamedWriter(tool) }
  return (
    editsIn(place, target) ??
    replacementIn(place, target) ??
    patchIn(place, target) ??
    (target.path === null ? null : contentIn(tool, place, target))
  )
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
const adding = /append|insert|add_to|prepend/i
/** Whole words, unlike `writing`: a `compute` is no `put`. */
const writingWord =
  /(?:^|[^a-z])(?:write|create|save|put|update|replace|overwrite|append|prepend|insert|add|edit|modify|push|upload)(?:[^a-z]|$)/

function isNamedWriter(tool: string): boolean {
  return writingWord.test(tool.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase())
}

function editsIn(place: Place, target: Target): FileChange | null {
  const list = ["edits", "replacements", "changes"].flatMap((name) => elementsAt(place, name))
  const found = list.map((element) => (element === null ? null : editAt(element)))
  const edits = found.filter((edit) => edit !== null)
  // One element of another shape, and it is not what it looks like.
  if (edits.length === 0 || edits.length < found.length) return null
  return {
    ...target,
    how: "edit",
    edits: edits.map(({ edit }) => edit),
    pointers: edits.flatMap(({ pointers }) => pointers),
  }
}

function replacementIn(place: Place, target: Target): FileChange | null {
  const found = editAt(place)
  return found === null ? null : { ...target, how: "edit", edits: [found.edit], pointers: found.pointers }
}

function editAt(place: Place) {
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

function contentIn(tool: string, place: Place, target: Target): FileChange | null {
  const names = writing.test(tool) ? [...contentNames, ...vagueContentNames] : contentNames
  const content = textAt(place, names)
  if (content === null) return null
  const edit = { before: null, after: content.text, everywhere: false }
  return { ...target, how: adding.test(tool) ? "add" : "write", edits: [edit], pointers: [content.pointer] }
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
