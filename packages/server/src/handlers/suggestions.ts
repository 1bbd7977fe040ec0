import type { SuggestionsView, SuggestionView } from "@byleave/api"
import { ruleText, stepsInTurns, toolName } from "@byleave/core"
import {
  type AnsweredCall,
  type RuleSuggestion,
  type SuggestedRules,
  suggestRules as suggest,
  type UnansweredCall,
} from "@byleave/core/compare"
import { createSharedAnswer, type SharedAnswer } from "../guard/shared-answer.ts"
import type { ApiService } from "../service.ts"
import { answeredCalls, largestRead } from "../show/answered-calls.ts"
import { portsForMany } from "../show/ports-for-many.ts"
import { shownRule, writtenRules } from "../show/shown-rule.ts"
import { toolKnowledge } from "../show/tool-knowledge.ts"
import type { Handler } from "./handler.ts"

const minute = 60_000
const week = 7 * 24 * 60 * 60_000

export const suggestRules: Handler<"suggestRules"> = async (service) => {
  const { suggestions, isCut, week } = await service.suggestions.get()
  return { items: suggestions.flatMap((one) => viewOf(service, one) ?? []), isCut, week }
}

export type Suggested = SuggestedRules & { readonly week: SuggestionsView["week"] }

/** So long rules are looked for, not counting the time that others take meanwhile. */
export const mostSearchMs = 5_000

/** Every open card asks. Answers to calls are events, and so is a call that waits; weeks and grants end by the minute. */
export function shareSuggestions(service: () => ApiService): SharedAnswer<Suggested> {
  return createSharedAnswer(
    () => learnedFrom(service()),
    () => suggested(service()),
  )
}

/** Names all that suggestions depend on. */
export async function learnedFrom({ store, policy, time }: ApiService): Promise<string> {
  const [event, { epoch }] = await Promise.all([store.lastEvent(), store.decisionState()])
  return JSON.stringify([event, epoch, policy().version, Math.floor(time() / minute)])
}

async function suggested(service: ApiService): Promise<Suggested> {
  const state = await service.store.decisionState()
  const answered = await answeredCalls(service)
  const waiting = await waitingCalls(service)
  const steps = suggest({
    answered,
    waiting,
    policy: service.policy(),
    ...portsForMany(service),
    grants: state.grants,
    factsOf: toolKnowledge(service, state).factsOf,
    now: service.time(),
  })
  const found = await stepsInTurns(steps, service.turns, mostSearchMs)
  return { ...found, week: weekOf(service, answered, found.suggestions) }
}

function viewOf(service: ApiService, { rule, narrows, replaces, ...rest }: RuleSuggestion): SuggestionView | null {
  const shown = shownRule(service, rule)
  if (shown === null) return null
  return {
    ...rest,
    ...shown,
    effect: rule.effect,
    narrows: narrows === undefined ? null : service.redactor.redactText(ruleText(narrows)),
    replaces: writtenRules(service, replaces),
  }
}

const mostTools = 5

function weekOf(
  service: ApiService,
  answered: readonly AnsweredCall[],
  suggestions: readonly RuleSuggestion[],
): SuggestionsView["week"] {
  const recent = answered.filter(({ at }) => at > service.time() - week)
  const spared = new Set(
    suggestions.flatMap(({ evidence, also, narrows }) => (narrows === undefined ? [...evidence, ...also] : [])),
  )
  const tools = new Map<string, { readonly tool: AnsweredCall["tool"]; asked: number }>()
  for (const { tool } of recent) {
    const known = tools.get(toolName(tool)) ?? { tool, asked: 0 }
    tools.set(toolName(tool), { tool, asked: known.asked + 1 })
  }
  return {
    asked: recent.length,
    approved: recent.filter(({ answer }) => answer === "approve").length,
    denied: recent.filter(({ answer }) => answer === "deny").length,
    saved: recent.filter(({ id }) => spared.has(id)).length,
    tools: [...tools.values()].toSorted((one, other) => other.asked - one.asked).slice(0, mostTools),
  }
}

const mostWaiting = 100

async function waitingCalls({ store }: ApiService): Promise<readonly UnansweredCall[]> {
  const page = await store.approvals({ statuses: ["pending"], limit: mostWaiting })
  const approvals = await Promise.all(
    page.filter(({ bytes }) => bytes <= largestRead).map(({ id }) => store.approval(id)),
  )
  return approvals.flatMap((approval) => {
    if (approval === undefined || approval.kind !== "tool" || approval.args === null) return []
    const { id, tool, principal, args } = approval
    return [{ id, tool, principal: principal.id, args }]
  })
}
