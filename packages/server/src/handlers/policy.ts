import {
  describeRule,
  explain,
  idleUsage,
  indexGrants,
  isRunPrincipal,
  type JsonObject,
  type Mode,
  policyMode,
  type Rule,
  ruleText,
  type Session,
  starterName,
} from "@byleave/core"
import { refuse } from "../refused.ts"
import type { ApiService } from "../service.ts"
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
    template: rule.origin.template ?? null,
  }))
  return { version, default: policy.default, rules, limits, forbiddenModes, selfApproval, wait }
}

function whereOf({ origin }: Rule): string {
  return origin.line === undefined ? origin.where : `${origin.where}:${origin.line}`
}

export const explainPolicy: Handler<"explainPolicy"> = async (service, { body }) => {
  const { version, forbiddenModes } = service.policy()
  if (body.mode !== undefined && forbiddenModes.includes(policyMode(body.mode))) {
    return refuse("invalid-mode", `The policy forbids the mode ${body.mode}, so no session can use it.`)
  }
  const state = await service.store.decisionState()
  const session = { principal: body.principal, id: body.session ?? body.principal, named: body.session !== undefined }
  const mode = body.mode ?? (await modeOf(service, session))
  const facts = body.kind === "tool" ? toolKnowledge(service, state).factsOf(body.tool) : undefined
  const { decision, ...explained } = explain(service.compiled(), indexGrants(state.grants), {
    target: { server: body.tool.server, kind: body.kind, name: body.tool.tool },
    args: body.args,
    tool: facts,
    principal: { id: body.principal },
    session,
    starter: await starterOf(service, session),
    state: { mode, usage: idleUsage },
    now: service.time(),
  })
  const { because: _, ...decided } = decision
  const { access = null, accessFrom = null, pin = null } = facts ?? {}
  return { ...decided, ...explained, mode, access, accessFrom, pin, policy: version }
}

/** Of the agent run that the session is: permissions may be for the runs of one starter. */
async function starterOf(service: ApiService, { principal, id }: Session): Promise<string | undefined> {
  const run = isRunPrincipal(principal) ? await service.store.runSummary(id) : undefined
  return run === undefined ? undefined : starterName(run.startedBy)
}

async function modeOf(service: ApiService, session: Session): Promise<Mode> {
  const now = service.time()
  const record = await service.store.session(session)
  return record !== undefined && record.endedAt === null && (record.modeUntil ?? now + 1) > now ? record.mode : "ask"
}
