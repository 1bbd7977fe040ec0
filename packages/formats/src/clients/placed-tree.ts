import type { JsonValue } from "@byleave/core"

/** Where something stands in a text: offsets of its first character and of the one after its last. */
export type TextRange = { readonly start: number; readonly end: number }

/** Parsed text with the range of every value, so that it can be changed without touching the rest. */
export type PlacedNode = PlacedScalar | PlacedList | PlacedMap

export type PlacedScalar = TextRange & {
  readonly kind: "scalar"
  readonly value: string | number | boolean | null
}

/** `isBlock`: written as lines, without brackets. */
export type PlacedList = TextRange & {
  readonly kind: "list"
  readonly items: readonly PlacedNode[]
  readonly isBlock: boolean
}

/** The range of a TOML table means nothing: its lines may stand in several places. */
export type PlacedMap = TextRange & {
  readonly kind: "map"
  readonly entries: readonly PlacedEntry[]
  readonly isBlock: boolean
}

/** A key and its value; the range is that of both together. */
export type PlacedEntry = TextRange & {
  readonly key: string
  /** The text before the last part of a dotted key, e.g. `mcp_servers.files.`; empty elsewhere. */
  readonly prefix: string
  readonly value: PlacedNode
}

/** Keys, from the top of a file. */
export type KeyPath = readonly string[]

export function entryIn(map: PlacedNode | undefined, key: string): PlacedEntry | undefined {
  return map?.kind === "map" ? map.entries.find((entry) => entry.key === key) : undefined
}

export function nodeAt(root: PlacedNode, path: KeyPath): PlacedNode | undefined {
  return path.reduce<PlacedNode | undefined>((node, key) => entryIn(node, key)?.value, root)
}

/** The texts of a list; undefined where it is no list, or holds anything else. */
export function textsOf(node: PlacedNode | undefined): readonly string[] | undefined {
  if (node?.kind !== "list") return undefined
  const texts = node.items.map(textOf)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

export function textOf(node: PlacedNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined
}

/** The data of a node without its layout, for comparisons; maps become sorted pairs, so that no key is special. */
export function dataOf(node: PlacedNode, leaveOut: (path: KeyPath) => boolean, path: KeyPath = []): JsonValue {
  if (node.kind === "scalar") return node.value
  if (node.kind === "list") return node.items.map((item, at) => dataOf(item, leaveOut, [...path, String(at)]))
  return node.entries
    .filter(({ key }) => !leaveOut([...path, key]))
    .toSorted(byKey)
    .map(({ key, value }): JsonValue => [key, dataOf(value, leaveOut, [...path, key])])
}

export function byKey(one: { readonly key: string }, other: { readonly key: string }): number {
  return one.key < other.key ? -1 : 1
}

export function splice(text: string, start: number, end: number, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end)
}
