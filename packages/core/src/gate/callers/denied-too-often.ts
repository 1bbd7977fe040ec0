import type { Approval } from "../../approval/approval.ts"
import type { ApprovalSummary } from "../../approval/approval-summary.ts"
import type { Refusal } from "../../approval/refusal.ts"
import {
  type Call,
  credentialOf,
  type EpochMs,
  type Session,
  sessionKey,
  type ToolRef,
  toolKey,
  toolName,
} from "../../call/call.ts"
import { showText } from "../../call/text/show-text.ts"
import { isRunPrincipal, runPrincipals } from "../../run/agent-run.ts"
import type { GateContext } from "../context.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { changeSession } from "../reviewers/change-session.ts"

/**
 * A tool that was denied too often is refused in every session of the agent until a person lifts that: a new session is there for the asking. Agents
 * that a program names are there for the asking too, so a tool denied to several of them is refused to all; and so are agent runs, so a tool denied in
 * several runs of one starter is refused in all. `starter`: of the run whose call it is.
 */
export function refusedTool(
  snapshot: PolicySnapshot,
  call: Pick<Call, "kind" | "tool" | "session">,
  starter?: string,
): Refusal | null {
  if (!snapshot.refusesTools || (call.kind ?? "tool") !== "tool") return null
  const key = toolKey(call.tool)
  const isRefused = (session: Session): boolean => {
    const refused = snapshot.session(sessionKey(session))?.refused
    return refused !== undefined && refused.length > 0 && refused.includes(key)
  }
  const inSession = isRefused(call.session)
  if (!inSession && !refusalScopes(call.session, starter).some(isRefused)) return null
  const name = showText(toolName(call.tool))
  const ofRun = inSession ? "" : ", also in new runs,"
  const where = isRunPrincipal(call.session.principal) ? ofRun : ", also in new sessions,"
  const reason = `${name} was denied too often, so it is blocked${where} until a person unblocks it. Do not try it another way.`
  return { by: "limit", code: "denied-too-often", reason }
}

/**
 * Where a refusal is kept that holds beyond one session: under a session whose id is the agent itself, for all its sessions, and under one whose id is
 * the credential, for all agents that it names. Each agent run is an agent of its own, so its session stands for itself, and one whose id names the
 * starter stands for all of that starter's runs.
 */
export function refusalScopes(session: Session, starter?: string): readonly Session[] {
  const { principal } = session
  if (isRunPrincipal(principal)) {
    const ofAll = { principal: runPrincipals[0], id: `started by ${starter}`, named: false }
    return starter === undefined ? [session] : [session, ofAll]
  }
  return [...new Set([principal, credentialOf(principal)])].map((id) => ({ principal: id, id, named: false }))
}

/** A program with several agents, or a starter of several runs, may be denied a tool this many times as often as one of them. */
const agentsOfProgram = 5

/** After a reviewer's denial: whether it was one too many, for the agent or run, or for the program that names or starts it. */
export async function refuseIfDeniedTooOften(context: GateContext, denied: Approval): Promise<void> {
  if (denied.kind !== "tool") return
  const { policy } = await context.snapshots.current()
  const { count, withinMs } = policy.limits.denials
  const { tool, session, starter } = denied
  const { principal } = session
  const [agent, program] = refusalScopes(session, starter)
  const denials = (of: { readonly principal?: string; readonly session?: string }) => (since: EpochMs) =>
    context.store.approvals({ ...of, ...tool, statuses: ["denied"], settledSince: since, limit: 1_000 })
  if (agent !== undefined) {
    const own = isRunPrincipal(principal) ? { principal, session: session.id } : { principal }
    await refuseFrom(context, agent, tool, { count, withinMs, denials: denials(own) })
  }
  if (program === undefined) return
  const isOfAll = (other: ApprovalSummary): boolean =>
    starter === undefined ? credentialOf(other.principal.id) === program.principal : other.starter === starter
  const ofAll = async (since: EpochMs): Promise<readonly ApprovalSummary[]> =>
    (await denials({})(since)).filter(isOfAll)
  await refuseFrom(context, program, tool, { count: count * agentsOfProgram, withinMs, denials: ofAll })
}

type Counted = {
  readonly count: number
  readonly withinMs: number
  readonly denials: (since: EpochMs) => Promise<readonly ApprovalSummary[]>
}

async function refuseFrom(context: GateContext, scope: Session, tool: ToolRef, counted: Counted): Promise<void> {
  const key = toolKey(tool)
  const record = await context.store.session(scope)
  const lifted = record?.lifted.find((entry) => entry.tool === key)?.at ?? -1
  const recent = await counted.denials(Math.max(context.now() - counted.withinMs, lifted + 1))
  const byReviewers = recent.flatMap((approval) =>
    approval.status === "denied" && approval.by !== null ? [approval] : [],
  )
  if (timesAskedAgain(byReviewers) < counted.count) return
  await changeSession(context, scope, (before) =>
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
