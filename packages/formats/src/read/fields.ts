import type { Report, TextPosition } from "../problem.ts"
import {
  describeNode,
  type ListNode,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type YamlNode,
} from "../text/tree.ts"
import { nearestWord } from "./did-you-mean.ts"
import { parseDuration } from "./duration.ts"

/** The entries of a map by key, once every key is known to be one of those that may stand there. */
export type Fields = { readonly node: MapNode; readonly get: (key: string) => YamlNode | undefined }

export type KeyRules = {
  /** The kind of map, for messages: "a rule". */
  readonly what: string
  readonly keys: readonly string[]
  /** `warn` for files other programs own: they may hold what does not concern us. */
  readonly unknown?: "error" | "warn"
}

/** Reads a node as a map with only known keys; says what to write for every other one. */
export function readFields(node: YamlNode, rules: KeyRules, report: Report): Fields | undefined {
  const map = readMap(node, rules.what, report)
  if (map === undefined) return undefined
  const known = new Set(rules.keys)
  for (const entry of map.entries) {
    if (!known.has(entry.key)) reportUnknown(entry, rules, report)
  }
  const byKey = new Map(map.entries.map((entry) => [entry.key, entry.value]))
  return { node: map, get: (key) => byKey.get(key) }
}

function reportUnknown(entry: MapEntry, rules: KeyRules, report: Report): void {
  const habit = otherWords.get(entry.key.toLowerCase())
  const nearest = habit !== undefined && rules.keys.includes(habit) ? habit : nearestWord(entry.key, rules.keys)
  const advice =
    nearest === undefined ? `${rules.what} may have: ${rules.keys.join(", ")}.` : `Did you mean \`${nearest}\`?`
  if (rules.unknown === "warn") {
    const guess = nearest === undefined ? "" : ` ${advice}`
    report.warn(entry, "unused-key", `\`${entry.key}\` is not used by Byleave.${guess}`)
  } else {
    report.error(entry, "unknown-key", `\`${entry.key}\` is not known here. ${upperFirst(advice)}`)
  }
}

/** Other products' words for our keys, too far from our word to be a slip of the pen, or nearer to another one. */
const otherWords = new Map([
  ["cmd", "command"],
  ["program", "command"],
  ["arguments", "args"],
  ["environment", "env"],
  ["dir", "cwd"],
  ["uri", "url"],
  ["endpoint", "url"],
])

export function readMap(node: YamlNode, what: string, report: Report): MapNode | undefined {
  if (node.kind === "map") return node
  report.error(
    node,
    "wrong-type",
    `${upperFirst(what)} must be a map (\`key: value\`), but this is ${describeNode(node)}.`,
  )
  return undefined
}

export function readList(node: YamlNode, what: string, report: Report): ListNode | undefined {
  if (node.kind === "list") return node
  report.error(
    node,
    "wrong-type",
    `${upperFirst(what)} must be a list (\`[a, b]\`), but this is ${describeNode(node)}.`,
  )
  return undefined
}

/** Text that is not empty. */
export function readText(node: YamlNode, what: string, report: Report): string | undefined {
  if (node.kind === "scalar" && typeof node.value === "string" && node.value !== "") return node.value
  const quote =
    node.kind === "scalar" && node.value !== null && node.value !== "" ? ` Put it in quotes: "${node.source}".` : ""
  report.error(node, "wrong-type", `${upperFirst(what)} must be text, but this is ${describeNode(node)}.${quote}`)
  return undefined
}

export function readTexts(node: YamlNode, what: string, report: Report): readonly string[] | undefined {
  const list = readList(node, what, report)
  const texts = list?.items.map((item) => readText(item, `each entry of ${what}`, report))
  return texts?.every((text) => text !== undefined) ? texts : undefined
}

export function readBoolean(node: YamlNode, what: string, report: Report): boolean | undefined {
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value
  report.error(
    node,
    "wrong-type",
    `${upperFirst(what)} must be \`true\` or \`false\`, but this is ${describeNode(node)}.`,
  )
  return undefined
}

/** A whole number no smaller than `least` that a double holds exactly. */
export function readCount(node: YamlNode, what: string, least: number, report: Report): number | undefined {
  const value = node.kind === "scalar" ? node.value : undefined
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value
  const message = `${upperFirst(what)} must be a whole number, ${least} or more, but this is ${describeNode(node)}.`
  report.error(node, typeof value === "number" ? "bad-value" : "wrong-type", message)
  return undefined
}

const sizeUnits: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["kb", 1_000],
  ["mb", 1_000_000],
  ["gb", 1_000_000_000],
])

/** A number of bytes: `32MB`, `500kB`, or a plain number. */
export function readSize(node: YamlNode, what: string, report: Report): number | undefined {
  const value = node.kind === "scalar" ? node.value : undefined
  const [, digits, unit] =
    /^(\d{1,9})\s*([kmg]?b)?$/i.exec(typeof value === "number" ? `${value}` : `${value ?? ""}`) ?? []
  const bytes =
    Number(digits) * (sizeUnits.get((unit ?? "").toLowerCase()) ?? (unit?.toLowerCase() === "b" ? 1 : Number.NaN))
  if (Number.isSafeInteger(bytes) && bytes >= 1) return bytes
  const message = `${upperFirst(what)} must be a size such as 32MB or 500kB, but this is ${describeNode(node)}.`
  report.error(node, "bad-value", message)
  return undefined
}

export function readWord<W extends string>(
  node: YamlNode,
  what: string,
  words: readonly W[],
  report: Report,
): W | undefined {
  const value = node.kind === "scalar" ? node.value : undefined
  const word = words.find((candidate) => candidate === value)
  if (word !== undefined) return word
  const nearest = typeof value === "string" ? nearestWord(value, words) : undefined
  const advice = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`
  const choice = words.map((candidate) => `\`${candidate}\``).join(" or ")
  report.error(node, "bad-value", `${upperFirst(what)} must be ${choice}, but this is ${describeNode(node)}.${advice}`)
  return undefined
}

export function readDuration(node: YamlNode, what: string, report: Report): number | undefined {
  const value = node.kind === "scalar" ? node.value : undefined
  const ms = typeof value === "string" ? parseDuration(value) : undefined
  if (ms === undefined) {
    const message = `${upperFirst(what)} must be a time such as 50s, 30m, 8h or 2d, but this is ${describeNode(node)}.`
    report.error(node, "bad-value", message)
  }
  return ms
}

/** A duration, or `never` for no end, which is null. */
export function readWait(node: YamlNode, what: string, report: Report): number | null | undefined {
  if (node.kind === "scalar" && node.value === "never") return null
  const value = node.kind === "scalar" && typeof node.value === "string" ? parseDuration(node.value) : undefined
  if (value === undefined) {
    report.error(
      node,
      "bad-value",
      `${upperFirst(what)} must be a time such as 30m, 8h or 90d, or \`never\`, but this is ${describeNode(node)}.`,
    )
  }
  return value
}

/** The value read by `read` when the key is there. */
export function optional<T>(node: YamlNode | undefined, read: (node: YamlNode) => T | undefined): T | undefined {
  return node === undefined ? undefined : read(node)
}

/** `{ [key]: value }`, or nothing when there is no value: optional properties are absent, never undefined. */
export function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
}

export function requireKey(map: TextPosition, key: string, what: string, report: Report): void {
  report.error(map, "missing-key", `${upperFirst(what)} needs \`${key}\`.`)
}

export function isNothing(node: YamlNode): node is ScalarNode & { value: null } {
  return node.kind === "scalar" && node.value === null
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
