import type { ApprovalView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import {
  argumentNames,
  asObject,
  type Breadth,
  type Condition,
  escapeGlob,
  isObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  keyOf,
  keySegments,
  literalOf,
  memberAt,
  parseTargetPattern,
  readJson,
} from "@byleave/core"
import { hasSecret } from "./has-secret.ts"

/** A pattern and conditions while somebody writes them. The server is fixed: a remembered answer is for the server it was given to. */
export type PatternDraft = {
  readonly tool: string
  readonly conditions: readonly ConditionDraft[]
  /** Only calls without other arguments than this call's. */
  readonly isClosed: boolean
}
export type ConditionDraft = {
  /** Tells lines apart; has no meaning. */
  readonly id: number
  readonly key: string
  readonly op: Condition["op"]
  readonly value: string
}

export type ReadPattern =
  | { readonly ok: true; readonly breadth: Breadth }
  | { readonly ok: false; readonly tool?: string; readonly conditions: ReadonlyMap<number, string> }

/** How many arguments a pattern begins with, and how long a value may be that a permission keeps. */
const mostAtFirst = 40
const longestKept = 10_000

/**
 * The first draft: this tool and all arguments of this call. Removing some makes it broader. Secrets are not kept in permissions, nor what is longer
 * than all else that they hold: `freeArguments` names them.
 */
export function firstPattern(approval: ApprovalView, effect: "allow" | "deny"): PatternDraft {
  const args = shownArguments(approval)
  const lines = comparableKeys(approval).map((key, at) => newCondition(approval, key, at + 1))
  const kept = lines.filter(({ key, value }) => value.length <= longestKept && !isSecret(args, key))
  return { tool: escapeGlob(approval.tool.tool), conditions: kept.slice(0, mostAtFirst), isClosed: effect === "allow" }
}

function isSecret(args: JsonObject | null, key: string): boolean {
  return hasSecret(key, valueAt(args, key) ?? null)
}

/** A new line about an argument, holding what the call says now. */
export function newCondition(approval: ApprovalView, key: string, id: number): ConditionDraft {
  const value = valueAt(shownArguments(approval), key)
  return { id, key, op: "equals", value: value === undefined ? "" : asTyped(value) }
}

export function readPattern(draft: PatternDraft, approval: ApprovalView): ReadPattern {
  const { server } = approval.tool
  const tool = toolProblem(server, draft.tool)
  const conditions = new Map<number, string>()
  const when: Condition[] = []
  for (const line of draft.conditions) {
    const read = readCondition(line, shownArguments(approval))
    if (typeof read === "string") conditions.set(line.id, read)
    else when.push(read)
  }
  const names = draft.isClosed ? givenNames(approval) : null
  if (names !== null) when.push({ key: "*", op: "only", names })
  if (tool !== null || conditions.size > 0) return { ok: false, conditions, ...(tool === null ? {} : { tool }) }
  const literal = literalOf(draft.tool)
  if (literal === approval.tool.tool && when.length === 0) return { ok: false, conditions, tool: everyCall }
  const conditional = when.length === 0 ? {} : { when }
  return {
    ok: true,
    breadth:
      literal === null
        ? { kind: "pattern", server, tool: draft.tool, ...conditional }
        : { kind: "tool", server, tool: literal, ...conditional },
  }
}

/** The names of this call's arguments; null: too many for a permission. */
export function givenNames(approval: ApprovalView): readonly string[] | null {
  const args = shownArguments(approval)
  return args === null ? null : argumentNames(args)
}

const everyCall =
  "This covers every call of this tool. Narrow the arguments, enter a pattern, or choose This tool above."

function toolProblem(server: string, tool: string): string | null {
  const parsed = parseTargetPattern(`${escapeGlob(server)}(${tool})`)
  if (!parsed.ok) return parsed.problem
  return parsed.pattern.kind === "tool" ? null : "Permissions can only cover tools. Enter a tool name."
}

function readCondition(line: ConditionDraft, args: JsonObject | null): Condition | string {
  const { key, op, value } = line
  const present = valueAt(args, key)
  switch (op) {
    case "equals":
      return { key, op, value: typedLike(value, present) }
    case "oneOf": {
      const values = parts(value, /\n/)
      return values.length === 0
        ? "Enter at least one value, one per line."
        : { key, op, values: values.map((part) => typedLike(part, present)) }
    }
    case "glob":
      return value === "" ? "Enter a pattern, such as *.md." : { key, op, pattern: value }
    case "under":
      return /^(\/|[A-Za-z]:[\\/])/.test(value)
        ? { key, op, folder: value }
        : "Enter an absolute folder path, such as /home/me/notes."
    case "directlyIn": {
      const folders = parts(value, /\n/)
      return folders.length > 0 && folders.every((folder) => /^(\/|[A-Za-z]:[\\/])/.test(folder))
        ? { key, op, folders }
        : "Enter an absolute folder path, such as /home/me/notes."
    }
    case "file":
      return /^(\/|[A-Za-z]:[\\/])/.test(value)
        ? { key, op, path: value }
        : "Enter an absolute file path, such as /home/me/notes/a.md."
    case "host": {
      const patterns = parts(value, /[\s,]/)
      return patterns.length === 0 ? "Enter at least one host, such as *.example.com." : { key, op, patterns }
    }
    case "sensitive":
      return { key, op, value: value.trim() === "true" }
    case "only":
      return { key, op, names: parts(value, /[\s,]/) }
    case "atMost":
    case "atLeast":
      return value.trim() !== "" && Number.isFinite(Number(value))
        ? { key, op, value: Number(value) }
        : "Enter a number."
  }
}

function parts(text: string, separator: RegExp): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

/** Text where the call has text; else what it reads as, and text when it reads as nothing. */
function typedLike(text: string, present: JsonValue | undefined): JsonValue {
  if (typeof present === "string") return text
  const read = readJson(text)
  return read.ok ? read.value : text
}

function asTyped(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** Which comparisons make sense for what an argument holds. */
export function opsFor(value: JsonValue | undefined): readonly Condition["op"][] {
  if (typeof value === "number" || isRawNumber(value)) return ["equals", "oneOf", "atMost", "atLeast"]
  if (typeof value === "string") {
    return /^[a-z][\w+.-]*:\/\//i.test(value)
      ? ["equals", "oneOf", "glob", "host"]
      : ["equals", "oneOf", "glob", "file", "under"]
  }
  return typeof value === "boolean" ? ["equals"] : ["equals", "oneOf"]
}

export const opWords = {
  equals: "is exactly",
  oneOf: "is one of",
  glob: "matches the pattern",
  under: "is in the folder",
  directlyIn: "is directly in the folder",
  file: "is the file",
  host: "is on the host",
  atMost: "is at most",
  atLeast: "is at least",
  sensitive: "looks sensitive",
  only: "has nothing but",
} as const satisfies Record<Condition["op"], string>

/** Dotted keys of the call's arguments that hold something to compare with, in their order. */
export function comparableKeys(approval: ApprovalView): readonly string[] {
  const walk = (value: JsonValue, segments: readonly string[]): readonly string[] => {
    const members = isObject(value) ? Object.entries(value) : []
    if (members.length === 0) return segments.length === 0 ? [] : [keyOf(segments)]
    return members.flatMap(([name, inner]) => walk(inner, [...segments, name]))
  }
  const args = shownArguments(approval)
  return args === null ? [] : walk(args, [])
}

/** The value under a dotted key of the arguments. Only own members count: agents choose the names. */
export function valueAt(args: JsonObject | null, key: string): JsonValue | undefined {
  let value: JsonValue | undefined = args ?? undefined
  for (const name of keySegments(key)) value = memberAt(asObject(value), name)
  return value
}
