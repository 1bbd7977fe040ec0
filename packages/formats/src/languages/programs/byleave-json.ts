import { formatTargetPattern, type Limits, type Policy, type Rule } from "@byleave/core"
import { readList, readMap, readText, readWord } from "../../read/fields.ts"
import { readLimits } from "../../read/read-limits.ts"
import { readClassify, readRule } from "../../read/read-rule.ts"
import type { Reading } from "../../read/reading.ts"
import type { MapNode, YamlNode } from "../../text/tree.ts"
import { type WrittenRule, writtenRule } from "../../text/written-rule.ts"
import { writtenClassify, writtenLimits } from "../../text/written-settings.ts"
import { createFindings, type Findings } from "../import/found-rules.ts"
import { entryOf, readJsonFile, textItems } from "../import/source-tree.ts"
import type { RuleLanguage, RuleLoss } from "../language.ts"

const format = "byleave-policy"
const version = 1
const carried = ["format", "version", "default", "rules", "classify", "limits"]
const left = ["settings", "servers"]

/** Byleave's own policy as JSON: all of it, with a version. Folders are absolute. */
export const byleaveJson: RuleLanguage = {
  id: "byleave",
  name: "Byleave",
  file: "a JSON file",
  read: (text, options) => {
    const findings = createFindings(options)
    const { report } = findings
    const root = readJsonFile(text, report)
    if (root !== undefined) checkVersion(root, findings)
    const reading: Reading = {
      name: options.name,
      folder: "/",
      home: undefined,
      env: new Map(),
      purpose: "policy",
      report,
      readTemplate: () => null,
      secrets: new Set(),
    }
    const items = (key: string) => {
      const entry = entryOf(root, key)
      return entry === undefined ? [] : (readList(entry.value, `\`${key}\``, report)?.items ?? [])
    }
    const rules = items("rules").flatMap((node) => readRule(node, node.path, reading) ?? [])
    const classify = items("classify").flatMap((node) => readClassify(node, reading) ?? [])
    const word = entryOf(root, "default")
    const answer = word && readWord(word.value, "`default`", ["ask", "deny", "allow"] as const, report)
    const limits = limitsOf(root, reading)
    checkKeys(root, findings)
    for (const server of items("servers")) readOffer(server, findings)
    const more = { classify, limits, ...(answer === undefined ? {} : { default: answer }) }
    const read = findings.finish("strictest", more)
    return read.ok ? { ...read, rules: [...rules, ...read.rules] } : read
  },
  write: (policy) => {
    const { rules, losses } = writtenRules(policy)
    const { wait, waits, forbiddenModes, observeAll, selfApproval, methods, unknownParams, servers } = policy
    const whole = {
      ...{ format, version, default: policy.default, rules, classify: policy.classify.map(writtenClassify) },
      limits: Object.fromEntries(writtenLimits(policy.limits)),
      settings: {
        wait,
        waits,
        forbiddenModes,
        observeAll,
        selfApproval,
        methods: methods.map(formatTargetPattern),
        unknownParams,
      },
      servers,
    }
    return { text: `${JSON.stringify(whole, null, 2)}\n`, losses }
  },
}

function checkVersion(root: MapNode, { report }: Findings): void {
  const fieldOf = (key: string) => {
    const node = entryOf(root, key)?.value
    return node?.kind === "scalar" ? node.value : undefined
  }
  if (fieldOf("format") !== format) {
    report.error(root, "unknown-format", `This is not a policy of Byleave: \`format\` must be "${format}".`)
  } else if (fieldOf("version") !== version) {
    const place = entryOf(root, "version") ?? root
    report.error(
      place,
      "bad-value",
      `This file has a \`version\` that this Byleave does not know; it knows ${version}.`,
    )
  }
}

/** The format is Byleave's own and has a version: a key that is not known is a mistake. */
function checkKeys(root: MapNode | undefined, { report, lose }: Findings): void {
  for (const entry of root?.entries ?? []) {
    if (left.includes(entry.key)) lose("dropped", entry, entry.key, "it is set in byleave.yaml itself", "nothing")
    else if (!carried.includes(entry.key)) {
      report.error(entry, "unknown-key", `\`${entry.key}\` is not known in a policy of Byleave.`)
    }
  }
}

/** The only tools that a server offers. */
function readOffer(node: YamlNode, findings: Findings): void {
  const map = readMap(node, "a server", findings.report)
  const id = entryOf(map, "id")?.value
  const offer = entryOf(map, "offer")
  if (offer === undefined || id === undefined) return
  const server = readText(id, "`id`", findings.report)
  const tools = textItems(offer, findings.report).map(({ text }) => text)
  if (server !== undefined) findings.offer(server, tools, offer)
}

/** The limits that the file has, and no others. */
function limitsOf(root: MapNode | undefined, reading: Reading): Partial<Limits> {
  const entry = entryOf(root, "limits")
  if (entry === undefined) return {}
  const limits = readLimits(entry.value, reading)
  const named = new Set(entry.value.kind === "map" ? entry.value.entries.map(({ key }) => key) : [])
  return Object.fromEntries(Object.entries(limits).filter(([name]) => named.has(name)))
}

type Written = { readonly rules: readonly WrittenRule[]; readonly losses: readonly RuleLoss[] }

/** A rule with two conditions of one kind on one argument has no words: an allow is left out, others lose their conditions. */
function writtenRules(policy: Policy): Written {
  const losses: RuleLoss[] = []
  const written = policy.rules.flatMap((rule): readonly WrittenRule[] => {
    const whole = writtenRule(withoutEmpty(rule))
    if (whole !== undefined && !hasEmptyChoice(rule)) return [whole]
    // Where the default denies, an ask for every call would soften what the conditions do not fit.
    const effect = rule.effect === "ask" && policy.default === "deny" ? "deny" : rule.effect
    const became = effect === "allow" ? "nothing, so that the default applies" : `${effect} for every call`
    const why = "it has two conditions of one kind on one argument, or a choice of nothing"
    losses.push({ kind: "stricter", path: rule.id, written: formatTargetPattern(rule.target), why, became })
    return effect === "allow" ? [] : [{ [effect]: formatTargetPattern(rule.target) }]
  })
  return { rules: written, losses }
}

function hasEmptyChoice(rule: Rule): boolean {
  const conditions = rule.effect === "hide" ? [] : (rule.when ?? [])
  return conditions.some((condition) => condition.op === "oneOf" && condition.values.length === 0)
}

/** A file has no words for lists with nothing in them, which mean nothing. */
function withoutEmpty(rule: Rule): Rule {
  return Object.fromEntries(
    Object.entries(rule).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  ) as Rule
}
