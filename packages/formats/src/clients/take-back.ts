import type { JsonValue } from "@byleave/core"
import type { FileSyntax } from "./file-syntax.ts"
import { inParts } from "./in-parts.ts"
import {
  byKey,
  dataOf,
  entryIn,
  type KeyPath,
  nodeAt,
  type PlacedEntry,
  type PlacedList,
  type PlacedNode,
  splice,
  textsOf,
} from "./placed-tree.ts"
import type { SetupChange } from "./setup-change.ts"

export type TakenBack = {
  readonly text: string
  /** Paths of what people changed since in a way that cannot be told apart from it; it stays as it is. */
  readonly kept: readonly string[]
}

/**
 * Takes changes of setup back, the last one first, and leaves everything else of the text as it is.
 *
 * I1. A text that nobody edited since becomes the text it was, character for character.
 * I2. What people wrote since stays, also words that they added after `byleave wrap … --`.
 */
export function takeBack(text: string, changes: readonly SetupChange[], syntax: FileSyntax): TakenBack {
  const kept: string[] = []
  const read = syntax.read(text)
  const parts =
    read.ok &&
    inParts(text, read.root, changes, syntax, (own, mine, prefix) => {
      const back = takeBackInTurn(own, mine, syntax)
      kept.push(...back.kept.map((path) => [...prefix, path].join(".")))
      return back.text
    })
  return parts && parts.text !== undefined ? { text: parts.text, kept } : takeBackInTurn(text, changes, syntax)
}

function takeBackInTurn(text: string, changes: readonly SetupChange[], syntax: FileSyntax): TakenBack {
  let current = text
  const kept: string[] = []
  /** Commands that people changed where they stand after `--`, by the path of the pair they go back to. */
  const commands = new Map<string, string>()
  for (const change of changes.toReversed()) {
    const read = syntax.read(current)
    const next = read.ok ? takenOne(current, read.root, change, syntax, commands) : undefined
    if (next === undefined) kept.push(change.path.join("."))
    else current = next
  }
  return { text: current, kept }
}

/** Undefined where it cannot be taken back; the text itself where nothing of it is there any more. */
function takenOne(
  text: string,
  root: PlacedNode,
  change: SetupChange,
  syntax: FileSyntax,
  commands: Map<string, string>,
): string | undefined {
  const { path } = change
  switch (change.kind) {
    case "replaced":
      return putBack(text, entryAt(root, path), change, syntax, commands.get(path.join("\0")))
    case "added":
      return removeAdded(text, root, change)
    case "words":
      return removeWords(text, nodeAt(root, path), withOwnCommand(change, nodeAt(root, path), commands))
    case "item":
      return removeItem(text, nodeAt(root, path), change.item, change.text)
  }
}

function entryAt(root: PlacedNode, path: KeyPath): PlacedEntry | undefined {
  return entryIn(nodeAt(root, path.slice(0, -1)), path.at(-1) ?? "")
}

function putBack(
  text: string,
  entry: PlacedEntry | undefined,
  change: Extract<SetupChange, { kind: "replaced" }>,
  syntax: FileSyntax,
  command: string | undefined,
): string | undefined {
  if (entry === undefined) return text
  if (!isSameData(entry.value, change.value)) return undefined
  const pair = command === undefined ? change.before : entry.prefix + syntax.pair(entry.key, command)
  return entry.start < 0 ? undefined : splice(text, entry.start, entry.end, pair)
}

function removeAdded(
  text: string,
  root: PlacedNode,
  change: Extract<SetupChange, { kind: "added" }>,
): string | undefined {
  const entry = entryAt(root, change.path)
  if (entry === undefined) return text
  if (!isSameData(entry.value, change.value)) return removeWithin(text, entry, change)
  const found = [entry.end - change.text.length, entry.start, entry.start - 1].find((at) => isAt(text, change.text, at))
  if (found !== undefined) return splice(text, found, found + change.text.length, "")
  const map = nodeAt(root, change.path.slice(0, -1))
  if (map?.kind !== "map") return undefined
  return map.isBlock ? cutLine(text, entry) : cutMember(text, map.entries, entry)
}

/** People wrote more into a list that setup made: only its own items go. */
function removeWithin(
  text: string,
  entry: PlacedEntry,
  change: Extract<SetupChange, { kind: "added" }>,
): string | undefined {
  const [path, items] = listIn(change.value, [])
  const list = nodeAt(entry.value, path)
  const present = textsOf(list)
  if (list?.kind !== "list" || present === undefined) return undefined
  if (present.slice(0, items.length).join("\0") === items.join("\0") && path.length === 0) {
    return removeWords(text, list, { kind: "words", path: change.path, text: "", words: items })
  }
  const [item] = items
  return item === undefined || items.length > 1 ? undefined : removeItem(text, list, item, "")
}

function listIn(value: JsonValue, path: KeyPath): readonly [KeyPath, readonly string[]] {
  if (Array.isArray(value)) return [path, value.filter((item) => typeof item === "string")]
  const [first] = typeof value === "object" && value !== null ? Object.entries(value) : []
  return first === undefined ? [path, []] : listIn(first[1] as JsonValue, [...path, first[0]])
}

/** The same words with the command that stands there now. */
function withOwnCommand(
  change: Extract<SetupChange, { kind: "words" }>,
  list: PlacedNode | undefined,
  commands: Map<string, string>,
): Extract<SetupChange, { kind: "words" }> {
  const { command, words } = change
  const last = words.length - 1
  const now = list?.kind === "list" ? list.items[last] : undefined
  if (command === undefined || now?.kind !== "scalar" || typeof now.value !== "string" || now.value === words[last]) {
    return change
  }
  commands.set(command.join("\0"), now.value)
  return { ...change, words: words.with(last, now.value), text: "" }
}

function removeWords(
  text: string,
  list: PlacedNode | undefined,
  { words, text: added }: Extract<SetupChange, { kind: "words" }>,
): string | undefined {
  if (list?.kind !== "list") return list === undefined ? text : undefined
  const present = list.items.slice(0, words.length).map((item) => (item.kind === "scalar" ? item.value : null))
  if (words.some((word, at) => present[at] !== word)) return undefined
  const [first] = list.items
  const found = [first?.start ?? -1, list.start, list.start + 1].find((at) => added !== "" && isAt(text, added, at))
  if (found !== undefined) return splice(text, found, found + added.length, "")
  return list.isBlock ? undefined : cutFirst(text, list, words.length)
}

function cutFirst(text: string, list: PlacedList, count: number): string {
  const first = list.items[0]?.start ?? list.start + 1
  const next = list.items[count]
  return splice(text, first, next?.start ?? list.items.at(-1)?.end ?? first, "")
}

function removeItem(text: string, list: PlacedNode | undefined, item: string, added: string): string | undefined {
  if (list?.kind !== "list") return list === undefined ? text : undefined
  const found = list.items.find((each) => each.kind === "scalar" && each.value === item)
  if (found === undefined) return text
  const at = [found.end - added.length, found.start, found.start - 1].find(
    (start) => added !== "" && isAt(text, added, start),
  )
  if (at !== undefined) return splice(text, at, at + added.length, "")
  return list.isBlock ? undefined : cutMember(text, list.items, found)
}

/** Cuts one member out of brackets, with the comma that goes with it. */
function cutMember<Member extends { readonly start: number; readonly end: number }>(
  text: string,
  members: readonly Member[],
  member: Member,
): string | undefined {
  if (member.start < 0) return undefined
  const at = members.indexOf(member)
  const [previous, next] = [members[at - 1], members[at + 1]]
  if (previous !== undefined) return splice(text, previous.end, member.end, "")
  return splice(text, member.start, next?.start ?? member.end, "")
}

/** Cuts a pair that has its lines for itself. */
function cutLine(text: string, entry: PlacedEntry): string | undefined {
  if (entry.start < 0) return undefined
  const start = text.lastIndexOf("\n", entry.start - 1) + 1
  const next = text.indexOf("\n", entry.end)
  return splice(text, start, next < 0 ? text.length : next + 1, "")
}

function isAt(text: string, piece: string, at: number): boolean {
  return at >= 0 && text.startsWith(piece, at)
}

function isSameData(node: PlacedNode, value: JsonValue): boolean {
  return JSON.stringify(dataOf(node, () => false)) === JSON.stringify(plainData(value))
}

/** A value in the form of `dataOf`. */
function plainData(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => plainData(item))
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value)
    .map(([key, item]) => ({ key, item: item as JsonValue }))
    .toSorted(byKey)
    .map(({ key, item }): JsonValue => [key, plainData(item)])
}
