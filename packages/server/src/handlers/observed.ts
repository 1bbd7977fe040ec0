import type { ObservedView, ProposedRuleView } from "@byleave/api"
import { type EpochMs, stepsInTurns } from "@byleave/core"
import { type ObservedCall, type ProposedRule, reportObserved } from "@byleave/core/compare"
import { createSharedAnswer, type SharedAnswer } from "../guard/shared-answer.ts"
import type { ApiService } from "../service.ts"
import { bodyOf } from "../show/activity/read-record.ts"
import { type RecordedJudgement, recordedCalls } from "../show/activity/recorded-calls.ts"
import { answeredCalls } from "../show/answered-calls.ts"
import { portsForMany } from "../show/ports-for-many.ts"
import { opaqueSession } from "../show/session-key.ts"
import { shownRule, writtenRules } from "../show/shown-rule.ts"
import { toolKnowledge } from "../show/tool-knowledge.ts"
import type { Handler } from "./handler.ts"
import { learnedFrom, mostSearchMs } from "./suggestions.ts"

const week = 7 * 24 * 60 * 60_000
/** The newest recorded calls that a report looks at, and how many bytes of arguments. */
const most = { calls: 50_000, bytes: 16_777_216, atOnce: 32 } as const

export const observedCalls: Handler<"observedCalls"> = (service, { query }) =>
  query.since === undefined ? service.observed.get() : reportSince(service, query.since)

/** The report of the last seven days, which every page of policy and sessions shows. A call that runs is no event; its record is the newest. */
export function shareObserved(service: () => ApiService): SharedAnswer<ObservedView> {
  return createSharedAnswer(
    async () => {
      const newest = service().store.records({ types: ["call.allowed"], limit: 1, payloads: false })
      const [state, [last]] = await Promise.all([learnedFrom(service()), newest])
      return JSON.stringify([state, last?.writer, last?.seq])
    },
    () => reportSince(service(), service().time() - week),
  )
}

async function reportSince(service: ApiService, since: EpochMs): Promise<ObservedView> {
  const span = await observedSpan(service, since)
  const recorded = span === null ? [] : await recordedCalls(service, { ...most, ...span, types: ["call.allowed"] })
  const observed = recorded.flatMap(observedCall)
  const state = await service.store.decisionState()
  const steps = reportObserved({
    observed,
    // Nobody's denial matters where nothing was observed.
    answered: observed.length === 0 ? [] : await answeredCalls(service),
    policy: service.policy(),
    ...portsForMany(service),
    grants: state.grants,
    factsOf: toolKnowledge(service, state).factsOf,
    now: service.time(),
  })
  const { areRulesCut, ...report } = await stepsInTurns(steps, service.turns, mostSearchMs)
  const rules = report.rules.flatMap((one) => viewOf(service, one) ?? [])
  return {
    ...report,
    since,
    rules,
    spared: new Set(rules.flatMap(({ covers }) => covers)).size,
    isCut: recorded.length >= most.calls || areRulesCut,
    sessions: report.sessions.map((session) => ({ ...session, key: opaqueSession(session, service.hasher) })),
  }
}

function viewOf(service: ApiService, { rule, replaces, ...rest }: ProposedRule): ProposedRuleView | null {
  const shown = shownRule(service, rule)
  return shown === null ? null : { ...rest, ...shown, replaces: writtenRules(service, replaces) }
}

const mostModes = 1_000

/** The time from the first to the last moment in which a session may have been observed; null: none was. Sparing, since every call since then would be read. */
async function observedSpan(
  { store, time }: ApiService,
  since: EpochMs,
): Promise<{ readonly since: EpochMs; readonly until: EpochMs } | null> {
  const records = await store.records({ types: ["mode.set"], limit: mostModes, payloads: false })
  const set = records.flatMap(({ at, ...record }) => {
    const { mode, until } = bodyOf({ ...record, at, type: "mode.set" as const })
    return mode === "observe" && (until === null || until >= since) ? [{ at, until: until ?? time() }] : []
  })
  if (records.length === mostModes) return { since, until: time() }
  if (set.length === 0) return null
  return {
    since: Math.max(since, Math.min(...set.map(({ at }) => at))),
    until: Math.max(...set.map(({ until }) => until)),
  }
}

function observedCall(call: RecordedJudgement): readonly ObservedCall[] {
  const { id, at, target, principal, session, args, isMasked, wouldAsk } = call
  if (!wouldAsk || target.kind !== "tool") return []
  return [
    { id, at, tool: { server: target.server, tool: target.name }, principal, session, args: isMasked ? null : args },
  ]
}
