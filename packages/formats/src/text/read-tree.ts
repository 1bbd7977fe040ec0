import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml"
import type { ConfigProblemCode, Report, TextPosition } from "../problem.ts"
import { blankJsonExtras } from "./json-text.ts"
import type { MapEntry, ScalarNode, YamlNode } from "./tree.ts"
import { syntaxFinding } from "./yaml-syntax.ts"

/**
 * Text to tree: the one place where YAML and JSON are parsed.
 *
 * I1. A key is never lost: duplicates, merge keys and keys that are not text are errors.
 * I2. The work is bounded by the text: aliases are followed only within a budget, nesting has a limit.
 * I3. No tag, directive or schema but YAML 1.2's core gives a value its type, and no number is NaN or infinite.
 */
export function readTree(text: string, report: Report): YamlNode | undefined {
  if (text.length > longestText) {
    report.error(start, "too-large", "This file is larger than 8 MB. Split the servers over several files.")
    return undefined
  }
  const lines = new LineCounter()
  const isJson = /^\s*[{[]/.test(text)
  // Duplicates are found below: the parser's own check takes quadratic time.
  const options = { version: "1.2", schema: "core", merge: false, uniqueKeys: false, prettyErrors: false } as const
  const document = parseDocument(isJson ? blankJsonExtras(text) : text, { ...options, lineCounter: lines })
  if (reportSyntax(document, text, lines, report)) return undefined
  if (document.contents === null) {
    report.error(start, "empty", emptyMessage)
    return undefined
  }
  return createWalk(lines, report)(document.contents, "", 0)
}

const longestText = 8_000_000
const deepest = 64
const mostNodes = 300_000
const mostSyntaxErrors = 20
const start: TextPosition = { line: 1, column: 1, path: "" }
const emptyMessage =
  'This file is empty. Write `version: 1` and, under `servers:`, one entry per MCP server, for example `files: { command: npx, args: ["-y", "@modelcontextprotocol/server-filesystem", "."] }`.'

function reportSyntax(document: Document.Parsed, text: string, lines: LineCounter, report: Report): boolean {
  if (document.directives?.yaml.explicit && document.directives.yaml.version !== "1.2") {
    report.error(start, "yaml-feature", "This file asks for an older YAML version. Remove the `%YAML` line.")
  }
  if (document.errors.some((error) => error.code === "RESOURCE_EXHAUSTION")) {
    report.error(start, "nesting", `This file is nested too deeply. Keep it within ${deepest} levels.`)
    return true
  }
  // One wrong character often upsets all that follows on its line.
  const byLine = new Map(document.errors.toReversed().map((error) => [lines.linePos(error.pos[0]).line, error]))
  const reported = new Set<number>()
  for (const error of [...byLine.values()].toReversed().slice(0, mostSyntaxErrors)) {
    const { offset, message } = syntaxFinding(error, document, text)
    const place = placeOf(lines, offset, "")
    if (!reported.has(place.line)) report.error(place, "syntax", message)
    reported.add(place.line)
  }
  return document.errors.length > 0
}

function placeOf(lines: LineCounter, offset: number, path: string): TextPosition {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1), path }
}

type Walk = (node: Node | null, path: string, depth: number) => YamlNode

function createWalk(lines: LineCounter, report: Report): Walk {
  const anchors = new Map<string, Node>()
  let budget = mostNodes

  const walk: Walk = (node, path, depth) => {
    const place = placeOf(lines, node?.range?.[0] ?? 0, path)
    const wrong = (code: ConfigProblemCode, message: string): YamlNode => {
      report.error(place, code, message)
      return { ...nothing(place, path), reported: true }
    }
    if (budget < 0) return { ...nothing(place, path), reported: true }
    if (budget === 0 || depth > deepest) {
      budget = -1
      return wrong("nesting", "Too much nesting, or repetition by aliases, here. Write it out flat.")
    }
    budget -= 1
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      return target === undefined ? wrong("syntax", strayAlias(node.source)) : walk(target, path, depth + 1)
    }
    if (node?.anchor !== undefined) anchors.set(node.anchor, node)
    if (node?.tag !== undefined) {
      return wrong("yaml-feature", `Tags such as \`${node.tag}\` are not read. Remove it; put text in quotes.`)
    }
    if (isMap(node)) return { kind: "map", ...place, entries: entriesOf(node.items, path, depth) }
    if (isSeq(node)) {
      const items = node.items.map((item, index) => walk(item as Node | null, `${path}[${index}]`, depth + 1))
      return { kind: "list", ...place, items }
    }
    return (
      scalarOf(node, place) ??
      wrong("bad-value", "This value cannot be used here. Write a number in digits, or text in quotes.")
    )
  }

  function entriesOf(pairs: readonly Pair<unknown, unknown>[], path: string, depth: number): readonly MapEntry[] {
    const seen = new Set<string>()
    const entries: MapEntry[] = []
    for (const pair of pairs) {
      const keyNode = pair.key as Node | null
      const place = placeOf(lines, keyNode?.range?.[0] ?? 0, path)
      const key = keyOf(keyNode, place, report)
      if (key === undefined) continue
      if (seen.has(key)) report.error(place, "duplicate-key", `\`${key}\` is written twice here. Keep one of them.`)
      seen.add(key)
      const below = path === "" ? key : `${path}.${key}`
      const value = pair.value === null ? nothing(place, below) : walk(pair.value as Node, below, depth + 1)
      entries.push({ ...place, path: below, key, value })
    }
    return entries
  }
  return walk
}

function keyOf(node: Node | null, place: TextPosition, report: Report): string | undefined {
  if (!isScalar(node) || typeof node.value !== "string" || node.tag !== undefined) {
    report.error(place, "wrong-type", "A key must be plain text here. Put it in quotes.")
    return undefined
  }
  if (node.value === "<<") {
    report.error(place, "yaml-feature", "Merge keys (`<<`) are not read. Write the keys out.")
    return undefined
  }
  return node.value
}

function scalarOf(node: Node | null, place: TextPosition): ScalarNode | undefined {
  if (!isScalar(node)) return nothing(place, place.path)
  const { value } = node
  const source = node.source ?? String(value)
  // 1e400 passes: where arguments are compared, its source text counts.
  if (typeof value === "number" && (Number.isNaN(value) || /inf/i.test(source))) return undefined
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return { kind: "scalar", ...place, value, source }
  }
  return undefined
}

function strayAlias(name: string): string {
  return `\`*${name}\` is a YAML alias to nothing. Put the text in quotes: \`"*${name}"\`.`
}

function nothing(place: TextPosition, path: string): ScalarNode {
  return { kind: "scalar", line: place.line, column: place.column, path, value: null, source: "" }
}
