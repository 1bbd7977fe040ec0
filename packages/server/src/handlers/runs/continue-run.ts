/**
 * How a run goes on: with answers to what it waits for, with a message, or after a failure.
 *
 * I1. Whatever lets a run do more needs a reviewer's presence, as their yes does.
 * I2. A decision about a call that is not of this run decides nothing, nor does any other of that request; nor do two about one call.
 */
import type { ContinueRunBody, RunAnswerView, RunDecision } from "@byleave/api"
import { type AgentRun, type Approval, isRunPrincipal } from "@byleave/core"
import type { AgentRunInput, AgentRuns, AgentRunsAnswer, RunMessage } from "../../agent-runs.ts"
import { type RunCaller, runFor, starterOf } from "../../guard/run-caller.ts"
import { needPresence } from "../../guard/who-asks.ts"
import { isRefused, problemOf, type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import type { HandledRequest, Handler } from "../handler.ts"
import { decideCall } from "./decide-call.ts"
import { serversIn } from "./named-servers.ts"
import { runAnswer, waitedFor, waitSignal } from "./run-answer.ts"
import { runsOf, runsRefused } from "./runs-refused.ts"
import { unlessTaken } from "./with-pictures.ts"

export const continueRun: Handler<"continueRun"> = async (service, { params, body, query, who, request }) =>
  continueWith(service, params.id, { body, query, who, request })

/** Also how a request goes on that brings the session of a run along instead of its id. */
export async function continueWith(
  service: ApiService,
  id: string,
  { body, query, who, request }: Pick<HandledRequest<"continueRun">, "body" | "query" | "who" | "request">,
): Promise<RunAnswerView | RefusedRequest> {
  const run = await runFor(service, who, id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const session = isList(body) ? undefined : body.data?.session
  const stale = session == null ? null : await runs.checkSession(session, run)
  if (stale !== null) return runsRefused(stale)
  const asked = readContinue(service, body)
  if (isRefused(asked)) return asked
  const untaken = unlessTaken(runs, asked.input.setup?.model ?? run.setup.model, asked.input.messages ?? [])
  if (untaken !== null) return untaken
  const absent = who.kind === "reviewer" && !isOnlyNo(asked) ? needPresence(who) : null
  if (absent !== null) return absent
  const decided = await decideAll(service, who, run, asked.decisions)
  if (isRefused(decided)) return decided
  const by = starterOf(who).id
  const denied = await denyWaiting(runs, run, who, body)
  if (denied !== null) return denied
  const signal = waitSignal(service, query.wait, request)
  // A reviewer's denial alone does not continue the run: it continues by itself once everything is answered.
  const isReviewersNo = who.kind === "reviewer" && isOnlyNo(asked)
  const went = isReviewersNo ? { ok: true as const } : await goOn(runs, run.id, asked.input, by, signal)
  if (!went.ok && !isHarmless(went, asked)) return runsRefused(went.refusal)
  const now = await waitedFor(service, runs, run.id, { seconds: query.wait, request })
  return isRefused(now) ? now : runAnswer(service, { runs, who }, now, decided)
}

/** Denies what the run waits for in one go: it does not answer that first, and hears the message at once. */
async function denyWaiting(
  runs: AgentRuns,
  run: AgentRun,
  who: RunCaller,
  body: ContinueRunBody,
): Promise<RefusedRequest | null> {
  if (isList(body) || body.denyWaiting !== true || run.status !== "paused") return null
  const reviewer = who.kind === "reviewer" ? who.reviewer : { id: `conveyed by ${who.token}`, groups: [] }
  const stopped = await runs.stop(run.id, starterOf(who).id, reviewer)
  return stopped.ok || stopped.refusal.code === "run-has-nothing-to-do" ? null : runsRefused(stopped.refusal)
}

type Continuation = { readonly decisions: readonly RunDecision[]; readonly input: AgentRunInput }

function readContinue(service: ApiService, body: ContinueRunBody): Continuation | RefusedRequest {
  if (isList(body)) return { decisions: body, input: {} }
  const { decisions = [], data, message, messages = [], servers, model, instructions } = body
  const known = servers === undefined ? undefined : serversIn(service, servers)
  if (isRefused(known)) return known
  const said: readonly RunMessage[] =
    message === undefined ? messages : [...messages, { role: "user", content: message }]
  const setup = {
    ...(known === undefined ? {} : { servers: [...known] }),
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
  }
  const calls = (data?.tool_calls ?? []).map(({ id, ...answer }) => ({ requirement_id: id, ...answer }))
  return { decisions: [...decisions, ...calls], input: { ...(said.length === 0 ? {} : { messages: said }), setup } }
}

/** True if the request only denies, so that nothing more happens. */
function isOnlyNo({ decisions, input }: Continuation): boolean {
  const bringsMore = input.messages !== undefined || Object.keys(input.setup ?? {}).length > 0
  return decisions.length > 0 && decisions.every(({ execute }) => !execute) && !bringsMore
}

function isList(body: ContinueRunBody): body is Extract<ContinueRunBody, readonly unknown[]> {
  return Array.isArray(body)
}

type Decided = NonNullable<RunAnswerView["decisions"]>

/** An answer per decision; where none of them counts, the first one's problem. */
async function decideAll(
  service: ApiService,
  who: RunCaller,
  run: AgentRun,
  decisions: readonly RunDecision[],
): Promise<Decided | undefined | RefusedRequest> {
  if (decisions.length === 0) return undefined
  const byApproval = decisionsByApproval(run, decisions)
  if (isRefused(byApproval)) return byApproval
  const found: Array<{ readonly decision: RunDecision; readonly approval: DecidedApproval }> = []
  for (const [id, decision] of byApproval) {
    const approval = await approvalOf(service, run, id)
    if (approval === null) {
      const detail = `This run does not wait for ${decision.requirement_id}. Nothing was decided; see pending_requirements.`
      return refuse("bad-request", detail)
    }
    found.push({ decision, approval })
  }
  const answers: Array<Decided[number]> = []
  let first: RefusedRequest | null = null
  for (const { decision, approval } of found) {
    const refused = await decideCall(service, who, approval, decision)
    const of = { requirement_id: decision.requirement_id }
    answers.push(refused === null ? { ok: true, ...of } : { ok: false, ...of, problem: problemOf(refused) })
    first ??= refused
  }
  return first !== null && answers.every(({ ok }) => !ok) ? first : answers
}

/** As many as a run may wait for. */
const mostDecisions = 256

/** By the approval's id, which a decision names itself or by the tool call's. Two about one call are refused before any call is read. */
function decisionsByApproval(
  run: AgentRun,
  decisions: readonly RunDecision[],
): ReadonlyMap<string, RunDecision> | RefusedRequest {
  if (decisions.length > mostDecisions) {
    const detail = `A run waits for ${mostDecisions} calls at the most, and here are ${decisions.length} decisions. Nothing was decided.`
    return refuse("bad-request", detail)
  }
  const waited = run.status === "paused" ? run.requirements : run.status === "running" ? run.answered : []
  const approvalOfCall = new Map(waited.map(({ toolCall, approval }) => [toolCall, approval]))
  const byApproval = new Map<string, RunDecision>()
  for (const decision of decisions) {
    const id = approvalOfCall.get(decision.requirement_id) ?? decision.requirement_id
    if (byApproval.has(id)) {
      const detail = `Two decisions are about ${decision.requirement_id}. Nothing was decided; decide once about each call.`
      return refuse("bad-request", detail)
    }
    byApproval.set(id, decision)
  }
  return byApproval
}

/** Without the arguments: those of all calls of a request may be large together. */
type DecidedApproval = Pick<Approval, "id" | "runDigest">

/** Of a call of this run; also one that is answered, so that the same answer twice is fine. */
async function approvalOf(service: ApiService, run: AgentRun, id: string): Promise<DecidedApproval | null> {
  const approval = await service.gate.approval(id)
  const isOwn = approval !== undefined && isRunPrincipal(approval.principal.id) && approval.session.id === run.id
  return isOwn ? { id: approval.id, runDigest: approval.runDigest } : null
}

/** A message waits for the leg that the last answer began; without one there is nothing to wait for. */
async function goOn(
  runs: AgentRuns,
  id: string,
  input: AgentRunInput,
  by: string,
  signal: AbortSignal,
): Promise<AgentRunsAnswer> {
  for (;;) {
    const went = await runs.go(id, input, by)
    const isBusy = !went.ok && went.refusal.code === "run-under-way"
    if (!isBusy || input.messages === undefined) return went
    await runs.settled(id, signal)
    if (signal.aborted) return went
  }
}

/** After decisions the run goes on by itself, or waits for others. */
function isHarmless({ refusal }: Extract<AgentRunsAnswer, { ok: false }>, { decisions, input }: Continuation): boolean {
  if (decisions.length === 0 || input.messages !== undefined) return false
  return refusal.code === "run-waits" || refusal.code === "run-under-way" || refusal.code === "run-has-nothing-to-do"
}
