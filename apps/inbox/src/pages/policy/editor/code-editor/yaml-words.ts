/**
 * Finds the keys and values of a YAML text and where each stands. It reads what people write in a configuration, block and flow style, and
 * goes on after what is unfinished, because it is asked while somebody types. Whether the text is right is for the service to say.
 */
import { afterSpaces, isGap, lineEnd, lineStart, scalarAt, type YamlScalar } from "./yaml-scalar.ts"

/** Steps from the top of the file: into a map by a key, or into a list, where `null` means one of its elements. */
export type YamlPath = readonly (string | null)[]

export type YamlWord = YamlScalar & {
  /** `key`: a colon follows. `value`: it follows a key or stands in `[…]`. `either`: it stands alone and may become a key. */
  readonly role: "key" | "value" | "either"
  /** Of a key, the map it is in; of anything else, the value itself. */
  readonly path: YamlPath
  /** The same number for all keys of one map. */
  readonly map: number
  readonly isFlow: boolean
}

/** A map or list that is being read. */
type Frame = {
  readonly kind: "map" | "list"
  readonly indent: number
  readonly path: YamlPath
  readonly id: number
  key: string | null
}

type Reading = { readonly text: string; readonly words: YamlWord[]; readonly frames: Frame[]; maps: number }

export function yamlWords(text: string): readonly YamlWord[] {
  const reading: Reading = { text, words: [], frames: [], maps: 0 }
  for (let at = 0; at < text.length; ) at = lineEnd(text, readLine(reading, at)) + 1
  return reading.words
}

/** Reads from the start of a line; returns where it stopped, which may be lines below. */
function readLine(reading: Reading, start: number): number {
  const { text, frames } = reading
  let at = afterSpaces(text, start)
  while (text[at] === "-" && isGap(text, at + 1)) {
    leave(frames, at - start, "element")
    enter(reading, "list", at - start)
    at = afterSpaces(text, at + 1)
  }
  if (isGap(text, at) || text[at] === "#") return at
  const column = at - start
  leave(frames, column, "other")
  if (text[at] === "{" || text[at] === "[") return readFlow(reading, at, inside(frames), floorOf(frames))
  const word = scalarAt(text, at, false)
  const colon = afterSpaces(text, word.to)
  const isKey = text[colon] === ":" && isGap(text, colon + 1)
  // A word alone may be a key in the making: it counts to the map of the keys above and below it.
  const map = enter(reading, "map", column)
  map.key = word.text
  reading.words.push({ ...word, role: isKey ? "key" : "either", path: map.path, map: map.id, isFlow: false })
  return isKey ? readValue(reading, afterSpaces(text, colon + 1), map) : word.to
}

/** Reads the rest of a line after `key:`. */
function readValue(reading: Reading, at: number, map: Frame): number {
  const { text } = reading
  const char = text[at] ?? ""
  if (isGap(text, at) || char === "#") return at
  if (char === "{" || char === "[") return readFlow(reading, at, inside(reading.frames), map.indent)
  if (char === "|" || char === ">") return afterBlockText(text, at, map.indent)
  const word = scalarAt(text, at, false)
  reading.words.push({ ...word, role: "value", path: inside(reading.frames), map: map.id, isFlow: false })
  return word.to
}

/**
 * Reads `{…}` or `[…]`, over several lines if need be. A line that is not deeper than `floor` belongs to what is around it: the closing
 * bracket is missing, and reading goes on there.
 */
function readFlow(reading: Reading, start: number, path: YamlPath, floor: number): number {
  const { text, words } = reading
  const isMap = text[start] === "{"
  const id = nextId(reading)
  let key: string | null = null
  let at = start + 1
  while (at < text.length) {
    const char = text[at] ?? ""
    if (char === "}" || char === "]") return at + 1
    if (char === "\n") {
      const next = afterSpaces(text, at + 1)
      if (next - at - 1 <= floor && !isGap(text, next) && !"}]".includes(text[next] ?? "")) return at
      at = next
    } else if (char === "#" && isGap(text, at - 1)) at = lineEnd(text, at)
    else if (char === "{" || char === "[") at = readFlow(reading, at, [...path, isMap ? key : null], floor)
    else if (char === "," || char === ":" || isGap(text, at)) {
      if (char === ",") key = null
      at += 1
    } else {
      const word = scalarAt(text, at, true)
      const isKey = isMap && key === null && text[afterSpaces(text, word.to)] === ":"
      const role = isKey ? "key" : isMap && key === null ? "either" : "value"
      words.push({
        ...word,
        role,
        path: role === "value" ? [...path, isMap ? key : null] : path,
        map: id,
        isFlow: true,
      })
      if (isKey) key = word.text
      at = Math.max(word.to, at + 1)
    }
  }
  return at
}

/** Skips the lines of a `|` or `>` text: those that are empty or deeper than its key. */
function afterBlockText(text: string, at: number, indent: number): number {
  let end = lineEnd(text, at)
  while (end < text.length) {
    const next = afterSpaces(text, end + 1)
    if (!isGap(text, next) && next - end - 1 <= indent) return end
    end = lineEnd(text, next)
  }
  return end
}

/** Returns the path of what comes next inside the innermost map or list. */
function inside(frames: readonly Frame[]): YamlPath {
  const top = frames.at(-1)
  return top === undefined ? [] : [...top.path, top.kind === "map" ? top.key : null]
}

/** Leaves the maps and lists that a line at this column is no part of. A list may stand at the column of its own key. */
function leave(frames: Frame[], column: number, next: "element" | "other"): void {
  for (let top = frames.at(-1); top !== undefined; top = frames.at(-1)) {
    const isPart = top.indent === column && (next === "element" || top.kind === "map")
    if (top.indent < column || isPart) return
    frames.pop()
  }
}

function enter(reading: Reading, kind: Frame["kind"], indent: number): Frame {
  const top = reading.frames.at(-1)
  if (top?.kind === kind && top.indent === indent) return top
  const frame: Frame = { kind, indent, path: inside(reading.frames), id: nextId(reading), key: null }
  reading.frames.push(frame)
  return frame
}

function floorOf(frames: readonly Frame[]): number {
  return frames.at(-1)?.indent ?? -1
}

function nextId(reading: Reading): number {
  reading.maps += 1
  return reading.maps
}

/** Returns the column at which a word begins, from 0. */
export function columnOf(text: string, { from }: YamlScalar): number {
  return from - lineStart(text, from)
}
