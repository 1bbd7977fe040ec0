/**
 * Simulated weeks through the engine as it is: every call is decided by the policy of that moment; what asks is answered by the person; each evening every
 * suggested rule is accepted. Counted are prompts, calls that ran which the person would have denied, and calls refused which they would have allowed.
 */
import { allSteps } from "../../packages/core/src/call/steps.ts"
import { type AnsweredCall, suggestRules } from "../../packages/core/src/policy/compare/index.ts"
import { compilePolicy } from "../../packages/core/src/policy/decide/compile-policy.ts"
import { decide } from "../../packages/core/src/policy/decide/decide.ts"
import { idleUsage } from "../../packages/core/src/policy/decide/exceeded-limit.ts"
import { indexGrants } from "../../packages/core/src/policy/decide/index-grants.ts"
import { ruleText } from "../../packages/core/src/policy/decide/sentences.ts"
import { emptyPolicy, type Policy, type Rule } from "../../packages/core/src/policy/rules/rule.ts"
import { seeded } from "./random.ts"
import { factsOf, type MadeCall, workspace } from "./tools.ts"
import { lastDay, type Week } from "./weeks.ts"

export type DayCount = {
  calls: number
  prompts: number
  asked: readonly string[]
  ranWrongly: readonly string[]
  refusedWrongly: readonly string[]
}
export type WeekResult = {
  readonly name: string
  readonly days: readonly DayCount[]
  readonly rules: readonly string[]
}

const hour = 3_600_000
const monday = Date.UTC(2026, 0, 5, 8)
const servers: Policy["servers"] = [
  { id: "files", trust: "annotations", pin: "full", folders: [workspace] },
  { id: "memory", trust: "annotations", pin: "full" },
]
const noGrants = indexGrants([])

export function simulateWeek(week: Week, seed = week.seed): WeekResult {
  const random = seeded(seed)
  const known = new Map(week.agents.map(({ name }) => [name, new Map<string, string[]>()]))
  const answered: AnsweredCall[] = []
  const result: DayCount[] = []
  let rules: readonly Rule[] = []
  for (let day = 1; day <= lastDay; day += 1) {
    for (const { folder } of (week.takesBack ?? []).filter((one) => one.day === day)) {
      rules = rules.filter((rule) => !ruleText(rule).includes(folder))
    }
    const policy = compilePolicy({ ...emptyPolicy, servers, rules })
    const count = {
      calls: 0,
      prompts: 0,
      asked: [] as string[],
      ranWrongly: [] as string[],
      refusedWrongly: [] as string[],
    }
    for (const agent of week.agents) {
      const moment = { random, day, known: known.get(agent.name) ?? new Map() }
      for (let at = 0; at < agent.callsPerDay; at += 1) {
        const call = random.weighted(agent.habits(day))(moment)
        const session = `${day}-${Math.floor((at * agent.sessionsPerDay) / agent.callsPerDay)}`
        const now = monday + (day - 1) * 24 * hour + Math.floor((at * 9 * hour) / agent.callsPerDay)
        const would = week.person(call, day)
        const { effect } = decide(policy, noGrants, questionOf(call, agent.name, session, now))
        count.calls += 1
        if (effect === "ask") {
          count.prompts += 1
          count.asked.push(`${would ? "yes" : "no "} ${agent.name}: ${textOf(call)}`)
          answered.push(answerOf(call, agent.name, session, now, would ? "approve" : "deny", answered.length))
        } else if (effect === "allow" && !would) count.ranWrongly.push(`${agent.name}: ${textOf(call)}`)
        else if (effect === "deny" && would) count.refusedWrongly.push(`${agent.name}: ${textOf(call)}`)
      }
    }
    result.push(count)
    rules = withAccepted(answered, rules, monday + day * 24 * hour)
  }
  return { name: week.name, days: result, rules: rules.map(ruleText) }
}

/** The rules with every suggestion accepted, and without those that one of them replaces. */
function withAccepted(answered: readonly AnsweredCall[], rules: readonly Rule[], now: number): readonly Rule[] {
  const policy = { ...emptyPolicy, servers, rules }
  const steps = suggestRules({ answered, policy, grants: [], factsOf: ({ tool }) => factsOf(tool), now })
  const { suggestions: accepted } = allSteps(steps)
  const replaced = new Set(accepted.flatMap(({ replaces }) => replaces))
  return [...rules.filter((rule) => !replaced.has(rule)), ...accepted.map(({ rule }) => rule)]
}

function questionOf({ server, tool, args }: MadeCall, principal: string, session: string, now: number) {
  return {
    target: { server, kind: "tool", name: tool },
    args,
    tool: factsOf(tool),
    principal: { id: principal },
    session: { principal, id: session, named: true },
    state: { mode: "ask", usage: idleUsage },
    now,
  } as const
}

function answerOf(
  { server, tool, args }: MadeCall,
  principal: string,
  session: string,
  at: number,
  answer: "approve" | "deny",
  count: number,
): AnsweredCall {
  return {
    id: `a${count}`,
    at,
    tool: { server, tool },
    principal,
    session,
    args,
    answer,
    remember: "allowed",
    alone: true,
  }
}

function textOf({ server, tool, args }: MadeCall): string {
  return `${server}(${tool}) ${JSON.stringify(args)}`
}

export function promptsPerHundred({ calls, prompts }: Pick<DayCount, "calls" | "prompts">): number {
  return (100 * prompts) / calls
}
