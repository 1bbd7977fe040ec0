import { type ParseError, parse } from "jsonc-parser"
import type { Report } from "../../problem.ts"
import { readMap } from "../../read/fields.ts"
import { blankJsonExtras } from "../../text/json-text.ts"
import { readTree } from "../../text/read-tree.ts"
import type { MapEntry, MapNode, YamlNode } from "../../text/tree.ts"
import { readTomlTree } from "./toml-tree.ts"

/** A file of JSON, with or without comments, as a tree whose top is a map. */
export function readJsonFile(text: string, report: Report): MapNode | undefined {
  // Comments may stand before the first brace, by which JSON is told from YAML.
  const plain = blankJsonExtras(withoutMark(text))
  const top = topOf(plain, /^\s*\{/.test(plain) ? readTree(plain, report) : undefined, "JSON", report)
  return top === undefined || !isJson(plain, report) ? undefined : top
}

/** Whether a text whose nesting is known to be bounded is JSON: the tree's reader also takes YAML, such as keys without quotes. */
function isJson(text: string, report: Report): boolean {
  const wrong: ParseError[] = []
  parse(text, wrong, { allowTrailingComma: true })
  const [first] = wrong
  if (first === undefined) return true
  const before = text.slice(0, first.offset).split("\n")
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, path: "" }
  report.error(place, "syntax", "This is not valid JSON here. Put keys and texts in double quotes.")
  return false
}

export function readYamlFile(text: string, report: Report): MapNode | undefined {
  const plain = withoutMark(text)
  return topOf(plain, plain.trim() === "" ? undefined : readTree(plain, report), "YAML", report)
}

export function readTomlFile(text: string, report: Report): MapNode | undefined {
  return readTomlTree(withoutMark(text), report)
}

/** Editors on Windows leave a byte order mark; it says nothing. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "")
}

function topOf(text: string, tree: YamlNode | undefined, language: string, report: Report): MapNode | undefined {
  if (tree !== undefined) return readMap(tree, "this file", report)
  const start = { line: 1, column: 1, path: "" }
  const message = text.trim() === "" ? "This file is empty." : `This is not a file of ${language} with rules in it.`
  if (report.errors().length === 0) report.error(start, "syntax", message)
  return undefined
}

export function entryOf(map: MapNode | undefined, key: string): MapEntry | undefined {
  return map?.entries.find((entry) => entry.key === key)
}

/** The value of a key that is a switch; undefined where it is absent or something else. */
export function switchAt(map: MapNode | undefined, key: string): boolean | undefined {
  const node = entryOf(map, key)?.value
  return node?.kind === "scalar" && typeof node.value === "boolean" ? node.value : undefined
}

/** The map at a key; undefined where it is absent, or reported where it is something else. */
export function mapAt(map: MapNode | undefined, key: string, report: Report): MapNode | undefined {
  const entry = entryOf(map, key)
  return entry && readMap(entry.value, `\`${key}\``, report)
}

/** The entries of a map of servers. */
export function serverMaps(
  entry: MapEntry | undefined,
  report: Report,
): ReadonlyArray<{ readonly id: string; readonly entry: MapEntry; readonly map: MapNode }> {
  const servers = entry === undefined ? undefined : readMap(entry.value, `\`${entry.key}\``, report)
  return (servers?.entries ?? []).flatMap((server) => {
    const map = readMap(server.value, `the server \`${server.key}\``, report)
    return map === undefined ? [] : [{ id: server.key, entry: server, map }]
  })
}

/** The texts of a list, each with its place; none where the key is absent. */
export function textItems(
  entry: MapEntry | undefined,
  report: Report,
): ReadonlyArray<{ readonly text: string; readonly at: YamlNode }> {
  if (entry === undefined) return []
  if (entry.value.kind !== "list") {
    report.error(entry.value, "wrong-type", `\`${entry.key}\` must be a list of texts.`)
    return []
  }
  return entry.value.items.flatMap((at) => {
    if (at.kind === "scalar" && typeof at.value === "string" && at.value !== "") return [{ text: at.value, at }]
    report.error(at, "wrong-type", `Each entry of \`${entry.key}\` must be text.`)
    return []
  })
}
