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
import { isRunPrincipal, runPrincipals } from "../../call/run-principal.ts"
import { shownName } from "../../call/text/quoted.ts"
import type { GateContext } from "../context.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { changeSession } from "../reviewers/change-session.ts"
import type { ApprovalQuery } from "../store.ts"
import { isReviewersAnswer } from "./lapsed-yes.ts"

/**
 * A tool that was denied too often is refused in every session of the agent until a person lifts that: a new session is there for the asking. Agents
 * that a program names are there for the asking too, so a tool denied to several of them is refused to all; and so are agent runs, so a tool denied in
 * several runs of one starter is refused in all. Names of resources and prompts, and of a program's own tools, are there for the asking as well: what
 * is no tool counts by its kind, and whoever was denied very often, whatever the names were, is asked about no more. `starter`: of the run whose call
 * it is.
 */
export function refusedTarget(
  snapshot: PolicySnapshot,
  call: Pick<Call, "kind" | "tool" | "session">,
  { asks, starter }: { readonly asks: boolean; readonly starter?: string },
): Refusal | null {
  if (!snapshot.refusesTools) return null
  const scopes = [call.session, ...refusalScopes(call.session, starter)]
  const refusedIn = (target: ToolRef): Session | undefined => {
    const key = toolKey(target)
    return scopes.find((session) => snapshot.session(sessionKey(session))?.refused.includes(key) === true)
  }
  const target = deniedTarget(call)
  const own = asks || target === call.tool ? refusedIn(target) : undefined
  if (own !== undefined) return tooOften(call, target, own === call.session)
  return asks && refusedIn(everyTarget) !== undefined ? askedTooOften : null
}

const askedTooOften: Refusal = {
  by: "limit",
  code: "denied-too-often",
  reason:
    "Too many calls were denied, so nothing that needs approval is asked any more until a person unblocks it. Do not try it another way.",
}

/** Stands for whatever needs approval. */
const everyTarget: ToolRef = { server: "*", tool: "*" }

/** The target that a denial counts for: the tool, or everything of a kind that its server has. */
function deniedTarget({ kind = "tool", tool }: Pick<Call, "kind" | "tool">): ToolRef {
  return kind === "tool" ? tool : { server: tool.server, tool: `${kind}:*` }
}

function tooOften(call: Pick<Call, "session">, target: ToolRef, inSession: boolean): Refusal {
  const name = shownName(toolName(target))
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

/** Whoever has been denied this many times as often as one tool may be, whatever was asked for, is asked about nothing more. */
const targetsInAll = 10

/** Whether a known person said no. A program's or client's no counts for its call alone: it says nothing of what people want. */
export function isReviewersDenial<A extends Approval | ApprovalSummary>(
  approval: A,
): approval is Extract<A, { readonly status: "denied" }> {
  return approval.status === "denied" && approval.by !== null && isReviewersAnswer(approval.by)
}

/** After a reviewer's denial: whether it was one too many, for the agent or run, or for the program that names or starts it. */
export async function refuseIfDeniedTooOften(context: GateContext, denied: Approval): Promise<void> {
  const { policy } = await context.snapshots.current()
  const { count, withinMs } = policy.limits.denials
  const { session, starter } = denied
  const { principal } = session
  const target = deniedTarget(denied)
  const [agent, program] = refusalScopes(session, starter)
  const denials = (query: DenialQuery) => (since: EpochMs) =>
    context.store.approvals({ ...query, statuses: ["denied"], settledSince: since, limit: 1_000 })
  const ofTarget = denied.kind === "tool" ? denied.tool : { server: denied.tool.server }
  const isOfTarget = (other: ApprovalSummary): boolean => other.kind === denied.kind
  const own = isRunPrincipal(principal) ? { principal, session: session.id } : { principal }
  const isOfAll = (other: ApprovalSummary): boolean => {
    if (program === undefined) return true
    return starter === undefined ? credentialOf(other.principal.id) === program.principal : other.starter === starter
  }
  const among =
    (query: DenialQuery, ...tests: ReadonlyArray<(one: ApprovalSummary) => boolean>) =>
    async (since: EpochMs) =>
      (await denials(query)(since)).filter((one) => tests.every((test) => test(one)))
  if (agent !== undefined) {
    await refuseFrom(context, agent, target, { count, withinMs, denials: among({ ...own, ...ofTarget }, isOfTarget) })
  }
  if (program !== undefined) {
    const ofAll = among(ofTarget, isOfTarget, isOfAll)
    await refuseFrom(context, program, target, { count: count * agentsOfProgram, withinMs, denials: ofAll })
  }
  const widest = program ?? agent
  const ofWidest = program === undefined ? own : {}
  if (widest === undefined) return
  await refuseFrom(context, widest, everyTarget, {
    ...{ count: count * targetsInAll, withinMs },
    denials: among(ofWidest, isOfAll),
  })
}

type DenialQuery = Pick<ApprovalQuery, "principal" | "session" | "server" | "tool">

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
  const byReviewers = recent.flatMap((approval) => (isReviewersDenial(approval) ? [approval] : []))
  if (timesAskedAgain(byReviewers) < counted.count) return
  await changeSession(context, scope, (before) =>
    before.refused.includes(key) ? null : { next: { ...before, refused: [...before.refused, key], endedAt: null } },
  )
}

/** Calls that waited together are often one thought of the agent, and of the person who denies them; beyond this many they are not. */
const onceTogether = 5

/**
 * Counts denials of calls that were made after the denial counted before: those that already waited when somebody said no count with it, five of them as
 * one. In the order of the answers: a call that was left open takes back nothing of what was denied meanwhile.
 */
function timesAskedAgain(denied: ReadonlyArray<{ readonly createdAt: EpochMs; readonly settledAt: EpochMs }>): number {
  let times = 0
  let together = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  for (const { createdAt, settledAt } of denied.toSorted((one, other) => one.settledAt - other.settledAt)) {
    if (createdAt >= answeredAt) {
      answeredAt = settledAt
      together = 0
    }
    if (together % onceTogether === 0) times += 1
    together += 1
  }
  return times
}
