import {
  type AccessBreadth,
  type ClassifyRule,
  type Effect,
  parseTargetPattern,
  type Rule,
  type RuleOrigin,
  type TargetPattern,
} from "@byleave/core"
import type { TextPosition } from "../problem.ts"
import { describeNode, type YamlNode } from "../text/tree.ts"
import {
  type Fields,
  given,
  optional,
  readCount,
  readFields,
  readText,
  readTexts,
  readWait,
  readWord,
} from "./fields.ts"
import { readConditions } from "./read-conditions.ts"
import type { Reading } from "./reading.ts"

const effects = ["hide", "deny", "ask", "allow"] as const satisfies readonly Effect[]
const matching = ["access", "principal", "reason"] as const
const asking = ["approvals", "remember", "reviewers", "wait"] as const
const accessWords = ["read", "write", "all"] as const satisfies readonly AccessBreadth[]
const ruleKeys = [...effects, "when", ...matching, ...asking]

/** One entry of `policy.rules`. */
export function readRule(node: YamlNode, id: string, reading: Reading): Rule | undefined {
  const fields = readFields(node, { what: "a rule", keys: ruleKeys }, reading.report)
  if (fields === undefined) return undefined
  const effect = theEffect(fields, reading)
  return effect === undefined ? undefined : readRuleOf(effect, fields, id, reading)
}

function readRuleOf(effect: Effect, fields: Fields, id: string, reading: Reading): Rule | undefined {
  const { report } = reading
  refuseKeys(effect, fields, reading)
  const target = optional(fields.get(effect), (written) => readTarget(written, reading))
  const when = given(
    "when",
    optional(fields.get("when"), (conditions) => readConditions(conditions, reading)),
  )
  const asks = readAsking(fields, reading)
  const shared = {
    id,
    ...given(
      "access",
      optional(fields.get("access"), (word) => readWord(word, "`access`", accessWords, report)),
    ),
    ...given(
      "principal",
      optional(fields.get("principal"), (text) => readText(text, "`principal`", report)),
    ),
    ...given(
      "reason",
      optional(fields.get("reason"), (text) => readReason(text, reading)),
    ),
    origin: originOf(fields.node, reading),
  }
  if (target === undefined) return undefined
  switch (effect) {
    case "hide":
      return { effect, target, ...shared }
    case "deny":
    case "allow":
      return { effect, target, ...shared, ...when }
    case "ask":
      return { effect, target, ...shared, ...when, ...asks }
  }
}

/** One entry of `policy.classify`. */
export function readClassify(node: YamlNode, reading: Reading): ClassifyRule | undefined {
  const fields = readFields(node, { what: "an entry of `classify`", keys: ["read", "write"] }, reading.report)
  if (fields === undefined) return undefined
  const written = (["read", "write"] as const).filter((access) => fields.get(access) !== undefined)
  const [access] = written
  if (access === undefined || written.length > 1) {
    reading.report.error(node, "missing-key", 'Write `read: "server(tool)"` or `write: "server(tool)"`, one per entry.')
    return undefined
  }
  const target = optional(fields.get(access), (pattern) => readTarget(pattern, reading))
  return target === undefined ? undefined : { access, target, origin: originOf(node, reading) }
}

/** `server(tool)` as people write it. */
export function readTarget(node: YamlNode, reading: Reading): TargetPattern | undefined {
  if (node.kind !== "scalar" || typeof node.value !== "string") {
    const more = node.kind === "list" ? " Write one rule for each." : ""
    const message = `Write what this is about as "server(tool)", for example "files(read_*)"; this is ${describeNode(node)}.${more}`
    reading.report.error(node, "wrong-type", message)
    return undefined
  }
  const parsed = parseTargetPattern(node.value)
  if (parsed.ok) return parsed.pattern
  reading.report.error(node, "bad-pattern", `${parsed.problem}.`)
  return undefined
}

export function originOf(place: TextPosition, reading: Reading): RuleOrigin {
  const { name, template, isBuiltIn } = reading
  if (isBuiltIn === true) return { where: name, ...given("template", template) }
  return { where: name, line: place.line, column: place.column, ...given("template", template) }
}

function theEffect(fields: Fields, reading: Reading): Effect | undefined {
  const written = effects.filter((effect) => fields.get(effect) !== undefined)
  const [effect] = written
  if (effect !== undefined && written.length === 1) return effect
  const message =
    effect === undefined
      ? 'A rule says what it does: write `hide`, `deny`, `ask` or `allow`, for example `allow: "files(read_*)"`.'
      : `A rule does one thing, but this one has ${written.join(" and ")}. Write one rule for each.`
  reading.report.error(fields.node, "missing-key", message)
  return undefined
}

const refusedKeys = {
  hide: ["when", ...asking],
  deny: asking,
  allow: asking,
  ask: [],
} as const satisfies Record<Effect, readonly string[]>

function refuseKeys(effect: Effect, fields: Fields, reading: Reading): void {
  for (const key of refusedKeys[effect]) {
    const node = fields.get(key)
    if (node === undefined) continue
    const message =
      key === "when"
        ? "A tool is hidden before anyone has sent arguments, so `hide` takes no `when`. Write `deny` instead."
        : `\`${key}\` belongs to an \`ask\` rule. Remove it, or write \`ask\` instead of \`${effect}\`.`
    reading.report.error(node, "bad-value", message)
  }
}

function readAsking(fields: Fields, reading: Reading) {
  const { report } = reading
  const remember = optional(fields.get("remember"), (node) => readWord(node, "`remember`", ["never"] as const, report))
  const approvals = optional(fields.get("approvals"), (node) => readCount(node, "`approvals`", 1, report))
  const wait = optional(fields.get("wait"), (node) => readWait(node, "`wait`", report))
  return {
    ...given("remember", remember),
    ...given("approvals", approvals),
    ...given(
      "reviewers",
      optional(fields.get("reviewers"), (node) => readGroups(node, reading)),
    ),
    ...given("wait", wait),
  }
}

/** People read it within a sentence, so it is one line however it was written. */
function readReason(node: YamlNode, reading: Reading): string | undefined {
  const written = readText(node, "`reason`", reading.report)
  if (written === undefined) return undefined
  const lines = written.split(/[\r\n\u0085\u2028\u2029]+/).map((line) => line.trim())
  const reason = lines.filter((line) => line !== "").join(" ")
  if (reason === "") reading.report.error(node, "bad-value", "`reason` says nothing. Write a sentence, or remove it.")
  return reason === "" ? undefined : reason
}

function readGroups(node: YamlNode, reading: Reading): readonly string[] | undefined {
  if (node.kind !== "list") {
    const group = readText(node, "`reviewers`", reading.report)
    return group === undefined ? undefined : [group]
  }
  if (node.items.length === 0) {
    reading.report.error(
      node,
      "bad-value",
      "`reviewers` is empty, so nobody could approve. Name a group, or remove it.",
    )
  }
  return readTexts(node, "`reviewers`", reading.report)
}
