/**
 * The changes from one policy to another, told apart by whether they may let through calls that were held before.
 *
 * I1. When nothing widens, no question is answered more weakly than before (allow < ask < deny < hide).
 * I2. Every difference that can change a decision, a demand on reviewers or a limit is reported, as tightening or as widening.
 *
 * Only what is known to tighten is reported so; everything else widens. Where a rule stands is no change. Why it was written lets nothing
 * through, but people read it: it is told, and needs no approval.
 */
import { assertNever } from "../../call/assert-never.ts"
import { quoted, shownName } from "../../call/text/quoted.ts"
import { durationWords } from "../conditions/duration-words.ts"
import { groupedBy } from "../decide/map-of-lists.ts"
import { isUnconditional } from "../decide/plan.ts"
import { describeRule, hiddenIn, ruleText } from "../decide/sentences.ts"
import type { PolicyChange, SidedChange } from "../rules/policy-change.ts"
import { type Mode, type Policy, type Rule, type Waits, waitsOf } from "../rules/rule.ts"
import { ruleKey } from "../rules/rule-key.ts"
import { formatTargetPattern } from "../rules/target-pattern.ts"
import { compareLimits } from "./compare-limits.ts"
import { compareServers } from "./compare-servers.ts"

export type { PolicyChange } from "../rules/policy-change.ts"

export type PolicyComparison = {
  readonly tightens: readonly PolicyChange[]
  readonly widens: readonly PolicyChange[]
}

export function comparePolicies(before: Policy, after: Policy): PolicyComparison {
  const changes = [...compareRules(before, after), ...compareBesidesRules(before, after)]
  return {
    tightens: changes.filter(({ tightens }) => tightens).map(withoutSide),
    widens: changes.filter(({ tightens }) => !tightens).map(withoutSide),
  }
}

/** Everything but the rules: those are told apart one by one, each by itself. */
export function compareBesidesRules(before: Policy, after: Policy): readonly SidedChange[] {
  return [
    ...compareClassify(before, after),
    ...compareServers(before, after),
    ...compareLimits(before.limits, after.limits),
    ...compareModes(before.forbiddenModes, after.forbiddenModes),
    ...compareSettings(before, after),
  ]
}

function withoutSide({ tightens: _side, ...change }: SidedChange): PolicyChange {
  return change
}

function compareRules(before: Policy, after: Policy): readonly SidedChange[] {
  const added = notIn(after.rules, before.rules)
  const removed = notIn(before.rules, after.rules)
  return [
    ...added.map((rule) => ruleChange(addingTightens(rule, before), `The rule ${ruleText(rule)} is new`, rule)),
    ...removed.map((rule) => ruleChange(removingTightens(rule), goneSentence(rule), rule)),
    ...compareReasons(before.rules, after.rules),
  ]
}

function compareReasons(before: readonly Rule[], after: readonly Rule[]): readonly SidedChange[] {
  const old = groupedBy(before, ruleKey)
  return after.flatMap((rule): readonly SidedChange[] => {
    const same = old.get(ruleKey(rule))
    if (same === undefined || same.some(({ reason }) => reason === rule.reason)) return []
    const now = rule.reason === undefined ? "has no reason any more" : `now says why: ${quoted(rule.reason)}`
    return [{ about: "rule", tightens: true, sentence: `The rule ${ruleText(rule)} ${now}.`, rule: ruleText(rule) }]
  })
}

/** Nothing but an allow loses anybody something by going; and without one, what passes anyway passes unrecorded. */
export function removingTightens({ effect, target }: Rule): boolean {
  return effect === "allow" && fallsToDefault(target)
}

function goneSentence(rule: Rule): string {
  const isUnrecorded = rule.effect === "allow" && !removingTightens(rule)
  return `The rule ${ruleText(rule)} is gone${isUnrecorded ? "; what it names then passes unrecorded" : ""}`
}

function ruleChange(tightens: boolean, sentence: string, rule: Rule): SidedChange {
  const hidden = hiddenIn(rule)
  return {
    ...{ about: "rule", tightens, sentence: `${sentence} (${describeRule(rule)}).`, rule: ruleText(rule) },
    ...(hidden.length === 0 ? {} : { hidden }),
  }
}

/** The default applies to tools and to methods beyond MCP's own. Everything else passes if no rule names it. */
export function fallsToDefault({ kind }: Rule["target"]): boolean {
  return kind === "tool" || kind === "method"
}

/** Where the default denies, an ask is the weaker answer; and a deny asks where it cannot be judged. */
export function addingTightens(rule: Rule, before: Policy): boolean {
  switch (rule.effect) {
    case "hide":
      return true
    case "deny":
      return isUnconditional(rule) || before.default !== "deny"
    case "ask":
      return before.default !== "deny" || !fallsToDefault(rule.target)
    case "allow":
      return false
    default:
      return assertNever(rule)
  }
}

/** The rules that the others lack, by what they do. */
export function notIn(rules: readonly Rule[], others: readonly Rule[]): readonly Rule[] {
  const known = new Set(others.map(ruleKey))
  return rules.filter((rule) => !known.has(ruleKey(rule)))
}

/** Access decides both ways (an allow of reads, a deny of writes), so that no change of it is safe in itself. */
function compareClassify(before: Policy, after: Policy): readonly SidedChange[] {
  const textOf = ({ access, target }: Policy["classify"][number]) =>
    `${access}: ${quoted(formatTargetPattern(target), Number.POSITIVE_INFINITY)}`
  const old = before.classify.map(textOf)
  const now = after.classify.map(textOf)
  if (old.length === now.length && old.every((text, index) => text === now[index])) return []
  const gone = old.filter((text) => !now.includes(text)).map((text) => `The classification ${text} was removed.`)
  const added = now.filter((text) => !old.includes(text)).map((text) => `The classification ${text} was added.`)
  const sentences = gone.length + added.length === 0 ? ["The order of classifications changed."] : [...gone, ...added]
  return sentences.map((sentence) => ({ about: "classify", tightens: false, sentence }))
}

/** Forbidding `unattended` is no tightening: calls that were refused would then be asked about. */
function compareModes(before: readonly Mode[], after: readonly Mode[]): readonly SidedChange[] {
  const running: readonly Mode[] = ["autonomous", "observe"]
  const added = after.filter((mode) => !before.includes(mode) && mode !== "ask")
  const removed = before.filter((mode) => !after.includes(mode) && mode !== "ask")
  return [
    ...added.map((mode) => modeChange(running.includes(mode), `The mode ${mode} is now forbidden.`)),
    ...removed.map((mode) => modeChange(false, `The mode ${mode} is no longer forbidden.`)),
  ]
}

function modeChange(tightens: boolean, sentence: string): SidedChange {
  return { about: "mode", tightens, sentence }
}

function isUnattended({ unattended = false }: Policy): boolean {
  return unattended
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const satisfies Record<Policy["default"], number>

function compareSettings(before: Policy, after: Policy): readonly SidedChange[] {
  const changes: SidedChange[] = []
  if (before.default !== after.default) {
    const sentence = `The default changed from ${before.default} to ${after.default}.`
    changes.push({ about: "default", tightens: strictness[after.default] > strictness[before.default], sentence })
  }
  if (before.observeAll !== after.observeAll) {
    const sentence = `In observed sessions, calls covered by an ask rule ${after.observeAll ? "now run" : "need approval again"}.`
    changes.push({ about: "setting", tightens: !after.observeAll, sentence })
  }
  if (isUnattended(before) !== isUnattended(after)) {
    const tightens = isUnattended(after)
    const sentence = `Calls that need approval are ${tightens ? "now refused at once" : "no longer refused at once"}.`
    changes.push({ about: "setting", tightens, sentence })
  }
  if (before.selfApproval !== after.selfApproval) {
    const may = after.selfApproval ? "may now" : "may no longer"
    const sentence = `The owner of a token ${may} approve calls under it.`
    changes.push({ about: "setting", tightens: !after.selfApproval, sentence })
  }
  if (before.unknownParams !== after.unknownParams) {
    const refuses = after.unknownParams === "refuse"
    const sentence = `A request with params that are not part of MCP is now ${refuses ? "refused" : "forwarded without them"}.`
    changes.push({ about: "setting", tightens: refuses, sentence })
  }
  changes.push(...compareMethods(before, after))
  if (before.wait !== after.wait) {
    const sentence = `A call waited ${waitWords(before.wait)} for approval and now waits ${waitWords(after.wait)}.`
    changes.push({ about: "setting", tightens: false, sentence })
  }
  changes.push(...compareWaits(before, after))
  return changes
}

/** A longer wait leaves more time to approve, a shorter one ends what would have been approved: neither is safe in itself. */
function compareWaits(before: Policy, after: Policy): readonly SidedChange[] {
  const [old, now] = [waitsOf(before), waitsOf(after)]
  const change = (who: keyof Waits, whose: string): readonly SidedChange[] => {
    if (old[who] === now[who]) return []
    const sentence = `A call of ${whose} waited ${waitWords(old[who])} for approval and now waits ${waitWords(now[who])}.`
    return [{ about: "setting", tightens: false, sentence }]
  }
  return [...change("chat", "a conversation"), ...change("run", "an agent run")]
}

/** Naming a method lets it be judged instead of refused. */
function compareMethods(before: Policy, after: Policy): readonly SidedChange[] {
  const named = (policy: Policy) => policy.methods.map((pattern) => shownName(formatTargetPattern(pattern)))
  const [old, now] = [named(before), named(after)]
  const change = (tightens: boolean, sentence: string): SidedChange => ({ about: "setting", tightens, sentence })
  return [
    ...now.filter((text) => !old.includes(text)).map((text) => change(false, `The method ${text} is now allowed.`)),
    ...old.filter((text) => !now.includes(text)).map((text) => change(true, `The method ${text} is now refused.`)),
  ]
}

function waitWords(wait: number | null): string {
  return wait === null ? "indefinitely" : durationWords(wait)
}
