/**
 * Everything that happens to a run, as commits.
 *
 * I1. The pause of a run, the calls it waits for and the records of both are one commit.
 * I2. Only the owner of a run writes into its journal.
 * I3. A change that was thought of for one version of a run is made to that version only.
 */
import type { Approval } from "../../approval/approval.ts"
import type { AuditDraft } from "../../audit/record.ts"
import { starterName } from "../../call/run-principal.ts"
import type { AgentRun, JournalLine, Requirement, RunningRun } from "../../run/agent-run.ts"
import { type RunEvent, runTransition } from "../../run/run-transition.ts"
import { tooMuchHeld } from "../callers/held-limits.ts"
import { heldFrom } from "../callers/hold.ts"
import { callDigestOf, judgeCall } from "../callers/judge-call.ts"
import { judgeInTurn } from "../callers/judge-in-turn.ts"
import type { GateContext } from "../context.ts"
import { recordJudgement } from "../record-judgement.ts"
import { approvedBefore } from "../reviewers/approved-before.ts"
import { type Change, StoreError } from "../store.ts"
import {
  type AskedRunCall,
  type CarriedRun,
  type NewRun,
  type RunChanged,
  type RunChangeWith,
  type RunImported,
  type RunPause,
  type RunPaused,
  runCallKey,
} from "./run-gate.ts"
import { runRecord } from "./run-record.ts"
import { askedFirst } from "./try-call.ts"

/** More rivals than this for one run at once means something is wrong with the store. */
export const maxAttempts = 50

export async function startRun(
  context: GateContext,
  begun: NewRun,
  lines: readonly JournalLine[],
  by: string,
): Promise<RunningRun> {
  const progress = { steps: 0, usage: { input: 0, output: 0, total: 0 } }
  const run = newRun(context, { ...begun, ...progress, legs: 0, answered: [] })
  const records = [runRecord(context, "started", run, by)]
  const committed = await context.store.commit({ ...beginning(run, lines), records })
  if (!committed.ok) throw new StoreError("busy", `there is a run ${run.id} already.`)
  return run
}

export async function importRun(
  context: GateContext,
  carried: CarriedRun,
  lines: readonly JournalLine[],
  by: string,
): Promise<RunImported> {
  const run = newRun(context, carried)
  const used = { kind: "run-import", id: carried.state, version: 1, value: { run: run.id }, expiresAt: null }
  const committed = await context.store.commit({
    ...beginning(run, lines),
    documents: [{ put: used, replaces: null }],
    records: [runRecord(context, "imported", run, by, { state: carried.state })],
  })
  if (committed.ok) return { ok: true, run }
  if (committed.conflict === "document") return { ok: false, refusal: { code: "state-used" } }
  throw new StoreError("busy", `there is a run ${run.id} already.`)
}

function newRun(context: GateContext, begun: Omit<CarriedRun, "state">): RunningRun {
  const at = context.now()
  const { id, principal, startedBy, title, setup, legs, steps, usage, bytes, answered } = begun
  return {
    id,
    version: 1,
    principal,
    startedBy,
    createdAt: at,
    updatedAt: at,
    title,
    setup,
    legs: legs + 1,
    steps,
    usage,
    bytes,
    status: "running",
    owner: context.store.writer,
    leaseUntil: at + context.times.leaseMs,
    answered,
  }
}

function beginning(run: RunningRun, lines: readonly JournalLine[]): Omit<Change, "records"> {
  return {
    at: run.createdAt,
    runs: [{ next: run, replaces: null }],
    journal: { run: run.id, owner: run.owner, lines },
    events: [{ type: "agent-run.changed", subject: run.id }],
    durability: "full",
  }
}

export async function changeRun(
  context: GateContext,
  id: string,
  eventFor: (run: AgentRun, owner: { owner: string; leaseUntil: number; at: number }) => RunEvent,
  { lines = [], by, version }: RunChangeWith = {},
): Promise<RunChanged> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const run = await context.store.run(id)
    if (run === undefined) return { ok: false, refusal: { code: "run-not-found" } }
    if (version !== undefined && run.version !== version) {
      return { ok: false, refusal: { code: "run-changed", version: run.version } }
    }
    const at = context.now()
    const owner = context.store.writer
    const event = eventFor(run, { owner, leaseUntil: at + context.times.leaseMs, at })
    const moved = runTransition(run, event)
    if (moved.kind === "refused") return { ok: false, refusal: moved.refusal }
    const committed = await context.store.commit({
      at,
      runs: [{ next: moved.next, replaces: run.version }],
      ...(lines.length === 0 ? {} : { journal: { run: id, owner, lines } }),
      records: momentOf(context, event, moved.next, by ?? null),
      events: event.type === "renew-lease" ? [] : [{ type: "agent-run.changed", subject: id }],
      durability: event.type === "renew-lease" || event.type === "progress" ? "soon" : "full",
    })
    if (committed.ok) return { ok: true, run: moved.next }
    if (committed.conflict === "journal") return { ok: false, refusal: { code: "run-not-owned" } }
  }
  throw new StoreError("busy", `the run ${id} kept changing. Try again.`)
}

export async function journalLines(
  context: GateContext,
  { id, owner }: Pick<RunningRun, "id" | "owner">,
  lines: readonly JournalLine[],
): Promise<boolean> {
  const committed = await context.store.commit({
    at: context.now(),
    journal: { run: id, owner, lines },
    records: [],
    events: [{ type: "agent-run.changed", subject: id }],
    durability: "soon",
  })
  return committed.ok
}

export async function pauseRun(context: GateContext, pause: RunPause): Promise<RunPaused> {
  const { run, calls, kept = [], progress, lines, within } = pause
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const held = await holdAll(context, calls)
    const current = await context.store.run(run.id)
    if (current === undefined) return { ok: false, refusal: { code: "run-not-found" } }
    const { owner, legs: leg } = run
    const requirements = [...held.requirements, ...kept]
    const { at, bytes: heldBytes } = held
    const moved = runTransition(current, { type: "pause", owner, leg, requirements, heldBytes, at, ...progress })
    if (moved.kind === "refused") return { ok: false, refusal: moved.refusal }
    const waitingFor = held.requirements.flatMap(({ approval }) => approval ?? [])
    const committed = await recordJudgement(context, {
      at,
      approvals: held.approvals,
      runs: [{ next: moved.next, replaces: current.version }],
      ...(lines.length === 0 ? {} : { journal: { run: run.id, owner, lines } }),
      records: [
        ...held.records,
        runRecord(context, "paused", moved.next, null, waitingFor.length === 0 ? {} : { requirements: waitingFor }),
      ],
      events: [
        ...waitingFor.map((subject) => ({ type: "approval.pending" as const, subject })),
        { type: "agent-run.changed", subject: run.id },
      ],
      epoch: held.epoch,
      durability: "full",
      ...(within === undefined ? {} : { within: { ofRuns: within } }),
    })
    if (committed.ok) return { ok: true, run: moved.next }
    if (committed.conflict === "limit") {
      return { ok: false, refusal: { code: "too-much-waits", reason: tooMuchHeld(committed.excess, heldBytes).reason } }
    }
    if (committed.conflict === "journal") return { ok: false, refusal: { code: "run-not-owned" } }
    context.snapshots.forget()
  }
  throw new StoreError("busy", "permissions kept changing while the run paused.")
}

type HeldAll = Pick<Change, "records"> & {
  readonly at: number
  readonly epoch: number
  /** Of the arguments of everything that is held. */
  readonly bytes: number
  readonly approvals: NonNullable<Change["approvals"]>
  readonly requirements: readonly Requirement[]
}

/** Calls that policy no longer asks about are not held: they are judged again when the run continues. */
async function holdAll(context: GateContext, calls: readonly AskedRunCall[]): Promise<HeldAll> {
  const snapshot = await context.snapshots.current()
  const at = context.now()
  const approvals: Array<{ readonly next: Approval; readonly replaces: null }> = []
  const records: AuditDraft[] = []
  const requirements: Requirement[] = []
  let bytes = 0
  for (const of of calls) {
    const { call, toolCall, run, usage } = of
    const starter = starterName(run.startedBy)
    // All by the same snapshot: they are held in one commit.
    const inTurn = async <Result>(work: () => Result): Promise<Result> =>
      judgeInTurn(context, { ...call, starter }, { prepare: async () => {}, judge: work })
    const decision = askedFirst(
      of,
      await inTurn(() => judgeCall(context, snapshot, { ...call, starter }, call.args, usage)),
    )
    let approval: string | null = null
    if (decision.effect === "ask") {
      const callDigest = callDigestOf(context, call, call.args)
      const before = await approvedBefore(context, call, call.args, callDigest)
      const key = runCallKey(run.id, toolCall)
      const how = { caller: null, callDigest, at, before, key, starter }
      const next = await inTurn(() => heldFrom(context, snapshot, call, decision, how))
      approval = next.id
      bytes += next.checked?.bytes ?? 0
      approvals.push({ next, replaces: null })
      records.push(context.recorder.judged(next.id, call, { decision, snapshot, callDigest }, at))
    }
    requirements.push({ approval, toolCall, tool: call.tool })
  }
  return { at, epoch: snapshot.epoch, bytes, approvals, records, requirements }
}

/** The record of an event; leases and progress leave none. */
function momentOf(context: GateContext, event: RunEvent, run: AgentRun, by: string | null): readonly AuditDraft[] {
  switch (event.type) {
    case "renew-lease":
    case "progress":
    case "set-face":
    case "rename":
    // A stop is recorded where what waits is withdrawn.
    case "stop":
      return []
    case "resume":
    case "take-over":
      return [runRecord(context, "resumed", run, by)]
    case "pause":
      return [runRecord(context, "paused", run, by)]
    case "finish":
      return [runRecord(context, "finished", run, by)]
    case "fail":
      return [runRecord(context, "failed", run, by, { detail: event.detail })]
    case "cancel":
      return [runRecord(context, "cancelled", run, by, { detail: event.detail })]
  }
}
