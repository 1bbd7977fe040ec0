/** Which arguments amount to a change of a file's text, for those who show it and for those who read the file for them. Told by their shape: no server's tools are known by name. */
import { type JsonObject, type JsonValue, pointerTo } from "@byleave/core"

/** One text in place of another. `before` is null where nothing is replaced. */
export type TextEdit = { readonly before: string | null; readonly after: string; readonly everywhere: boolean }

export type FileChange = {
  readonly path: string | null
  /** The argument that names the file; of several files, within each of them. */
  readonly pathName: string | null
  readonly how: "write" | "add" | "edit" | "patch"
  /** In the order they are made; of a patch its text alone. */
  readonly edits: readonly TextEdit[]
  /** The arguments whose texts it shows. */
  readonly pointers: readonly string[]
}

/** Every change of a file that a call's arguments carry; none for most calls. */
export function fileChanges(tool: string, args: JsonObject): readonly FileChange[] {
  const whole = changeIn(tool, args, "")
  if (whole !== null) return [whole]
  const list = ["files", "changes", "writes"].flatMap((name) => listAt(args, name, ""))
  const several = list.flatMap(({ value, pointer }) => {
    const change = isObject(value) ? changeIn(tool, value, pointer) : null
    return change === null || change.path === null ? [] : [change]
  })
  return several.length === list.length ? several : []
}

const listNames = ["edits", "replacements", "files", "changes", "writes"]

/** Whether a call may change a file, by the names of its arguments alone: for lists, which hold no more of them. */
export function mayChangeFiles(tool: string, names: readonly string[]): boolean {
  const has = (known: readonly string[]): boolean => known.some((name) => names.includes(name))
  if (has(listNames) && writing.test(tool)) return true
  if (has(beforeNames) && has(afterNames)) return true
  if (has(["patch", "diff"])) return true
  return has(pathNames) && (has(contentNames) || (writing.test(tool) && has(vagueContentNames)))
}

function changeIn(tool: string, args: JsonObject, pointer: string): FileChange | null {
  const file = textAt(args, pathNames, pointer)
  const path = { path: file?.text ?? null, pathName: file?.name ?? null }
  return (
    editsIn(args, path, pointer) ??
    replacementIn(args, path, pointer) ??
    patchIn(args, path, pointer) ??
    (path.path === null ? null : contentIn(tool, args, path, pointer))
  )
}

type Path = Pick<FileChange, "path" | "pathName">

/** What arguments that name a file are called, the likelier first. */
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
/** What arguments that hold a file's whole content are called. */
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

function editsIn(args: JsonObject, path: Path, pointer: string): FileChange | null {
  const list = ["edits", "replacements", "changes"].flatMap((name) => listAt(args, name, pointer))
  const found = list.flatMap((item) => (isObject(item.value) ? [editAt(item.value, item.pointer)] : [null]))
  const edits = found.filter((edit) => edit !== null)
  // One element of another shape, and it is not what it looks like.
  if (edits.length === 0 || edits.length < found.length) return null
  return {
    ...path,
    how: "edit",
    edits: edits.map(({ edit }) => edit),
    pointers: edits.flatMap(({ pointers }) => pointers),
  }
}

function replacementIn(args: JsonObject, path: Path, pointer: string): FileChange | null {
  const found = editAt(args, pointer)
  return found === null ? null : { ...path, how: "edit", edits: [found.edit], pointers: found.pointers }
}

function editAt(object: JsonObject, pointer: string) {
  const before = textAt(object, beforeNames, pointer)
  const after = textAt(object, afterNames, pointer)
  if (before === null || after === null) return null
  const everywhere = everywhereNames.some((name) => memberOf(object, name) === true)
  return { edit: { before: before.text, after: after.text, everywhere }, pointers: [before.pointer, after.pointer] }
}

function patchIn(args: JsonObject, path: Path, pointer: string): FileChange | null {
  const patch = textAt(args, ["patch", "diff"], pointer)
  if (patch === null || !/^@@|^\+\+\+ |^\*\*\* /m.test(patch.text)) return null
  const edit = { before: null, after: patch.text, everywhere: false }
  return { ...path, how: "patch", edits: [edit], pointers: [patch.pointer] }
}

function contentIn(tool: string, args: JsonObject, path: Path, pointer: string): FileChange | null {
  const names = writing.test(tool) ? [...contentNames, ...vagueContentNames] : contentNames
  const content = textAt(args, names, pointer)
  if (content === null) return null
  const edit = { before: null, after: content.text, everywhere: false }
  return { ...path, how: adding.test(tool) ? "add" : "write", edits: [edit], pointers: [content.pointer] }
}

function textAt(object: JsonObject, names: readonly string[], pointer: string) {
  for (const name of names) {
    const text = memberOf(object, name)
    if (typeof text === "string") return { name, text, pointer: pointerTo(pointer, name) }
  }
  return null
}

function listAt(object: JsonObject, name: string, pointer: string) {
  const list = memberOf(object, name)
  if (!Array.isArray(list)) return []
  const at = pointerTo(pointer, name)
  return (list as readonly JsonValue[]).map((value, place) => ({ value, pointer: pointerTo(at, `${place}`) }))
}

function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
