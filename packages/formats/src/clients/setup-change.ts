import type { JsonValue } from "@byleave/core"
import type { FileSyntax } from "./file-syntax.ts"
import { inParts, moved } from "./in-parts.ts"
import { entryIn, type KeyPath, nodeAt, type PlacedEntry, type PlacedMap, splice } from "./placed-tree.ts"

/**
 * One thing that setup changed in a client's file, with what is needed to take it back, also after people edited around it.
 * It is kept as JSON.
 */
export type SetupChange =
  /** A pair has another value, and perhaps another key. `before` and `after` are the pair's text. */
  | {
      readonly kind: "replaced"
      /** Of the pair as it is now. */
      readonly path: KeyPath
      readonly before: string
      readonly after: string
      readonly value: JsonValue
    }
  /** A pair was added; `text` is all that was put into the file. */
  | { readonly kind: "added"; readonly path: KeyPath; readonly text: string; readonly value: JsonValue }
  /** Words were put before those of a list: `byleave wrap … --`, and the command where it stood apart. */
  | {
      readonly kind: "words"
      readonly path: KeyPath
      readonly text: string
      readonly words: readonly string[]
      /** The pair that the last of the words stood in before. */
      readonly command?: KeyPath
    }
  /** A text was added to a list. */
  | { readonly kind: "item"; readonly path: KeyPath; readonly text: string; readonly item: string }

/** A wish for a change, before it is known how the file is laid out. */
export type ChangeStep =
  | {
      readonly kind: "set"
      readonly path: KeyPath
      readonly value: JsonValue /** The key it has so far. */
      readonly from?: string
    }
  | {
      readonly kind: "words"
      readonly path: KeyPath
      readonly words: readonly string[]
      /** The pair that the last of the words stands in so far. */
      readonly command?: KeyPath
    }
  | { readonly kind: "item"; readonly path: KeyPath; readonly item: string }

export type ChangedFile = { readonly text: string; readonly changes: readonly SetupChange[] }

/** Makes the steps one after another; undefined where the layout of the file cannot be followed. */
export function changeFile(
  text: string,
  root: PlacedMap,
  steps: readonly ChangeStep[],
  syntax: FileSyntax,
): ChangedFile | undefined {
  const changes: SetupChange[] = []
  const parts = inParts(text, root, steps, syntax, (own, mine, prefix) => {
    const made = changeInTurn(own, mine, syntax)
    changes.push(...(made?.changes ?? []).map((change) => moved(change, (path) => [...prefix, ...path])))
    return made?.text
  })
  if (parts === undefined) return changeInTurn(text, steps, syntax)
  return parts.text === undefined ? undefined : { text: parts.text, changes }
}

function changeInTurn(text: string, steps: readonly ChangeStep[], syntax: FileSyntax): ChangedFile | undefined {
  let current = text
  const changes: SetupChange[] = []
  for (const step of steps) {
    const read = syntax.read(current)
    if (!read.ok) return undefined
    const made = makeStep(current, read.root, step, syntax)
    if (made === undefined) return undefined
    current = made.text
    if (made.change !== null) changes.push(made.change)
  }
  return { text: current, changes }
}

type Made = { readonly text: string; readonly change: SetupChange | null }

function makeStep(text: string, root: PlacedMap, step: ChangeStep, syntax: FileSyntax): Made | undefined {
  switch (step.kind) {
    case "set":
      return setPair(text, root, step, syntax)
    case "words":
      return putWords(text, root, step, syntax)
    case "item":
      return addItem(text, root, step, syntax)
  }
}

function setPair(
  text: string,
  root: PlacedMap,
  { path, value, from }: Extract<ChangeStep, { kind: "set" }>,
  syntax: FileSyntax,
): Made | undefined {
  const key = path.at(-1) ?? ""
  const map = nodeAt(root, path.slice(0, -1))
  if (map === undefined) return addBelow(text, root, path, value, syntax)
  if (map.kind !== "map") return undefined
  const old = entryIn(map, from ?? key)
  if (old === undefined) return addTo(text, map, path, value, syntax)
  if (old.start < 0) return undefined
  const before = text.slice(old.start, old.end)
  const after =
    from === undefined || from === key
      ? withValue(text, old, syntax.value(value))
      : old.prefix + syntax.pair(key, value)
  if (after === before) return { text, change: null }
  return { text: splice(text, old.start, old.end, after), change: { kind: "replaced", path, before, after, value } }
}

/** Adds the maps on the way as well. */
function addBelow(
  text: string,
  root: PlacedMap,
  path: KeyPath,
  value: JsonValue,
  syntax: FileSyntax,
): Made | undefined {
  const [key = "", ...below] = path
  const inner = entryIn(root, key)?.value
  if (inner !== undefined) return undefined
  const nested = below.reduceRight<JsonValue>((within, name) => ({ [name]: within }), value)
  return addTo(text, root, [key], nested, syntax)
}

function addTo(text: string, map: PlacedMap, path: KeyPath, value: JsonValue, syntax: FileSyntax): Made | undefined {
  const added = syntax.addPair(text, map, path.at(-1) ?? "", value)
  if (added === undefined) return undefined
  const change: SetupChange = { kind: "added", path, text: added.text, value }
  return { text: splice(text, added.at, added.at, added.text), change }
}

function putWords(
  text: string,
  root: PlacedMap,
  { path, words, command }: Extract<ChangeStep, { kind: "words" }>,
  syntax: FileSyntax,
): Made | undefined {
  const list = nodeAt(root, path)
  if (list === undefined) return setPair(text, root, { kind: "set", path, value: words }, syntax)
  const added = list.kind === "list" ? syntax.addItems(text, list, words, "first") : undefined
  if (added === undefined) return undefined
  const change: SetupChange = { kind: "words", path, text: added.text, words, ...(command && { command }) }
  return { text: splice(text, added.at, added.at, added.text), change }
}

function addItem(
  text: string,
  root: PlacedMap,
  { path, item }: Extract<ChangeStep, { kind: "item" }>,
  syntax: FileSyntax,
): Made | undefined {
  const list = nodeAt(root, path)
  if (list === undefined) {
    // Maps on the way may be there already: the first that is missing is added with all below it.
    const missing = path.findIndex((_, at) => nodeAt(root, path.slice(0, at + 1)) === undefined)
    const map = nodeAt(root, path.slice(0, missing))
    const nested = path.slice(missing + 1).reduceRight<JsonValue>((within, name) => ({ [name]: within }), [item])
    return map?.kind === "map" ? addTo(text, map, path.slice(0, missing + 1), nested, syntax) : undefined
  }
  if (list.kind !== "list") return undefined
  if (list.items.some((each) => each.kind === "scalar" && each.value === item)) return { text, change: null }
  const added = syntax.addItems(text, list, [item], "last")
  if (added === undefined) return undefined
  const change: SetupChange = { kind: "item", path, text: added.text, item }
  return { text: splice(text, added.at, added.at, added.text), change }
}

function withValue(text: string, entry: PlacedEntry, value: string): string {
  return text.slice(entry.start, entry.value.start) + value + text.slice(entry.value.end, entry.end)
}
