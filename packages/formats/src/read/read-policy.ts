import { type ClassifyRule, literalOf, type Mode, type Policy, type Rule, type TargetPattern } from "@byleave/core"
import type { YamlNode } from "../text/tree.ts"
import {
  type Fields,
  given,
  isNothing,
  type KeyRules,
  optional,
  readBoolean,
  readFields,
  readList,
  readWord,
} from "./fields.ts"
import { readClassify, readRule, readTarget } from "./read-rule.ts"
import type { Reading } from "./reading.ts"

const modes = ["ask", "autonomous", "unattended", "observe"] as const satisfies readonly Mode[]

/** A section that is there must say something: an empty one is mostly a slip of indentation. */
export function filled(node: YamlNode | undefined, key: string, reading: Reading): YamlNode | undefined {
  if (node === undefined || !isNothing(node)) return node
  const message = `\`${key}:\` has nothing below it. Indent what belongs to it by two spaces, or remove the line.`
  reading.report.error(node, "wrong-type", message)
  return undefined
}

const allowedByDefault =
  "Whatever no rule speaks of runs without anyone being asked. Write `default: ask` to be asked, and allow what may run by rules."

/** A policy as one file writes it. */
export type WrittenPolicy = Omit<
  Policy,
  "version" | "servers" | "limits" | "wait" | "waits" | "default" | "unattended"
> & {
  /** Absent: it is not written. */
  readonly default?: Policy["default"]
  readonly unattended?: boolean
  /** The templates that it uses, still to be read. */
  readonly use?: YamlNode
}

export function readPolicy(node: YamlNode | undefined, rules: KeyRules, reading: Reading): WrittenPolicy {
  const { report } = reading
  const fields = optional(node, (written) => readFields(written, rules, report))
  const word = <W extends string>(key: string, words: readonly W[]): W | undefined =>
    optional(fields?.get(key), (written) => readWord(written, `\`${key}\``, words, report))
  const selfApproval = optional(fields?.get("selfApproval"), (written) =>
    readBoolean(written, "`selfApproval`", report),
  )
  const byDefault = word("default", ["ask", "deny", "allow"])
  const defaultNode = fields?.get("default")
  if (byDefault === "allow" && defaultNode !== undefined) report.warn(defaultNode, "default-allow", allowedByDefault)
  const unattended = optional(fields?.get("unattended"), (written) => readBoolean(written, "`unattended`", report))
  return {
    ...given("default", byDefault),
    ...given("unattended", unattended),
    ...given("use", filled(fields?.get("use"), "use", reading)),
    rules: readEach<Rule>(fields, "rules", reading, (item, index) => readRule(item, `rules[${index}]`, reading)),
    classify: readEach<ClassifyRule>(fields, "classify", reading, (item) => readClassify(item, reading)),
    forbiddenModes: optional(fields?.get("modes"), (written) => readForbidden(written, reading)) ?? [],
    observeAll: word("observe", ["default", "all"]) === "all",
    selfApproval: selfApproval ?? false,
    methods: readEach<TargetPattern>(fields, "methods", reading, (item) => readMethod(item, reading)),
    unknownParams: word("unknownParams", ["refuse", "drop"]) ?? "refuse",
  }
}

/** `server(method)`, by name: an extension is let through by somebody who knows it, so no wildcard stands for its method. */
function readMethod(node: YamlNode, reading: Reading): TargetPattern | undefined {
  const target = readTarget(node, reading)
  if (target === undefined) return undefined
  if (target.kind === "tool" && !target.whole && literalOf(target.name) !== null) return target
  const message = "Name the method in full, such as `tracker(vendor/search)`, without wildcards."
  reading.report.error(node, "bad-value", message)
  return undefined
}

function readEach<T>(
  fields: Fields | undefined,
  key: string,
  reading: Reading,
  read: (item: YamlNode, index: number) => T | undefined,
): readonly T[] {
  const list = optional(filled(fields?.get(key), key, reading), (node) => readList(node, `\`${key}\``, reading.report))
  return (list?.items ?? []).flatMap((item, index) => read(item, index) ?? [])
}

function readForbidden(node: YamlNode, reading: Reading): readonly Mode[] {
  const fields = readFields(node, { what: "`modes`", keys: ["forbid"] }, reading.report)
  const list = optional(fields?.get("forbid"), (written) => readList(written, "`forbid`", reading.report))
  return (list?.items ?? []).flatMap((item) => readWord(item, "each entry of `forbid`", modes, reading.report) ?? [])
}
