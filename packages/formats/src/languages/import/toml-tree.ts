import { type AST, ParseError, parseTOML } from "toml-eslint-parser"
import type { Report, TextPosition } from "../../problem.ts"
import type { MapEntry, MapNode, ScalarNode, YamlNode } from "../../text/tree.ts"

/** The parser takes quadratic time in the number of tables. */
const longestToml = 256_000

/** TOML as the tree that YAML and JSON are read into, with the place of every value. */
export function readTomlTree(text: string, report: Report): MapNode | undefined {
  const start = { line: 1, column: 1, path: "" }
  if (text.length > longestToml) {
    report.error(start, "too-large", "This file is larger than 256 kB. Leave only the rules in it.")
    return undefined
  }
  try {
    return treeOf(parseTOML(text, { tomlVersion: "1.0" }).body[0])
  } catch (cause) {
    if (cause instanceof RangeError)
      report.error(start, "nesting", "This file is nested too deeply. Write it out flat.")
    else if (cause instanceof ParseError) {
      const place = { line: cause.lineNumber, column: cause.column + 1, path: "" }
      report.error(place, "syntax", `This is not TOML: ${cause.message}.`)
    } else throw cause
    return undefined
  }
}

type Table = TextPosition & { readonly kind: "map"; readonly entries: Map<string, Entry> }
type Tables = TextPosition & { readonly kind: "list"; readonly items: Built[] }
type Built = Table | Tables | ScalarNode
type Entry = TextPosition & { readonly key: string; value: Built }

function treeOf(top: AST.TOMLTopLevelTable): MapNode {
  const root = newTable({ line: 1, column: 1, path: "" })
  for (const part of top.body) {
    if (part.type === "TOMLKeyValue") setPair(root, part)
    else {
      const table = tableAt(root, part.resolvedKey, part)
      for (const pair of part.body) setPair(table, pair)
    }
  }
  return finished(root) as MapNode
}

function newTable(place: TextPosition): Table {
  return { kind: "map", ...place, entries: new Map() }
}

/** The table that a header names; a number is a place in an array of tables. */
function tableAt(root: Table, key: readonly (string | number)[], node: AST.TOMLNode): Table {
  let current: Built = root
  for (const [at, step] of key.entries()) {
    const isList = typeof key[at + 1] === "number"
    const path = pathTo(current.path, step)
    const place = placeOf(node, path)
    const made = (): Built => (isList ? { kind: "list", ...place, items: [] } : newTable(place))
    if (typeof step === "number" && current.kind === "list") {
      current.items[step] ??= made()
      current = current.items[step]
    } else if (typeof step === "string" && current.kind === "map") {
      const entry: Entry = current.entries.get(step) ?? { ...place, key: step, value: made() }
      current.entries.set(step, entry)
      current = entry.value
    }
  }
  return current.kind === "map" ? current : root
}

function setPair(table: Table, pair: AST.TOMLKeyValue): void {
  const keys = pair.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value))
  const last = keys.at(-1) ?? ""
  const inner = tableAt(table, keys.slice(0, -1), pair)
  const path = pathTo(inner.path, last)
  inner.entries.set(last, { ...placeOf(pair, path), key: last, value: builtFrom(pair.value, path) })
}

function builtFrom(node: AST.TOMLContentNode, path: string): Built {
  const place = placeOf(node, path)
  if (node.type === "TOMLArray") {
    return { kind: "list", ...place, items: node.elements.map((item, at) => builtFrom(item, pathTo(path, at))) }
  }
  if (node.type === "TOMLInlineTable") {
    const table = newTable(place)
    for (const pair of node.body) setPair(table, pair)
    return table
  }
  if (node.kind === "string" || node.kind === "boolean") return scalar(place, node.value, String(node.value))
  if (node.kind === "integer" || node.kind === "float") return scalar(place, Number(node.number), node.number)
  return scalar(place, node.datetime, node.datetime)
}

function scalar(place: TextPosition, value: ScalarNode["value"], source: string): ScalarNode {
  return { kind: "scalar", ...place, value, source }
}

function placeOf(node: AST.TOMLNode, path: string): TextPosition {
  return { line: node.loc.start.line, column: node.loc.start.column + 1, path }
}

function pathTo(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`
  return path === "" ? step : `${path}.${step}`
}

function finished(node: Built): YamlNode {
  if (node.kind === "scalar") return node
  if (node.kind === "list") return { ...node, items: node.items.map(finished) }
  const entries = [...node.entries.values()].map((entry): MapEntry => ({ ...entry, value: finished(entry.value) }))
  return { ...node, entries }
}
