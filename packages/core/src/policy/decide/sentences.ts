/** Policy decisions in words for people. Names that agents and servers chose are shown with their hidden characters marked. */
import { assertNever } from "../../call/assert-never.ts"
import type { EpochMs } from "../../call/call.ts"
import { callersBehind, callersWords } from "../../call/callers-behind.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { quoted, wholeName } from "../../call/text/quoted.ts"
import { showText } from "../../call/text/show-text.ts"
import { conditionText, conditionWords, hiddenOperands } from "../conditions/condition-words.ts"
import { durationWords } from "../conditions/duration-words.ts"
import { literalOf } from "../conditions/glob.ts"
import { type AutonomyKind, autonomyKinds, autonomyOf } from "../rules/autonomy.ts"
import { type Remembered, scopeOf } from "../rules/remembered.ts"
import type { AccessBreadth, Effect, Rule } from "../rules/rule.ts"
import { formatTargetPattern, formatToolLiteral } from "../rules/target-pattern.ts"
import type { Because, Decision, LimitName, Target } from "./decision.ts"
import { ruleOfGrant } from "./index-grants.ts"
import { conditionsOf } from "./plan.ts"

/** Why a decision fell: "held for approval because no rule matches files(write_file)". */
export function reasonOf(decision: Decision, target: Target): string {
  return sentenceOf(decision.effect, decision.because, target)
}

/** `server(tool)`, or what else is asked for, as people read it. */
export function targetText(target: Target): string {
  switch (target.kind) {
    case "tool":
      return wholeName(`${target.server}(${target.name})`)
    case "resource":
    case "prompt":
    case "method":
      return wholeName(`${target.server}(${target.kind}:${target.name})`)
    case "sampling":
    case "elicitation":
    case "roots":
      return wholeName(`${target.server}(${target.kind})`)
    default:
      return assertNever(target.kind)
  }
}

const knownTexts = new WeakMap<Rule, string>()

/** A rule much as it is written: `allow: "files(write_file)" when path under /x`. Every judged call is recorded with it. */
export function ruleText(rule: Rule): string {
  const known = knownTexts.get(rule)
  if (known !== undefined) return known
  const text = writtenRule(rule)
  knownTexts.set(rule, text)
  return text
}

function writtenRule(rule: Rule, isWhole = false): string {
  const access = rule.access === undefined ? "" : ` access ${rule.access}`
  const principal = rule.principal === undefined ? "" : ` principal ${wholeName(rule.principal)}`
  const head = `${rule.effect}: ${quoted(formatTargetPattern(rule.target), Number.POSITIVE_INFINITY)}`
  return `${head}${access}${principal}${conditionText(conditionsOf(rule), isWhole)}${demandText(rule)}`
}

/** A rule in words: "Ask about tracker(delete_*) every time; 2 reviewers must approve". */
export function describeRule(rule: Rule): string {
  const what = `${verbOf[rule.effect]} ${subjectWords(rule)}`
  const principal = rule.principal === undefined ? "" : ` for ${agentsWords(rule.principal)}`
  return `${what}${principal}${conditionWords(conditionsOf(rule))}${demandWords(rule)}`
}

/** The values that are masked in a rule's text and words, for whoever accepts it; empty: it can be read in full. */
export function hiddenIn(rule: Rule): readonly JsonObject[] {
  return hiddenOperands(conditionsOf(rule))
}

/** One principal may be more than one agent; a glob says only which names it is for. */
function agentsWords(glob: string): string {
  const principal = literalOf(glob)
  const callers = principal === null ? null : callersBehind(principal)
  return callers === null || callers.kind === "agent" ? `agents named ${wholeName(glob)}` : callersWords(callers)
}

/** Where a rule stands: "byleave.yaml:14". */
export function originText(rule: Rule): string {
  const { where, line, column } = rule.origin
  if (line === undefined) return showText(where)
  return `${showText(where)}:${line}${column === undefined ? "" : `:${column}`}`
}

export type DescribeOptions = {
  /** With it, an end is told as "for 30 minutes". */
  readonly now?: EpochMs
  /** How to write a moment; with it, an end is told as "until …". */
  readonly time?: (at: EpochMs) => string
  /** Nothing is masked: for whoever accepts what somebody else wrote. */
  readonly isWhole?: boolean
}

/** The effect of a remembered answer, before or after it is saved: in words, and as the equivalent rule. */
export function describeRemembered(
  grant: Omit<Remembered, "id">,
  options: DescribeOptions = {},
): { readonly words: string; readonly text: string } {
  const limits = limitWords(grant, options)
  // A grant that ends by itself is not for always.
  const isLimited = grant.until !== undefined || grant.usesLeft !== undefined
  const verb = isLimited ? grant.effect : `always ${grant.effect}`
  const when = "when" in grant.breadth ? (grant.breadth.when ?? []) : []
  const whose = whoseWords(scopeOf(grant))
  return {
    words: `${upperFirst(whose)}, ${verb} ${breadthWords(grant.breadth)}${conditionWords(when, options.isWhole)}${limits}`,
    text: `${breadthText(grant, options.isWhole)} ${whose}${limits}`,
  }
}

/**
 * A session that is only its principal outlives every start of the agent, so it is not called a session; what is given for it keeps out of those that
 * the agent opens. Names are quoted: agents choose them.
 */
function whoseWords({ session, agent, starter }: Pick<Remembered, "session" | "agent" | "starter">): string {
  if (agent !== undefined) return `for ${callersWords(callersBehind(agent, starter))}`
  if (session === undefined) return "for every agent"
  const { principal, id } = session
  if (id === principal) return `for ${callersWords(callersBehind(principal))} outside sessions`
  return `in this session of ${quoted(principal)}`
}

const verbOf = { hide: "Hide", deny: "Deny", ask: "Ask about", allow: "Allow" } as const satisfies Record<
  Effect,
  string
>

const pastOf = {
  hide: "hidden",
  deny: "denied",
  ask: "held for approval",
  allow: "allowed",
} as const satisfies Record<Effect, string>

/** Names the target only where the sentence does: most calls are decided on by a rule. */
function sentenceOf(effect: Effect, because: Because, target: Target): string {
  const past = pastOf[effect]
  switch (because.kind) {
    case "rule":
      return `${past} by the rule ${ruleText(because.rule)}${reasonGiven(because.rule)}`
    case "grant":
      return `${past} by a permission: ${lowerFirst(describeRemembered(because.grant).words)}`
    case "offer":
      return `${past} because ${wholeName(because.server)} is configured not to offer it`
    case "unknown-method":
      return `${past} because ${targetText(target)} is not a method of MCP, and the policy does not name it under \`methods\``
    case "unjudged":
      return `${past} because it cannot be determined whether the rule ${ruleText(because.rule)} applies: ${showText(because.why)}`
    case "default":
      return `${past} because no rule matches ${targetText(target)}${effect === "ask" ? "" : ` and the policy's default is ${effect}`}`
    case "pin":
      return `${past} because ${pinWords(because.pin, targetText(target))}`
    case "limit":
      return `${past} because ${limitReason[because.limit]}`
    case "mode":
      return modeSentence(effect, because, target)
    case "passes":
      return `${past} because no rule covers ${targetText(target)}, and only tools need approval by default`
    case "starts-cool-down":
      return `${past} because no rule covers ${targetText(target)}, and only tools need approval by default; a cool-down starts with it`
    case "requested":
      return `${past} because the program that started this run wants to be asked first; the policy would allow it`
    default:
      return assertNever(because)
  }
}

function reasonGiven(rule: Rule): string {
  return rule.reason === undefined ? "" : `: ${showText(rule.reason)}`
}

function pinWords(pin: Extract<Because, { kind: "pin" }>["pin"], target: string): string {
  switch (pin) {
    case "changed":
      return `the definition of ${target} changed since it was accepted; a reviewer must accept it first`
    case "new":
      return `${target} was added after its server was first seen; a reviewer must accept it first`
    case "rejected":
      return `a reviewer rejected the new definition of ${target}; it can be used again once its server restores the accepted one`
    case "other-program":
      return `the server of ${target} is a different program than the one accepted; a reviewer must accept it first`
    case "quarantined":
      return `a reviewer quarantined ${target}`
    default:
      return assertNever(pin)
  }
}

const limitReason = {
  autoAllowedPerSession: "this session reached the policy's limit of calls without approval",
  autoAllowedPerDay: "this agent reached the policy's daily limit of calls without approval, across all its sessions",
  autoAllowedPerMinute:
    "this agent reached the policy's limit of calls without approval per minute, across all its sessions",
  coolDown: "a sensitive call of this agent ran recently",
  bulk: "this agent made many writes in a short time, across all its sessions",
} as const satisfies Record<LimitName, string>

function modeSentence(effect: Effect, because: Extract<Because, { kind: "mode" }>, target: Target): string {
  const otherwise = sentenceOf("ask", because.instead, target)
  if (because.mode === "unattended")
    return `${pastOf[effect]} because nobody is available to approve calls in this session (deny while away); it would otherwise be ${otherwise}`
  if (because.mode === "observe")
    return `${pastOf[effect]} because this session is only observed; it would otherwise be ${otherwise}`
  const kinds = autonomyOf(because.mode)
  const part = kinds.length === autonomyKinds.length ? "" : ` for ${kinds.map((kind) => kindWords[kind]).join(" and ")}`
  return `${pastOf[effect]} because this session is autonomous${part}; it would otherwise be ${otherwise}`
}

const kindWords = { tools: "tools", paths: "paths", urls: "URLs" } as const satisfies Record<AutonomyKind, string>

function demandText(rule: Rule): string {
  if (rule.effect !== "ask") return ""
  const parts = [
    rule.approvals === undefined ? "" : ` approvals ${rule.approvals}`,
    rule.reviewers === undefined ? "" : ` reviewers ${rule.reviewers.map(wholeName).join(", ")}`,
    rule.remember === undefined ? "" : ` remember ${rule.remember}`,
    rule.wait === undefined ? "" : ` wait ${rule.wait === null ? "for ever" : durationWords(rule.wait)}`,
  ]
  return parts.join("")
}

function demandWords(rule: Rule): string {
  if (rule.effect !== "ask") return ""
  const { approvals = 1, reviewers = [], remember, wait } = rule
  const from = reviewers.length === 0 ? "" : ` from ${reviewers.map(wholeName).join(" or ")}`
  const who = approvals === 1 ? "a reviewer" : `${approvals} reviewers`
  const needs = approvals === 1 && from === "" ? "" : `; ${who}${from} must approve`
  const waits = wait === undefined ? "" : `; it may wait ${wait === null ? "indefinitely" : durationWords(wait)}`
  return `${remember === "never" ? ", every time" : ""}${needs}${waits}`
}

function subjectWords(rule: Rule): string {
  const pattern = wholeName(formatTargetPattern(rule.target))
  const { access } = rule
  if (rule.target.whole) return access === undefined ? `everything of ${pattern}` : accessWords(access, pattern)
  return access === undefined || access === "all" ? pattern : `${pattern} where it ${access}s`
}

function accessWords(access: AccessBreadth, server: string): string {
  return access === "all" ? `every tool of ${server}` : `every tool of ${server} that ${access}s`
}

function breadthWords(breadth: Remembered["breadth"]): string {
  switch (breadth.kind) {
    case "tool":
      return wholeName(formatToolLiteral(breadth))
    case "server":
      return accessWords(breadth.access, wholeName(breadth.server))
    case "reads":
      return `these tools of ${wholeName(breadth.server)}, not ones added later: ${breadth.tools.map(wholeName).join(", ")}`
    case "pattern":
      return `every tool that matches ${patternText(breadth)}`
    default:
      return assertNever(breadth)
  }
}

function patternText(breadth: Extract<Remembered["breadth"], { kind: "pattern" }>): string {
  const { server, tool } = breadth
  return wholeName(formatTargetPattern({ server, kind: "tool", name: tool, whole: false }))
}

function breadthText(grant: Omit<Remembered, "id">, isWhole = false): string {
  const { breadth, effect } = grant
  if (breadth.kind !== "reads") return writtenRule(ruleOfGrant({ ...grant, id: "" }), isWhole)
  const tools = breadth.tools.map((tool) =>
    quoted(formatToolLiteral({ server: breadth.server, tool }), Number.POSITIVE_INFINITY),
  )
  return `${effect}: ${tools.join(", ")}`
}

function limitWords(grant: Omit<Remembered, "id">, options: DescribeOptions): string {
  const uses = grant.usesLeft === undefined ? "" : `, ${grant.usesLeft === 1 ? "once" : `${grant.usesLeft} times`}`
  if (grant.until === undefined) return uses
  if (options.time !== undefined) return `, until ${options.time(grant.until)}${uses}`
  if (options.now !== undefined) return `, for ${durationWords(roundly(Math.max(0, grant.until - options.now)))}${uses}`
  return `, for a limited time${uses}`
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** A duration rounded for people: half an hour that began a moment ago still reads as half an hour. */
function roundly(ms: number): number {
  const step = ms > 2 * 60_000 ? 60_000 : 1_000
  return Math.round(ms / step) * step
}
