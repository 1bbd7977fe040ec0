import type { TextPosition } from "../problem.ts"

/** Parsed text with a place at every node. Keys live in lists and maps, never as properties of an object. */
export type YamlNode = ScalarNode | ListNode | MapNode

export type ScalarNode = TextPosition & {
  readonly kind: "scalar"
  readonly value: string | number | boolean | null
  /** As it was written, for numbers that a double cannot hold. */
  readonly source: string
}

export type ListNode = TextPosition & { readonly kind: "list"; readonly items: readonly YamlNode[] }

export type MapNode = TextPosition & { readonly kind: "map"; readonly entries: readonly MapEntry[] }

/** The place is that of the key. */
export type MapEntry = TextPosition & { readonly key: string; readonly value: YamlNode }

/** The kind and value of a node, in words for people. */
export function describeNode(node: YamlNode): string {
  if (node.kind !== "scalar") return node.kind === "list" ? "a list" : "a map"
  if (node.value === null) return "nothing"
  if (typeof node.value === "string") return `the text ${JSON.stringify(shorten(node.value))}`
  return `${typeof node.value === "number" ? "the number" : "the value"} ${shorten(node.source)}`
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
