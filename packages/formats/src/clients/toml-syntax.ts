import type { JsonValue } from "@byleave/core"
import { type AST, ParseError, parseTOML } from "toml-eslint-parser"
import { tomlKey, tomlText } from "../languages/export/toml-text.ts"
import { addInBrackets } from "./bracket-layout.ts"
import type { FileSyntax, Insertion, ReadPlaced } from "./file-syntax.ts"
import { endOfLine, lineBreakOf } from "./line-of.ts"
import type { PlacedMap, PlacedNode, TextRange } from "./placed-tree.ts"

/** TOML 1.0. */
export const tomlSyntax: FileSyntax = {
  read: readTomlPlaced,
  mapsStandAlone: false,
  value: tomlValue,
  pair: (key, value) => `${tomlKey(key)} = ${tomlValue(value)}`,
  addPair: (text, map, key, value) => {
    const pair = `${tomlKey(key)} = ${tomlValue(value)}`
    if (!map.isBlock) return addInBrackets(text, map, map.entries, [pair], "last")
    return addLine(text, map, pair)
  },
  addItems: (text, list, items, where) => addInBrackets(text, list, list.items, items.map(tomlText), where),
}

/** Adds a line after the last pair of a table; tables below it come after that. */
function addLine(text: string, map: PlacedMap, pair: string): Insertion | undefined {
  const last = map.entries.findLast(({ end, value }) => end > 0 && !(value.kind === "map" && value.isBlock))
  if (last === undefined) return undefined
  const before = text.slice(text.lastIndexOf("\n", last.start - 1) + 1, last.start)
  const indent = before.trim() === "" ? before : ""
  return { at: endOfLine(text, last.end), text: `${lineBreakOf(text)}${indent}${last.prefix}${pair}` }
}

type Table = TextRange & { readonly kind: "map"; readonly isBlock: boolean; readonly entries: Map<string, Entry> }
type List = TextRange & { readonly kind: "list"; readonly isBlock: boolean; readonly items: Built[] }
type Built = Table | List | (PlacedNode & { readonly kind: "scalar" })
type Entry = TextRange & { readonly key: string; readonly prefix: string; readonly value: Built }

const nowhere = { start: -1, end: -1 }
/** The parser takes quadratic time in the number of tables. */
const longestToml = 256_000

function readTomlPlaced(text: string): ReadPlaced {
  if (text.length > longestToml) return { ok: false, line: 1, message: "This file is larger than 256 kB." }
  const marked = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text
  try {
    const root = newTable(nowhere, true)
    for (const part of parseTOML(marked, { tomlVersion: "1.0" }).body[0].body) {
      if (part.type === "TOMLKeyValue") setPair(root, part, marked)
      else {
        const table = tableAt(root, part.resolvedKey, true)
        for (const pair of part.body) setPair(table, pair, marked)
      }
    }
    return { ok: true, root: finished(root) as PlacedMap }
  } catch (cause) {
    if (cause instanceof RangeError) return { ok: false, line: 1, message: "This file is nested too deeply." }
    if (!(cause instanceof ParseError)) throw cause
    return { ok: false, line: cause.lineNumber, message: `This is not TOML: ${cause.message}.` }
  }
}

function newTable(range: TextRange, isBlock: boolean): Table {
  return { kind: "map", ...range, isBlock, entries: new Map() }
}

/** The table that keys lead to; a number is a place in an array of tables. */
function tableAt(root: Table, keys: readonly (string | number)[], isBlock: boolean): Table {
  let current: Built = root
  for (const [at, key] of keys.entries()) {
    const made = (): Built =>
      typeof keys[at + 1] === "number" ? { kind: "list", ...nowhere, isBlock, items: [] } : newTable(nowhere, isBlock)
    if (typeof key === "number" && current.kind === "list") {
      const item: Built = current.items[key] ?? made()
      current.items[key] = item
      current = item
    } else if (typeof key === "string" && current.kind === "map") {
      const entry: Entry = current.entries.get(key) ?? { ...nowhere, key, prefix: "", value: made() }
      current.entries.set(key, entry)
      current = entry.value
    }
  }
  return current.kind === "map" ? current : root
}

function setPair(table: Table, pair: AST.TOMLKeyValue, text: string): void {
  const parts = pair.key.keys
  const keys = parts.map((key) => (key.type === "TOMLBare" ? key.name : key.value))
  const last = parts.at(-1)
  if (last === undefined) return
  const inner = tableAt(table, keys.slice(0, -1), table.isBlock)
  const [start, end] = pair.range
  const key = keys.at(-1) ?? ""
  inner.entries.set(key, { start, end, key, prefix: text.slice(start, last.range[0]), value: built(pair.value, text) })
}

function built(node: AST.TOMLContentNode, text: string): Built {
  const range = { start: node.range[0], end: node.range[1] }
  if (node.type === "TOMLArray") {
    return { kind: "list", ...range, isBlock: false, items: node.elements.map((item) => built(item, text)) }
  }
  if (node.type === "TOMLInlineTable") {
    const table = newTable(range, false)
    for (const pair of node.body) setPair(table, pair, text)
    return table
  }
  if (node.kind === "string" || node.kind === "boolean") return { kind: "scalar", ...range, value: node.value }
  if (node.kind === "integer" || node.kind === "float") return { kind: "scalar", ...range, value: Number(node.number) }
  return { kind: "scalar", ...range, value: node.datetime }
}

function finished(node: Built): PlacedNode {
  if (node.kind === "scalar") return node
  if (node.kind === "list") return { ...node, items: node.items.map(finished) }
  return { ...node, entries: [...node.entries.values()].map((entry) => ({ ...entry, value: finished(entry.value) })) }
}

function tomlValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => tomlValue(item)).join(", ")}]`
  if (typeof value === "string") return tomlText(value)
  if (typeof value !== "object" || value === null) return String(value)
  const pairs = Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item as JsonValue)}`)
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`
}
