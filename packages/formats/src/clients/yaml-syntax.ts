import type { JsonValue } from "@byleave/core"
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml"
import { flowText, keyText } from "../text/flow-text.ts"
import { addInBrackets } from "./bracket-layout.ts"
import type { FileSyntax, ReadPlaced } from "./file-syntax.ts"
import { endOfLine, lineBreakOf } from "./line-of.ts"
import type { PlacedEntry, PlacedMap, PlacedNode } from "./placed-tree.ts"

/** YAML 1.2, without aliases and tags where something is changed. */
export const yamlSyntax: FileSyntax = {
  read: readYamlPlaced,
  mapsStandAlone: false,
  value: (value) => flowText(value, false),
  pair: pairText,
  addPair: (text, map, key, value) => {
    if (!map.isBlock) return addInBrackets(text, map, map.entries, [pairText(key, value)], "last")
    const last = map.entries.at(-1)
    if (last === undefined) return undefined
    return {
      at: endOfLine(text, last.end),
      text: `${lineBreakOf(text)}${indentAt(text, map.start)}${pairText(key, value)}`,
    }
  },
  addItems: (text, list, items, where) => {
    if (!list.isBlock)
      return addInBrackets(
        text,
        list,
        list.items,
        items.map((item) => JSON.stringify(item)),
        where,
      )
    const gap = `${lineBreakOf(text)}${indentAt(text, list.start)}`
    const lines = items.map((item) => `- ${JSON.stringify(item)}`)
    if (where === "first") return { at: list.start, text: lines.map((line) => `${line}${gap}`).join("") }
    return { at: endOfLine(text, list.end), text: lines.map((line) => `${gap}${line}`).join("") }
  },
}

function pairText(key: string, value: JsonValue): string {
  return `${keyText(key, false)}: ${flowText(value, false)}`
}

/** As many spaces as stand, or could stand, before this offset on its line. */
function indentAt(text: string, offset: number): string {
  return " ".repeat(offset - (text.lastIndexOf("\n", offset - 1) + 1))
}

const longestYaml = 2_000_000

function readYamlPlaced(text: string): ReadPlaced {
  if (text.length > longestYaml) return { ok: false, line: 1, message: "This file is larger than 2 MB." }
  const lines = new LineCounter()
  const marked = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text
  const document = parseDocument(marked, { version: "1.2", schema: "core", prettyErrors: false, lineCounter: lines })
  const [error] = document.errors
  if (error !== undefined) {
    const message = `This is not YAML: ${error.message.split("\n")[0]}.`
    return { ok: false, line: lines.linePos(error.pos[0]).line, message }
  }
  const root = placed(document.contents)
  if (root?.kind === "map") return { ok: true, root }
  return { ok: false, line: 1, message: "This file does not hold a map of settings, or uses aliases or tags." }
}

/** Undefined where an alias, a tag or a key that is not text would have to be followed. */
function placed(node: unknown): PlacedNode | undefined {
  if (!isMap(node) && !isSeq(node) && !isScalar(node)) return undefined
  if (node.tag !== undefined) return undefined
  const range = { start: node.range?.[0] ?? 0, end: endOf(node) }
  if (isScalar(node)) return scalarOf(node.value, range)
  if (isSeq(node)) {
    const items = node.items.map(placed)
    const isWhole = items.every((item) => item !== undefined)
    return isWhole ? { kind: "list", ...range, items, isBlock: node.flow !== true } : undefined
  }
  const entries = node.items.map(entryOf)
  const isWhole = entries.every((entry) => entry !== undefined)
  return isWhole ? ({ kind: "map", ...range, entries, isBlock: node.flow !== true } satisfies PlacedMap) : undefined
}

function scalarOf(value: unknown, range: { readonly start: number; readonly end: number }): PlacedNode | undefined {
  const isPlain = value === null || ["string", "number", "boolean"].includes(typeof value)
  return isPlain ? { kind: "scalar", ...range, value: value as string | number | boolean | null } : undefined
}

function entryOf(pair: Pair<unknown, unknown>): PlacedEntry | undefined {
  const { key } = pair
  if (!isScalar(key) || key.value === "<<") return undefined
  const start = key.range?.[0] ?? 0
  const value: PlacedNode | undefined =
    pair.value === null ? { kind: "scalar", start, end: key.range?.[1] ?? 0, value: null } : placed(pair.value)
  if (value === undefined) return undefined
  return { key: String(key.value), prefix: "", start, end: value.end, value }
}

/** Where the written value ends, before comments that follow it. */
function endOf(node: Node): number {
  if (isMap(node) && node.flow !== true && node.items.length > 0) {
    const last = node.items.at(-1)
    return endOf((last?.value ?? last?.key) as Node)
  }
  if (isSeq(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1) as Node)
  return node.range?.[1] ?? 0
}
