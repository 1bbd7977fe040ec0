import { stillCounts } from "../approval/votes.ts"
import type { Call } from "../call/call.ts"
import type { Target } from "../policy/decide/decision.ts"
import { judgeCall } from "./callers/judge-call.ts"
import { judgeInTurn } from "./callers/judge-in-turn.ts"
import { mayStillRun } from "./callers/may-still-run.ts"
import { followPermits } from "./callers/permits.ts"
import { attach } from "./callers/resume.ts"
import { submit } from "./callers/submit.ts"
import { takeOver } from "./callers/take-over.ts"
import { createContext, type GateContext } from "./context.ts"
import type { Gate, MayTell } from "./gate.ts"
import { expireDue, renewLeases } from "./keep-time.ts"
import type { GateOptions } from "./ports.ts"
import { answer } from "./reviewers/answer.ts"
import { answerInClient } from "./reviewers/answer-in-client.ts"
import { addGrants, setGrantLevel } from "./reviewers/change-grants.ts"
import { checkEdit } from "./reviewers/check-edit.ts"
import { conveyAnswer } from "./reviewers/convey-answer.ts"
import {
  cancel,
  endRevokedSessions,
  endSession,
  extend,
  rerun,
  revoke,
  stopSession,
  undo,
} from "./reviewers/manage-approvals.ts"
import {
  accept,
  knowsProgram,
  lift,
  offered,
  quarantine,
  reject,
  seeInstructions,
  seeProgram,
  seeTools,
} from "./reviewers/manage-definitions.ts"
import { addGrant, liftRefusals, replacePolicy, revokeGrant, setMode } from "./reviewers/manage-permissions.ts"
import { runNow } from "./reviewers/run-now.ts"
import { changeRun, importRun, journalLines, pauseRun, startRun } from "./runs/change-run.ts"
import { cancelRun, removeRun, stopRun } from "./runs/end-run.ts"
import { takeUpCall, tryCall } from "./runs/try-call.ts"

/** The gate in this process: policy, store and runs joined. */
export async function createGate(options: GateOptions): Promise<Gate> {
  const context = createContext(options)
  await renewLeases(context)
  const stops = [forwardCancels(context), followPermits(context)]
  return {
    submit: (call, run, submitOptions = {}) => submit(context, call, run, submitOptions),
    judge: async (target, args, caller) =>
      judgeInTurn(context, caller, {
        prepare: context.snapshots.current,
        judge: (snapshot) => judgeCall(context, snapshot, { ...caller, ...callAt(target) }, args),
      }),
    foresee: async (target, args, caller) =>
      judgeCall(context, await context.snapshots.current(), { ...caller, ...callAt(target) }, args),
    mayStillRun: (call, args, approval, how) => mayStillRun(context, call, args, approval, how),
    checkEdit: (approval, args) => checkEdit(context, approval, args),
    answer: (verdict) => answer(context, verdict),
    conveyAnswer: (given) => conveyAnswer(context, given),
    answerInClient: (given) => answerInClient(context, given),
    attach: (approval, call, run, submitOptions = {}) => attach(context, approval, call, run, submitOptions),
    takeOver: (approval, session, run) => takeOver(context, approval, session, run),
    cancel: (approval, principal, detail = "the caller withdrew it.") => cancel(context, approval, principal, detail),
    extend: (approval, reviewer, until) => extend(context, approval, reviewer, until),
    revoke: (approval, reviewer) => revoke(context, approval, reviewer),
    rerun: (approval, digest, reviewer) => rerun(context, approval, digest, reviewer),
    undo: (approval, call, reviewer) => undo(context, approval, call, reviewer),
    runNow: (order, run) => runNow(context, order, run),
    approval: (id) => context.store.approval(id),
    whichVotesCount: async () => {
      const { groupsNow } = await context.snapshots.current()
      return (approval, vote) => stillCounts(approval, vote, groupsNow)
    },
    grants: () => context.store.grants(),
    addGrant: (grant, reviewer) => addGrant(context, grant, reviewer),
    addGrants: (grants, reviewer) => addGrants(context, grants, reviewer),
    revokeGrant: (id, reviewer) => revokeGrant(context, id, reviewer),
    setGrantLevel: (id, wanted, reviewer) => setGrantLevel(context, id, wanted, reviewer),
    seeTools: (server, tools, elsewhere = [], mayTell = anybody) =>
      seeTools(context, { server, mayTell }, tools, elsewhere),
    offeredTools: (server, tools) => offered(context, server, tools),
    seeInstructions: (server, instructions, mayTell = anybody) =>
      seeInstructions(context, { server, mayTell }, instructions),
    knowsProgram: (server, program) => knowsProgram(context, server, program),
    seeProgram: (server, program, mayTell = anybody) => seeProgram(context, { server, mayTell }, program),
    acceptDefinition: (of, fingerprint, reviewer) => accept(context, of, fingerprint, reviewer),
    rejectDefinition: (of, fingerprint, reviewer) => reject(context, of, fingerprint, reviewer),
    quarantine: (of, reviewer) => quarantine(context, of, reviewer),
    liftQuarantine: (of, reviewer) => lift(context, of, reviewer),
    setMode: (session, mode, modeOptions) => setMode(context, session, mode, modeOptions),
    liftRefusals: (session, tool, reviewer) => liftRefusals(context, session, tool, reviewer),
    endSession: (session) => endSession(context, session),
    stopSession: (session) => stopSession(context, session),
    endRevokedSessions: (isTheirs, until) => endRevokedSessions(context, isTheirs, until),
    replacePolicy: (policy, by) => replacePolicy(context, policy, by),
    expireDue: () => expireDue(context),
    renewLeases: () => renewLeases(context),
    startRun: (run, lines, by) => startRun(context, run, lines, by),
    importRun: (run, lines, by) => importRun(context, run, lines, by),
    changeRun: (id, eventFor, extra) => changeRun(context, id, eventFor, extra),
    journalLines: (run, lines) => journalLines(context, run, lines),
    tryCall: (call, run, begun) => tryCall(context, call, run, begun),
    pauseRun: (pause) => pauseRun(context, pause),
    takeUpCall: (approval, call, run) => takeUpCall(context, approval, call, run),
    cancelRun: (id, end) => cancelRun(context, id, end),
    stopRun: (id, stop) => stopRun(context, id, stop),
    removeRun: (id, by) => removeRun(context, id, by),
    run: (id) => context.store.run(id),
    runSummary: (id) => context.store.runSummary(id),
    runs: (query) => context.store.runs(query),
    countRuns: (query) => context.store.countRuns(query),
    openRuns: (startedBy) => context.store.openRuns(startedBy),
    runsToTakeUp: async (limit) => {
      const now = context.now()
      return context.store.runsToTakeUp({ now, alive: await context.store.alive(now), limit })
    },
    journal: (run, after) => context.store.journal(run, { after, maxBytes: journalPage }),
    lastLine: (run) => context.store.lastLine(run),
    events: (listener) => context.store.subscribe(listener),
    close: async () => {
      context.beginClosing()
      for (const stop of stops) stop()
      context.waiters.close()
      context.snapshots.stop()
      await context.inside.empty()
      await context.settled()
    },
  }
}

/** Bytes of a journal that are read at once. */
const journalPage = 1_000_000

const anybody: MayTell = async () => true

function callAt(target: Target): Pick<Call, "tool"> & { readonly kind: Target["kind"] } {
  return { kind: target.kind, tool: { server: target.server, tool: target.name } }
}

/** A cancel may arrive at any process; the one that runs the call hears of it here. */
function forwardCancels(context: GateContext): () => void {
  return context.store.subscribe((event) => {
    if (event.type !== "approval.changed" || !context.running.has(event.subject)) return
    context.track(
      context.store.approval(event.subject).then((approval) => {
        if (approval?.status === "running" && approval.cancelAsked) context.running.get(approval.id)?.cancel()
      }),
    )
  })
}
