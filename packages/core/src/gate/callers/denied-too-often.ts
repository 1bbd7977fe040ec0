import type { Approval } from "../../approval/approval.ts"
import type { Refusal } from "../../approval/refusal.ts"
import { type Call, type EpochMs, type Session, sessionKey, toolKey, toolName } from "../../call/call.ts"
import { showText } from "../../call/text/show-text.ts"
import { isRunPrincipal } from "../../run/agent-run.ts"
import type { GateContext } from "../context.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { changeSession } from "../reviewers/change-session.ts"

/** A tool that was denied too often is refused in every session of the agent until a person lifts that: a new session is there for the asking. */
export function refusedTool(snapshot: PolicySnapshot, call: Pick<Call, "kind" | "tool" | "session">): Refusal | null {
  if (!snapshot.refusesTools || (call.kind ?? "tool") !== "tool") return null
  const key = toolKey(call.tool)
  const isRefused = (session: Session): boolean => {
    const refused = snapshot.session(sessionKey(session))?.refused
    return refused !== undefined && refused.length > 0 && refused.includes(key)
  }
  if (!isRefused(call.session) && !isRefused(allSessionsOf(call.session))) return null
  const name = showText(toolName(call.tool))
  const where = isRunPrincipal(call.session.principal) ? "" : ", also in new sessions,"
  const reason = `${name} was denied too often, so it is blocked${where} until a person unblocks it. Do not try it another way.`
  return { by: "limit", code: "denied-too-often", reason }
}

/** State that applies to all sessions of an agent is kept under one session, whose id is the agent itself. Each agent run is an agent of its own, so its session stands for itself. */
export function allSessionsOf(session: Session): Session {
  const { principal } = session
  return isRunPrincipal(principal) ? session : { principal, id: principal, named: false }
}

/** After a reviewer's denial: whether it was one too many. */
export async function refuseIfDeniedTooOften(context: GateContext, denied: Approval): Promise<void> {
  if (denied.kind !== "tool") return
  const { policy } = await context.snapshots.current()
  const { count, withinMs } = policy.limits.denials
  const { tool, session } = denied
  const key = toolKey(tool)
  const agent = allSessionsOf(session)
  const record = await context.store.session(agent)
  const lifted = record?.lifted.find((entry) => entry.tool === key)?.at ?? -1
  const since = Math.max(context.now() - withinMs, lifted + 1)
  const ofRun = isRunPrincipal(session.principal) ? { session: session.id } : {}
  const here = { principal: session.principal, ...ofRun, ...tool }
  const recent = await context.store.approvals({ ...here, statuses: ["denied"], settledSince: since, limit: 1_000 })
  const byReviewers = recent.flatMap((approval) =>
    approval.status === "denied" && approval.by !== null ? [approval] : [],
  )
  if (timesAskedAgain(byReviewers) < count) return
  await changeSession(context, agent, (before) =>
    before.refused.includes(key) ? null : { next: { ...before, refused: [...before.refused, key], endedAt: null } },
  )
}

/** Counts denials of calls that were made after the denial counted before: those that already waited when somebody said no count with it. */
function timesAskedAgain(denied: ReadonlyArray<{ readonly createdAt: EpochMs; readonly settledAt: EpochMs }>): number {
  let times = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  for (const { createdAt, settledAt } of denied.toSorted((one, other) => one.createdAt - other.createdAt)) {
    if (createdAt < answeredAt) continue
    times += 1
    answeredAt = settledAt
  }
  return times
}
