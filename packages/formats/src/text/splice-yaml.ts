import type { JsonValue } from "@byleave/core"
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml"
import { flowText, itemLines, keyText } from "./flow-text.ts"

/**
 * Changes one value within YAML text by cutting and pasting, so that all other characters stay as they are.
 * Each gives the new text, or undefined where the text is laid out in a way this cannot follow.
 * None checks the result: `editConfig` does.
 */
export type Splice = (text: string) => string | undefined

/** Sets what a path of keys leads to; makes the maps on the way. A list of maps is written as lines. */
export function setValue(path: readonly string[], value: JsonValue): Splice {
  return (text) => {
    const found = follow(text, path)
    if (found === undefined) return undefined
    if (found.rest.length === 0 && found.pair !== undefined) return replaceValue(text, found.pair, value)
    const [key, ...below] = found.rest
    if (key === undefined) return undefined
    return addPair(text, found.map, key, below, value)
  }
}

export function removeKey(path: readonly string[]): Splice {
  return (text) => {
    const found = follow(text, path)
    if (found?.pair === undefined || found.rest.length > 0) return text
    return removePair(text, found.map, found.pair)
  }
}

export function appendItems(path: readonly string[], items: readonly JsonValue[]): Splice {
  return (text) => {
    const list = listAt(text, path)
    if (list === undefined || list.items.length === 0) return setValue(path, items)(text)
    const last = list.items.at(-1) as Node
    if (list.flow) {
      const pieces = items.map((item) => `, ${flowText(item, isJson(text))}`)
      return paste(text, endOf(last), endOf(last), pieces.join(""))
    }
    const end = lineEnd(text, endOf(last))
    const indent = columnOf(text, startOf(list))
    const lines = items.flatMap((item) => itemLines(item, indent))
    return paste(text, end, end, `${newlineBefore(text, end)}${lines.join("\n")}\n`)
  }
}

export function replaceItem(path: readonly string[], index: number, item: JsonValue): Splice {
  return (text) => {
    const list = listAt(text, path)
    const old = list?.items[index] as Node | undefined
    if (list === undefined || !old) return undefined
    if (list.flow) return paste(text, startOf(old), endOf(old), flowText(item, isJson(text)))
    const indent = columnOf(text, startOf(list))
    const first = text.lastIndexOf("\n", startOf(old)) + 1
    const kept = commentsIn(text.slice(startOf(old), endOf(old))).map((comment) => `${" ".repeat(indent)}${comment}\n`)
    const lines = itemLines(item, indent).join("\n")
    return paste(text, first, endOf(old), kept.join("") + lines + (text[endOf(old) - 1] === "\n" ? "\n" : ""))
  }
}

export function removeItem(path: readonly string[], index: number): Splice {
  return (text) => {
    const list = listAt(text, path)
    const old = list?.items[index] as Node | undefined
    if (list === undefined || !old) return undefined
    const others = list.items as readonly Node[]
    if (list.flow) return cutBetween(text, startOf(old), endOf(old), others[index + 1], others[index - 1])
    const first = text.lastIndexOf("\n", startOf(old)) + 1
    // A key with nothing below it would be no list any more.
    const instead = others.length === 1 ? `${" ".repeat(columnOf(text, startOf(list)) + 2)}[]\n` : ""
    return paste(text, first, lineEnd(text, endOf(old)), instead)
  }
}

type Found = {
  /** The innermost map on the way. */
  readonly map: YAMLMap
  /** The pair that `path` names, when all of it is there. */
  readonly pair: Pair<unknown, unknown> | undefined
  readonly rest: readonly string[]
}

function follow(text: string, path: readonly string[]): Found | undefined {
  let map = parseDocument(text).contents as unknown
  for (const [depth, key] of path.entries()) {
    if (!isMap(map)) return undefined
    const pair = pairOf(map, key)
    const rest = path.slice(depth)
    if (pair === undefined) return { map, pair, rest }
    if (depth === path.length - 1) return { map, pair, rest: [] }
    map = pair.value
  }
  return undefined
}

function pairOf(map: YAMLMap, key: string): Pair<unknown, unknown> | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
}

function listAt(text: string, path: readonly string[]): YAMLSeq | undefined {
  const list = follow(text, path)?.pair?.value
  return isSeq(list) ? list : undefined
}

function replaceValue(text: string, pair: Pair<unknown, unknown>, value: JsonValue): string {
  const old = pair.value as Node | null
  const key = pair.key as Node
  if (old === null || startOf(old) === endOf(old)) {
    const colon = text.indexOf(":", endOf(key)) + 1
    return paste(text, colon, colon, ` ${flowText(value, isJson(text))}`)
  }
  const ending = text[endOf(old) - 1] === "\n" ? "\n" : ""
  return paste(text, startOf(old), endOf(old), flowText(value, isJson(text)) + ending)
}

function addPair(text: string, map: YAMLMap, key: string, below: readonly string[], value: JsonValue): string {
  const last = map.items.at(-1)
  if (map.flow || last === undefined) {
    const nested = below.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value)
    const pair = `${keyText(key, isJson(text))}: ${flowText(nested, isJson(text))}`
    const at = last === undefined ? startOf(map) + 1 : endOfPair(last)
    return paste(text, at, at, last === undefined ? ` ${pair} ` : `, ${pair}`)
  }
  const end = lineEnd(text, endOfPair(last))
  const indent = columnOf(text, startOf(map))
  return paste(text, end, end, `${newlineBefore(text, end)}${pairLines(key, below, value, indent).join("\n")}\n`)
}

function removePair(text: string, map: YAMLMap, pair: Pair<unknown, unknown>): string {
  const start = startOf(pair.key as Node)
  if (map.flow) {
    const at = map.items.indexOf(pair)
    const keys = map.items.map((other) => other.key as Node)
    return cutBetween(text, start, endOfPair(pair), keys[at + 1], map.items[at - 1])
  }
  const instead = map.items.length === 1 ? `${" ".repeat(columnOf(text, startOf(map)))}{}\n` : ""
  return paste(text, text.lastIndexOf("\n", start) + 1, lineEnd(text, endOfPair(pair)), instead)
}

/** Cuts one entry out of a flow collection, with the comma that goes with it. */
function cutBetween(
  text: string,
  start: number,
  end: number,
  next: Node | undefined,
  previous: Node | Pair<unknown, unknown> | undefined,
): string {
  if (next !== undefined) return paste(text, start, startOf(next), "")
  if (previous === undefined) return paste(text, start, end, "")
  return paste(text, "key" in previous ? endOfPair(previous as Pair) : endOf(previous as Node), end, "")
}

function pairLines(key: string, below: readonly string[], value: JsonValue, indent: number): readonly string[] {
  const head = `${" ".repeat(indent)}${keyText(key, false)}:`
  const [next, ...rest] = below
  if (next !== undefined) return [head, ...pairLines(next, rest, value, indent + 2)]
  if (!Array.isArray(value) || value.length === 0) return [`${head} ${flowText(value, false)}`]
  return [head, ...value.flatMap((item: JsonValue) => itemLines(item, indent + 2))]
}

function commentsIn(text: string): readonly string[] {
  return [...new Lexer().lex(text)].filter((token) => token.startsWith("#"))
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0
}

/** Where the written value ends, before any comment that follows it. */
function endOf(node: Node): number {
  if (isMap(node) && !node.flow && node.items.length > 0) return endOfPair(node.items.at(-1) as Pair<unknown, unknown>)
  if (isSeq(node) && !node.flow && node.items.length > 0) return endOf(node.items.at(-1) as Node)
  if (isAlias(node)) return startOf(node) + node.source.length + 1
  return node.range?.[1] ?? 0
}

function endOfPair(pair: Pair<unknown, unknown>): number {
  return endOf((pair.value ?? pair.key) as Node)
}

/** The start of the line after the one that `offset` ends on. */
function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") return offset
  const newline = text.indexOf("\n", offset)
  return newline < 0 ? text.length : newline + 1
}

function newlineBefore(text: string, offset: number): string {
  return offset === 0 || text[offset - 1] === "\n" ? "" : "\n"
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1)
}

function isJson(text: string): boolean {
  return /^\s*\{/.test(text)
}

function paste(text: string, start: number, end: number, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end)
}
