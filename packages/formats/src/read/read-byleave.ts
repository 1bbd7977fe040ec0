import { type ClassifyRule, defaultLimits, literalOf, type Mode, type Rule, type TargetPattern } from "@byleave/core"
import { configSchema } from "../schema/config-schema.ts"
import { policySchema } from "../schema/policy-schema.ts"
import { keysOf } from "../schema/schema-node.ts"
import type { ConfigDraft } from "../text/draft.ts"
import type { MapNode, YamlNode } from "../text/tree.ts"
import { type Fields, isNothing, optional, readBoolean, readFields, readList, readMap, readWord } from "./fields.ts"
import { readLimits } from "./read-limits.ts"
import { readModel } from "./read-model.ts"
import { readClassify, readRule, readTarget } from "./read-rule.ts"
import { readServer } from "./read-server.ts"
import { readService } from "./read-service.ts"
import { readWaits } from "./read-waits.ts"
import type { Reading } from "./reading.ts"

/** The keys by which our own file is known; others of it may well be servers' ids in a file of another form. */
export const byleaveKeys = ["version", "servers", "policy", "wait", "limits", "reviewers"]
const modes = ["ask", "autonomous", "unattended", "observe"] as const satisfies readonly Mode[]

/** Our own file, `version: 1`. */
export function readByleave(root: MapNode, reading: Reading): ConfigDraft {
  const { report } = reading
  const fields = readFields(root, { what: "this file", keys: keysOf(configSchema) }, report)
  checkVersion(root, fields, reading)
  const section = (key: string): YamlNode | undefined => filled(fields?.get(key), key, reading)
  const servers = optional(section("servers"), (node) => readMap(node, "`servers`", report))
  const read = (servers?.entries ?? []).flatMap((entry) => readServer(entry, reading) ?? [])
  const policy = readPolicy(section("policy"), reading)
  const models = optional(section("models"), (node) => readMap(node, "`models`", report))
  return {
    servers: read.map(({ server }) => server),
    named: (servers?.entries ?? []).map(({ key }) => key),
    models: (models?.entries ?? []).flatMap((entry) => readModel(entry, reading) ?? []),
    policy: {
      ...policy,
      rules: [...policy.rules, ...read.flatMap(({ rules }) => rules)],
      limits: optional(section("limits"), (node) => readLimits(node, reading)) ?? defaultLimits,
      ...readWaits(fields?.get("wait"), report),
    },
    service: readService(section, report),
  }
}

function checkVersion(root: MapNode, fields: Fields | undefined, reading: Reading): void {
  const version = fields?.get("version")
  if (version === undefined)
    reading.report.error(root, "missing-key", "Say which form this file has: write `version: 1` at its top.")
  else if (version.kind !== "scalar" || version.value !== 1) {
    reading.report.error(
      version,
      "bad-value",
      "This version of Byleave reads `version: 1` only. Write 1, or update Byleave.",
    )
  }
}

/** A section that is there must say something: an empty one is mostly a slip of indentation. */
function filled(node: YamlNode | undefined, key: string, reading: Reading): YamlNode | undefined {
  if (node === undefined || !isNothing(node)) return node
  const message = `\`${key}:\` has nothing below it. Indent what belongs to it by two spaces, or remove the line.`
  reading.report.error(node, "wrong-type", message)
  return undefined
}

const allowedByDefault =
  "Whatever no rule speaks of runs without anyone being asked. Write `default: ask` to be asked, and allow what may run by rules."

function readPolicy(node: YamlNode | undefined, reading: Reading) {
  const { report } = reading
  const fields = optional(node, (written) =>
    readFields(written, { what: "`policy`", keys: keysOf(policySchema) }, report),
  )
  const word = <W extends string>(key: string, words: readonly W[]): W | undefined =>
    optional(fields?.get(key), (written) => readWord(written, `\`${key}\``, words, report))
  const selfApproval = optional(fields?.get("selfApproval"), (written) =>
    readBoolean(written, "`selfApproval`", report),
  )
  const byDefault = word("default", ["ask", "deny", "allow"])
  const defaultNode = fields?.get("default")
  if (byDefault === "allow" && defaultNode !== undefined) report.warn(defaultNode, "default-allow", allowedByDefault)
  return {
    default: byDefault ?? "ask",
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
