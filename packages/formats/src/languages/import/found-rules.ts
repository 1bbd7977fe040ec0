/**
 * The rules that a reader finds in another program's text, and what becomes of them here.
 *
 * I1. No call is answered more weakly by the result than the found rules say.
 * I2. A found rule is in the result, or in the losses, or both.
 * I3. No allow stays where something in the text may restrict it in a way that cannot be said here.
 */
import { type Effect, escapeGlob, type Rule } from "@byleave/core"
import { globCovers, globsDisjoint } from "@byleave/core/compare"
import { createReport, type Report, type TextPosition } from "../../problem.ts"
import type { ImportedRules, LossKind, OfferList, ReadRulesOptions, ReadRulesResult, RuleLoss } from "../language.ts"
import { strictness } from "../strictness.ts"
import { type Doubt, type ServerList, withinLists, withoutDoubtful } from "./doubts.ts"

/** A rule as other languages have it. `server` and `tool` are globs. */
export type FoundRule = {
  readonly effect: Effect
  readonly server: string
  readonly tool: string
  readonly at: TextPosition
  readonly written: string
  /** Only some calls of it are meant, and which ones cannot be said here: it applies to all, and decides nothing alone. */
  readonly partial?: true
}

/** `strictest`: all matching rules count, as here. `first`: an earlier rule decides alone. */
export type RuleOrder = "strictest" | "first"

export type Findings = {
  readonly report: Report
  readonly options: ReadRulesOptions
  readonly add: (rule: FoundRule) => void
  readonly lose: (kind: LossKind, at: TextPosition, written: string, why: string, became: string) => void
  /** True, and reported, where a name is longer than any program writes: to take it apart in every way would take long. */
  readonly isTooLong: (name: string, at: TextPosition) => boolean
  /** Everything else of this server asks. */
  readonly ask: (server: string) => void
  /** Only these tools of a server are offered. */
  readonly offer: (server: string, tools: readonly string[], at: TextPosition) => void
  /** Something may restrict these tools, and what it is cannot be said here. */
  readonly doubt: (doubt: Doubt) => void
  /** No other servers are used: those that are known are hidden, and nothing of the rest is allowed. */
  readonly onlyServers: (list: ServerList) => void
  readonly finish: (order: RuleOrder, more?: Partial<ImportedRules>) => ReadRulesResult
}

const mostRules = 2_000
const longestName = 200

export function createFindings(options: ReadRulesOptions): Findings {
  const report = createReport(options.name)
  const found: FoundRule[] = []
  const losses: RuleLoss[] = []
  const asks = new Set<string>()
  const offers: OfferList[] = []
  const doubts: Doubt[] = []
  const lists: ServerList[] = []
  const lose: Findings["lose"] = (kind, at, written, why, became) => {
    losses.push({ kind, path: at.path, line: at.line, column: at.column, written, why, became })
  }
  const isTooLong: Findings["isTooLong"] = (name, at) => {
    if (name.length <= longestName) return false
    report.error(at, "too-large", `A name of server and tool may have at most ${longestName} characters.`)
    return true
  }
  const offer: Findings["offer"] = (server, tools, at) => {
    if ((options.configured ?? options.servers).includes(server)) offers.push({ server, tools })
    else {
      const why = `byleave.yaml has no server ${server}, so it cannot list the only tools it may offer; add the server under \`servers\` and import again`
      found.push({ effect: "hide", server: escapeGlob(server), tool: "*", at, written: tools.join(", ") })
      lose("stricter", at, tools.join(", "), why, `hide: "${server}(*)"`)
    }
  }
  const finish: Findings["finish"] = (order, more = {}) => {
    const last = found[mostRules]
    if (last !== undefined) report.error(last.at, "too-large", `This file has more than ${mostRules} rules. Split it.`)
    const lastDoubt = doubts[mostRules]
    if (lastDoubt !== undefined) {
      report.error(
        lastDoubt.at,
        "too-large",
        `This file has more than ${mostRules} keys that are not known. Leave only rules in it.`,
      )
    }
    const problems = report.errors()
    if (problems.length > 0) return { ok: false, problems }
    const sure = withoutDoubtful(withinLists(found, lists, lose), doubts, lose)
    const { kept, answer } = order === "first" ? inOrder(sure, lose, asks) : { kept: sure, answer: undefined }
    const rules = withoutCovered(kept, lose).map((rule) => ruleOf(rule, options.name))
    const fallback = answer === undefined ? {} : { default: answer }
    return { ok: true, rules, ...fallback, asks: [...asks], offers, classify: [], limits: {}, losses, ...more }
  }
  const onlyServers: Findings["onlyServers"] = (list) => {
    lists.push(list)
    const others = options.servers.filter((server) => !list.names.includes(server))
    for (const server of others) add({ ...list, effect: "hide", server: escapeGlob(server), tool: "*" })
    const why = "no other server is used; Byleave hides those that it knows"
    lose("dropped", list.at, list.written, why, others.length === 0 ? "nothing" : `hide: ${others.join(", ")}`)
  }
  // One more than allowed is kept, for the message.
  const add = (rule: FoundRule): void => void (found.length <= mostRules && found.push(rule))
  const doubt = (each: Doubt): void => void (doubts.length <= mostRules && doubts.push(each))
  return { report, options, isTooLong, add, lose, ask: (server) => asks.add(server), offer, doubt, onlyServers, finish }
}

type InOrder = { readonly kept: readonly FoundRule[]; readonly answer: "ask" | "deny" | undefined }

/**
 * Rules of which an earlier one decides alone, as rules of which the strictest decides. A stricter rule that an earlier, weaker one makes
 * an exception to is left to the default where that says the same; elsewhere it stays, and the exception is lost.
 */
function inOrder(found: readonly FoundRule[], lose: Findings["lose"], asks: Set<string>): InOrder {
  const kept: FoundRule[] = []
  let answer: InOrder["answer"]
  for (const [at, rule] of found.entries()) {
    const before = found.slice(0, at)
    if (before.some((earlier) => earlier.partial !== true && covers(earlier, rule))) {
      lose("no-effect", rule.at, rule.written, "a rule that comes first decides everything it is about", "nothing")
      continue
    }
    const exceptions = before.filter((earlier) => isWeaker(earlier, rule) && overlaps(earlier, rule))
    const isWhole = rule.partial !== true && exceptions.every(({ partial }) => partial !== true)
    if (exceptions.length === 0) kept.push(rule)
    else if (isWhole && isForAll(rule) && rule.effect === "deny") answer = "deny"
    else if (isWhole && rule.tool === "*" && rule.effect === "ask" && !isWidenedLater(rule, found.slice(at + 1))) {
      if (rule.server === "*") answer = "ask"
      else asks.add(rule.server)
    } else {
      kept.push(rule)
      for (const { at: place, written } of exceptions) {
        const why = `it is an exception to ${rule.written}, and here the stricter rule wins`
        lose("stricter", place, written, why, `${rule.effect}, where both apply`)
      }
    }
  }
  return { kept, answer }
}

function isWidenedLater(rule: FoundRule, later: readonly FoundRule[]): boolean {
  return later.some((other) => isWeaker(other, rule) && overlaps(other, rule))
}

/** Leaves out what another rule says as strictly or more strictly. */
function withoutCovered(found: readonly FoundRule[], lose: Findings["lose"]): readonly FoundRule[] {
  const wide = found.filter(({ server, tool }) => /[*?[]/.test(server + tool))
  const seen = new Set<string>()
  return found.filter((rule) => {
    const key = JSON.stringify([rule.effect, rule.server, rule.tool])
    if (seen.has(key)) return false
    seen.add(key)
    const same = found.find(
      (other) => isWeaker(rule, other) && other.server === rule.server && other.tool === rule.tool,
    )
    const cover = same ?? wide.find((other) => other !== rule && !isWeaker(other, rule) && coversOther(other, rule))
    if (cover === undefined) return true
    lose("no-effect", rule.at, rule.written, `${cover.written} decides everything it is about`, "nothing")
    return false
  })
}

/** Of two rules with one meaning, neither covers the other. */
function coversOther(wide: FoundRule, narrow: FoundRule): boolean {
  if (!covers(wide, narrow)) return false
  return isWeaker(narrow, wide) || !covers(narrow, wide)
}

function covers(wide: FoundRule, narrow: FoundRule): boolean {
  return globCovers(wide.server, narrow.server) && globCovers(wide.tool, narrow.tool)
}

function overlaps(one: FoundRule, other: FoundRule): boolean {
  return !globsDisjoint(one.server, other.server) && !globsDisjoint(one.tool, other.tool)
}

function isWeaker(one: FoundRule, other: FoundRule): boolean {
  return strictness[one.effect] < strictness[other.effect]
}

function isForAll({ server, tool }: FoundRule): boolean {
  return server === "*" && tool === "*"
}

function ruleOf({ effect, server, tool, at }: FoundRule, where: string): Rule {
  const origin = { where, line: at.line, column: at.column }
  return { effect, id: at.path, target: { server, kind: "tool", name: tool, whole: false }, origin }
}
