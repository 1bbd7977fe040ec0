import type { JsonValue } from "@byleave/core"
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import { addInBrackets } from "./bracket-layout.ts"
import type { FileSyntax, ReadPlaced } from "./file-syntax.ts"
import { lineOf } from "./line-of.ts"
import type { PlacedEntry, PlacedNode } from "./placed-tree.ts"

/** JSON with comments and trailing commas, as these programs read it. */
export const jsonSyntax: FileSyntax = {
  read: readJsonPlaced,
  mapsStandAlone: true,
  value: oneLineJson,
  pair: (key, value) => `${JSON.stringify(key)}: ${oneLineJson(value)}`,
  addPair: (text, map, key, value) =>
    addInBrackets(text, map, map.entries, [`${JSON.stringify(key)}: ${oneLineJson(value)}`], "last"),
  addItems: (text, list, items, where) => {
    const added = items.map((item) => JSON.stringify(item))
    return addInBrackets(text, list, list.items, added, where)
  },
}

function readJsonPlaced(text: string): ReadPlaced {
  const errors: ParseError[] = []
  const marked = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text
  const tree = parseTree(marked, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) {
    const message = `This is not JSON: ${wordsOf(printParseErrorCode(error.error))}.`
    return { ok: false, line: lineOf(text, error.offset), message }
  }
  if (tree?.type !== "object") return { ok: false, line: 1, message: "This file does not hold a JSON object." }
  const twice = duplicateKey(tree)
  if (twice !== undefined) {
    const message = `${JSON.stringify(twice.value)} is written twice here. Keep one of them.`
    return { ok: false, line: lineOf(text, twice.offset), message }
  }
  const root = placed(tree)
  return root.kind === "map" ? { ok: true, root } : { ok: false, line: 1, message: "This file is no JSON object." }
}

function placed(node: Node): PlacedNode {
  const range = { start: node.offset, end: node.offset + node.length }
  const children = node.children ?? []
  if (node.type === "array") return { kind: "list", ...range, items: children.map(placed), isBlock: false }
  if (node.type !== "object") return { kind: "scalar", ...range, value: node.value }
  const entries = children.flatMap((pair): readonly PlacedEntry[] => {
    const [key, value] = pair.children ?? []
    if (key === undefined || value === undefined) return []
    return [
      {
        key: String(key.value),
        prefix: "",
        start: pair.offset,
        end: value.offset + value.length,
        value: placed(value),
      },
    ]
  })
  return { kind: "map", ...range, entries, isBlock: false }
}

/** The first key that a map has twice: which of the two counts, programs disagree about. */
function duplicateKey(node: Node): Node | undefined {
  const seen = new Set<string>()
  for (const child of node.children ?? []) {
    const key = child.type === "property" ? child.children?.[0] : undefined
    if (key !== undefined && seen.has(String(key.value))) return key
    if (key !== undefined) seen.add(String(key.value))
    const below = child.type === "property" ? child.children?.[1] : child
    const found = below === undefined ? undefined : duplicateKey(below)
    if (found !== undefined) return found
  }
  return undefined
}

/** `CommaExpected` as words. */
function wordsOf(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()
}

/** A value on one line, spaced as people write it. */
function oneLineJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => oneLineJson(item)).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${oneLineJson(item as JsonValue)}`)
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`
}
