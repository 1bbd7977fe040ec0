import { type Approval, type ApprovalSummary, describeRule, ruleText } from "@byleave/core"
import { type AnsweredCall, suggestRules as suggest } from "@byleave/core/compare"
import type { ApiService } from "../service.ts"
import { toolKnowledge } from "../show/tool-knowledge.ts"
import type { Handler } from "./handler.ts"

/** How far back people's answers are looked at. */
const mostApprovals = 2_000
const pageSize = 500
/** No rule that a person would write comes of larger arguments. */
const largestRead = 65_536

export const suggestRules: Handler<"suggestRules"> = async (service) => {
  const state = await service.store.decisionState()
  const suggestions = suggest({
    answered: await answeredCalls(service),
    policy: service.policy(),
    ...(service.policyPorts === undefined ? {} : { policyPorts: service.policyPorts }),
    grants: state.grants,
    factsOf: toolKnowledge(service, state).factsOf,
    now: service.time(),
  })
  const items = suggestions.flatMap(({ rule, ...rest }) => {
    const written = service.configText?.written(rule) ?? ruleText(rule)
    // A rule that spells out a secret is not to be copied about.
    if (service.redactor.redactText(written) !== written) return []
    return [{ rule: written, words: describeRule(rule), effect: rule.effect, ...rest }]
  })
  return { items }
}

const answered = ["approved", "running", "succeeded", "failed", "unknown", "denied"] as const

async function answeredCalls({ store }: ApiService): Promise<readonly AnsweredCall[]> {
  const calls: AnsweredCall[] = []
  let last: ApprovalSummary | undefined
  for (let seen = 0; seen < mostApprovals; seen += pageSize) {
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await store.approvals({ statuses: answered, ...after, limit: pageSize })
    for (const { id, bytes } of page) {
      const approval = bytes > largestRead ? undefined : await store.approval(id)
      if (approval !== undefined) calls.push(...answeredCall(approval))
    }
    last = page.at(-1)
    if (page.length < pageSize) break
  }
  return calls
}

/** Null votes are answers nobody gave: a grant released it, or a rule refused it meanwhile. */
function answeredCall(approval: Approval): readonly AnsweredCall[] {
  const { id, kind, tool, principal, session, args, remember, votes, callDigest, runDigest } = approval
  const vote = votes.at(-1)
  if (vote === undefined || kind !== "tool") return []
  const answer = vote.kind === "approve" && callDigest !== runDigest ? "edited" : vote.kind
  return [{ id, tool, principal: principal.id, session: session.id, args, answer, remember }]
}
