import type { SuggestionsView, SuggestionView } from "@byleave/api"
import { type Approval, type ApprovalSummary, describeRule, isReviewersAnswer, ruleText, toolName } from "@byleave/core"
import {
  type AnsweredCall,
  type RuleSuggestion,
  suggestRules as suggest,
  type UnansweredCall,
} from "@byleave/core/compare"
import type { ApiService } from "../service.ts"
import { toolKnowledge } from "../show/tool-knowledge.ts"
import type { Handler } from "./handler.ts"

/** How far back people's answers are looked at. */
const mostApprovals = 5_000
const longestAgo = 30 * 24 * 60 * 60_000
const week = 7 * 24 * 60 * 60_000
const pageSize = 500
/** No rule that a person would write comes of larger arguments. */
const largestRead = 65_536

export const suggestRules: Handler<"suggestRules"> = async (service) => {
  const state = await service.store.decisionState()
  const answered = await answeredCalls(service)
  const suggestions = suggest({
    answered,
    waiting: await waitingCalls(service),
    policy: service.policy(),
    ...(service.policyPorts === undefined ? {} : { policyPorts: service.policyPorts }),
    grants: state.grants,
    factsOf: toolKnowledge(service, state).factsOf,
    now: service.time(),
  })
  return {
    items: suggestions.flatMap((one) => viewOf(service, one) ?? []),
    week: weekOf(service, answered, suggestions),
  }
}

function viewOf(service: ApiService, { rule, narrows, ...rest }: RuleSuggestion): SuggestionView | null {
  const written = service.configText?.written(rule) ?? ruleText(rule)
  // A rule that spells out a secret is not to be copied about.
  if (service.redactor.redactText(written) !== written) return null
  return {
    ...rest,
    rule: written,
    words: describeRule(rule),
    effect: rule.effect,
    narrows: narrows === undefined ? null : service.redactor.redactText(ruleText(narrows)),
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

const answered = ["approved", "running", "succeeded", "failed", "unknown", "denied"] as const

async function answeredCalls({ store, time }: ApiService): Promise<readonly AnsweredCall[]> {
  const calls: AnsweredCall[] = []
  const createdSince = time() - longestAgo
  let last: ApprovalSummary | undefined
  for (let seen = 0; seen < mostApprovals; seen += pageSize) {
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await store.approvals({ statuses: answered, createdSince, ...after, limit: pageSize })
    for (const { id, bytes } of page) {
      const approval = bytes > largestRead ? undefined : await store.approval(id)
      if (approval !== undefined) calls.push(...answeredCall(approval))
    }
    last = page.at(-1)
    if (page.length < pageSize) break
  }
  return calls
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

/** Without votes, nobody answered: a grant released the call, or a rule refused it meanwhile. */
function answeredCall(approval: Approval): readonly AnsweredCall[] {
  const { id, kind, tool, principal, session, args, remember, votes, callDigest, runDigest, createdAt } = approval
  const vote = votes.at(-1)
  if (vote === undefined || kind !== "tool" || !isReviewersAnswer(vote.reviewer)) return []
  const answer = vote.kind === "approve" && callDigest !== runDigest ? "edited" : vote.kind
  const alone = vote.together !== true
  return [{ id, at: createdAt, tool, principal: principal.id, session: session.id, args, answer, remember, alone }]
}
