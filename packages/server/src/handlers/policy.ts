import { describeRule, explain, indexGrants, type JsonObject, type Rule, ruleText } from "@byleave/core"
import { toolKnowledge } from "../show/tool-knowledge.ts"
import type { Handler } from "./handler.ts"

export const getPolicy: Handler<"getPolicy"> = (service) => {
  const policy = service.policy()
  const { version, forbiddenModes, selfApproval, wait } = policy
  const limits = policy.limits as unknown as JsonObject
  const rules = policy.rules.map((rule) => ({
    id: rule.id,
    effect: rule.effect,
    text: ruleText(rule),
    words: describeRule(rule),
    reason: rule.reason ?? null,
    where: whereOf(rule),
  }))
  return { version, default: policy.default, rules, limits, forbiddenModes, selfApproval, wait }
}

function whereOf({ origin }: Rule): string {
  return origin.line === undefined ? origin.where : `${origin.where}:${origin.line}`
}

const fresh = { autoAllowedInSession: 0, autoAllowedInMinute: 0, writesInWindow: 0, coolDownUntil: null }

export const explainPolicy: Handler<"explainPolicy"> = async (service, { body }) => {
  const state = await service.store.decisionState()
  const now = service.time()
  const session = { principal: body.principal, id: body.session ?? body.principal, named: body.session !== undefined }
  const record = await service.store.session(session)
  const inForce = record !== undefined && record.endedAt === null && (record.modeUntil ?? now + 1) > now
  const { decision, ...explained } = explain(service.compiled(), indexGrants(state.grants), {
    target: { server: body.tool.server, kind: body.kind, name: body.tool.tool },
    args: body.args,
    tool: body.kind === "tool" ? toolKnowledge(service, state).factsOf(body.tool) : undefined,
    principal: { id: body.principal },
    session,
    state: { mode: inForce ? record.mode : "ask", usage: fresh },
    now,
  })
  const { effect, remember, approvals, reviewers } = decision
  return { effect, remember, approvals, reviewers, ...explained }
}
