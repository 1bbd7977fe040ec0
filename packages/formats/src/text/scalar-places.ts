import { isMap, isScalar, isSeq, type Node, parseDocument, type Scalar } from "yaml"
import { blankJsonExtras } from "./json-text.ts"

/** A key or a value that holds no others, where it stands in a text. */
export type ScalarPlace = {
  /** The names that lead to it; entries of lists by their number. A key stands under the names above it. */
  readonly path: readonly string[]
  readonly isKey: boolean
  readonly value: string
  /** Of what is written, without its quotes; of a block, its lines. */
  readonly start: number
  readonly end: number
}

/** The keys and values of a text that has been read before, in the order they stand in. Aliases are at their anchors only. */
export function scalarPlaces(text: string): readonly ScalarPlace[] {
  const options = { version: "1.2", schema: "core", merge: false, uniqueKeys: false, prettyErrors: false } as const
  const document = parseDocument(/^\s*[{[]/.test(text) ? blankJsonExtras(text) : text, options)
  const places: ScalarPlace[] = []
  const note = (node: Scalar, path: readonly string[], isKey: boolean): void => {
    const [from, to] = node.range ?? [0, 0]
    const quote = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE" ? 1 : 0
    const isBlock = node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED"
    const start = isBlock ? text.indexOf("\n", from) + 1 : from + quote
    const value = typeof node.value === "string" ? node.value : (node.source ?? "")
    if (to > from) places.push({ path, isKey, value, start, end: Math.max(start, to - quote) })
  }
  const walk = (node: Node | null, path: readonly string[]): void => {
    if (isScalar(node)) note(node, path, false)
    if (isSeq(node)) node.items.forEach((item, at) => void walk(item as Node | null, [...path, `${at}`]))
    if (!isMap(node)) return
    for (const { key, value } of node.items) {
      if (isScalar(key)) note(key, path, true)
      walk(value as Node | null, [...path, isScalar(key) ? String(key.value) : ""])
    }
  }
  walk(document.contents, [])
  return places
}
