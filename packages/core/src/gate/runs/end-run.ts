/**
 * How a run ends or is stopped, as commits.
 *
 * I1. A run that ends or is stopped takes what waits for it along, in the same commit.
 * I2. A run that ends for good takes the permissions of its session along; one that is stopped keeps them.
 */
import type { Approval, VerdictFace } from "../../approval/approval.ts"
import type { ApprovalEvent } from "../../approval/approval-event.ts"
import { transition } from "../../approval/transition.ts"
import type { AgentRunMoment } from "../../audit/drafts.ts"
import type { AuditDraft } from "../../audit/record.ts"
import type { Principal } from "../../call/call.ts"
import { type AgentRun, type JournalLine, runSession } from "../../run/agent-run.ts"
import { openCallsOf, type RunEvent, runTransition } from "../../run/run-transition.ts"
import type { GateContext } from "../context.ts"
import { commitMoved } from "../reviewers/change-approval.ts"
import { endSessionOfRun } from "../reviewers/manage-approvals.ts"
import { type Change, StoreError } from "../store.ts"
import { maxAttempts } from "./change-run.ts"
import type { RunChanged, RunGate } from "./run-gate.ts"
import { runRecord } from "./run-record.ts"

export async function cancelRun(
  context: GateContext,
  id: string,
  end: Parameters<RunGate["cancelRun"]>[1],
): Promise<RunChanged> {
  const { by, detail, exportedAs: state } = end
  const cancelled = await endRun(context, id, (at) => ({
    event: { type: "cancel", ...end, at },
    endings: () => [{ type: "cancel", detail: "its agent run was ended.", at }],
    moment: state === undefined ? "cancelled" : "exported",
    by,
    said: { detail, ...(state === undefined ? {} : { state }) },
  }))
  if (cancelled.ok) await endSessionOfRun(context, runSession(cancelled.run))
  return cancelled
}

/** Stops the leg under way and withdraws what waits. The session stays: the run goes on with the next message. */
export function stopRun(
  context: GateContext,
  id: string,
  { by, deniedBy, lines, bytes = 0 }: Parameters<RunGate["stopRun"]>[1],
): Promise<RunChanged> {
  const reason = "The user sent another message instead."
  return endRun(context, id, (at) => ({
    event: { type: "stop", by, bytes, at },
    endings: ({ runDigest: digest, principal }) => [
      ...(deniedBy === undefined
        ? []
        : [
            {
              type: "verdict",
              kind: "deny",
              reviewer: deniedBy,
              digest,
              reason,
              ...faceOf(principal),
              permitMs: 0,
              at,
            } as const,
          ]),
      { type: "cancel", detail: `${by} stopped the agent run.`, at },
    ],
    moment: "stopped",
    by,
    lines,
  }))
}

/** Whoever sends another message does so in the chat, where the run is one of its threads. */
function faceOf({ id }: Principal): { readonly face?: VerdictFace } {
  return id === "chat" ? { face: "chat" } : {}
}

type RunEnd = {
  readonly event: RunEvent
  /** For a call that waits: the first that applies. */
  readonly endings: Endings
  readonly moment: AgentRunMoment
  readonly by: string | null
  readonly said?: Parameters<typeof runRecord>[4]
  readonly lines?: readonly JournalLine[] | undefined
}

async function endRun(context: GateContext, id: string, endAt: (at: number) => RunEnd): Promise<RunChanged> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const run = await context.store.run(id)
    if (run === undefined) return { ok: false, refusal: { code: "run-not-found" } }
    const at = context.now()
    const { event, endings, moment, by, said, lines } = endAt(at)
    const moved = runTransition(run, event)
    if (moved.kind === "refused") return { ok: false, refusal: moved.refusal }
    const withdrawn = await withdraw(context, run, at, endings)
    const committed = await commitMoved(context, {
      at,
      approvals: withdrawn.approvals,
      runs: [{ next: moved.next, replaces: run.version }],
      ...(lines === undefined ? {} : { journal: { run: id, owner: context.store.writer, lines } }),
      records: [...withdrawn.records, runRecord(context, moment, moved.next, by, said)],
      events: [...withdrawn.events, { type: "agent-run.changed", subject: id }],
      durability: "full",
    })
    if (committed.ok) return { ok: true, run: moved.next }
    if (committed.conflict === "journal") return { ok: false, refusal: { code: "run-not-owned" } }
  }
  throw new StoreError("busy", `the run ${id} kept changing. Try again.`)
}

type Endings = (approval: Approval) => readonly ApprovalEvent[]

/** Settles the calls that wait for the run by the first ending that applies; gives what belongs into the commit. */
async function withdraw(
  context: GateContext,
  run: AgentRun,
  at: number,
  endings: Endings,
): Promise<Required<Pick<Change, "approvals" | "records" | "events">>> {
  const approvals: Array<{ readonly next: Approval; readonly replaces: number }> = []
  const records: AuditDraft[] = []
  const events: Array<Change["events"][number]> = []
  for (const { approval: id } of openCallsOf(run)) {
    const approval = id === null ? undefined : await context.store.approval(id)
    if (approval === undefined) continue
    const tried = endings(approval).map((event) => transition(approval, event))
    const moved = tried.find((each) => each.kind === "moved")
    if (moved === undefined) continue
    approvals.push({ next: moved.next, replaces: approval.version })
    const said = context.recorder.approvalMoved(approval, moved.next, at)
    if (said !== null) records.push(said)
    const type = moved.next.status === approval.status ? "approval.changed" : (`approval.${moved.next.status}` as const)
    events.push({ type, subject: approval.id })
  }
  return { approvals, records, events }
}

export async function removeRun(context: GateContext, id: string, by: string): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    let run = await context.store.run(id)
    if (run === undefined) return false
    if (run.status === "running" || run.status === "paused") {
      await cancelRun(context, id, { by, detail: "it was deleted." })
      run = (await context.store.run(id)) ?? run
    }
    const committed = await context.store.commit({
      at: context.now(),
      runs: [{ remove: id, replaces: run.version }],
      records: [],
      events: [{ type: "agent-run.changed", subject: id }],
      durability: "full",
    })
    if (!committed.ok) continue
    // A run that was over still had its session, with the permissions given for it.
    await endSessionOfRun(context, runSession(run))
    return true
  }
  throw new StoreError("busy", `the run ${id} kept changing. Try again.`)
}
