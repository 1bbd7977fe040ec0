/**
 * Puts a rule among `policy.rules` of a configuration's text, as the last of them, and touches nothing else of it: comments, order and spacing
 * are people's own. Reads only as much of YAML as it needs; where the text is written in another way than blocks, it says so and leaves it alone.
 */

export type Inserted =
  | {
      readonly ok: true
      readonly text: string /** The first and last line that are new, from 1. */
      readonly from: number
      readonly to: number
    }
  | { readonly ok: false; readonly why: string }

/** `rule` is a rule as it is written in the list, without its dash; it may have several lines. */
export function insertRule(text: string, rule: string): Inserted {
  const lines = text.split("\n")
  if (/^\s*[{[]/.test(text)) return byHand
  const policy = lines.findIndex((line) => /^policy\s*:/.test(line))
  if (policy < 0) return atTheEnd(lines, rule)
  if (isEmptyValue(lines[policy] ?? "", "{}")) return intoEmptyPolicy(lines, policy, rule)
  if (!isBlockKey(lines[policy] ?? "")) return byHand
  return intoPolicy(lines, policy, rule)
}

const byHand: Inserted = {
  ok: false,
  why: "The rule could not be inserted automatically. Copy it into your list of rules.",
}

function intoPolicy(lines: readonly string[], policy: number, rule: string): Inserted {
  const end = endOfBlock(lines, policy, 0)
  const step = childIndent(lines, policy, end) ?? 2
  const rules = lines.findIndex(
    (line, at) => at > policy && at < end && indentOf(line) === step && /^\s+rules\s*:/.test(line),
  )
  if (rules < 0) return splice(lines, policy + 1, 0, [`${" ".repeat(step)}rules:`, ...item(rule, step + 2)])
  const head = lines[rules] ?? ""
  if (isEmptyValue(head, "[]"))
    return splice(lines, rules, 1, [head.replace(/\s*\[\s*\]/, ""), ...item(rule, step + 2)])
  if (!isBlockKey(head)) return byHand
  return intoRules(lines, rules, step, rule)
}

/** The list's items may stand deeper than `rules:` or, as YAML lets them, right below it. */
function intoRules(lines: readonly string[], rules: number, step: number, rule: string): Inserted {
  const first = lines.findIndex((line, at) => at > rules && isCode(line))
  const isList = first >= 0 && indentOf(lines[first] ?? "") >= step && /^\s*-(\s|$)/.test(lines[first] ?? "")
  if (!isList) return splice(lines, rules + 1, 0, item(rule, step + 2))
  const indent = indentOf(lines[first] ?? "")
  let last = first
  for (let at = first; at < lines.length; at += 1) {
    const line = lines[at] ?? ""
    if (!isCode(line)) continue
    const isOfList = indentOf(line) > indent || (indentOf(line) === indent && /^\s*-(\s|$)/.test(line))
    if (!isOfList) break
    last = at
  }
  return splice(lines, last + 1, 0, item(rule, indent))
}

function intoEmptyPolicy(lines: readonly string[], policy: number, rule: string): Inserted {
  const head = (lines[policy] ?? "").replace(/\s*\{\s*\}/, "")
  return splice(lines, policy, 1, [head, "  rules:", ...item(rule, 4)])
}

function atTheEnd(lines: readonly string[], rule: string): Inserted {
  const last = lines.findLastIndex((line) => line.trim() !== "")
  return splice(lines, last + 1, 0, ["policy:", "  rules:", ...item(rule, 4)])
}

function splice(lines: readonly string[], at: number, removed: number, added: readonly string[]): Inserted {
  const rest = lines.slice(at + removed)
  const text = [...lines.slice(0, at), ...added, ...(rest.length === 0 ? [""] : rest)].join("\n")
  return { ok: true, text, from: at + 1, to: at + added.length }
}

function item(rule: string, indent: number): readonly string[] {
  const pad = " ".repeat(indent)
  const [first = "", ...more] = rule.trim().replace(/^-\s+/, "").split("\n")
  const shift = Math.min(...more.filter((line) => line.trim() !== "").map(indentOf))
  return [`${pad}- ${first}`, ...more.map((line) => `${pad}  ${line.slice(Number.isFinite(shift) ? shift : 0)}`)]
}

/** The line after the last one that belongs to the block that begins at `start`. */
function endOfBlock(lines: readonly string[], start: number, indent: number): number {
  const next = lines.findIndex((line, at) => at > start && isCode(line) && indentOf(line) <= indent)
  return next < 0 ? lines.length : next
}

function childIndent(lines: readonly string[], start: number, end: number): number | null {
  const child = lines.find((line, at) => at > start && at < end && isCode(line))
  return child === undefined ? null : indentOf(child)
}

function isCode(line: string): boolean {
  return !/^\s*(#|$)/.test(line)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** `key:` with nothing behind it but a comment. */
function isBlockKey(line: string): boolean {
  return /^\s*[\w]+\s*:\s*(#.*)?$/.test(line)
}

function isEmptyValue(line: string, empty: "{}" | "[]"): boolean {
  const value = empty === "{}" ? /^\s*\w+\s*:\s*\{\s*\}\s*(#.*)?$/ : /^\s*\w+\s*:\s*\[\s*\]\s*(#.*)?$/
  return value.test(line)
}
