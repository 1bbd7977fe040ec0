/**
 * Tasks of ours (the extension `io.modelcontextprotocol/tasks`): a held call whose caller comes back to ask. A task has no state of its own:
 * what it is, is what its approval is, so it survives this process, and any process can answer for it.
 *
 * I1. To anyone but the principal it was made for a task does not exist.
 * I2. What a task is, is what its approval is: none is complete before its call is.
 * I3. A task whose call was denied or expired ends, and says why.
 */
import { type Approval, type ApprovalSummary, type JsonObject, objectAt, outcomeOf } from "@byleave/core"
import type { Caller } from "../wire/caller.ts"
import { withEnvelope } from "../wire/envelope.ts"
import type { Reply } from "../wire/message.ts"
import { withOwn } from "../wire/names/twin-names.ts"
import { replyOfOutcome } from "../wire/outcome-reply.ts"
import type { TaskRecord } from "../wire/ports.ts"
import type { HoldContext } from "./context.ts"
import type { TaskState, WholeTask } from "./task-states.ts"
import { withdrawCall } from "./withdraw-call.ts"

const pollIntervalMs = 2_000

export function taskRecord(approval: Approval, caller: Caller, params: JsonObject | undefined): TaskRecord {
  const { version, abilities, client, logLevel = null } = caller
  return {
    id: approval.id,
    principal: caller.principal.id,
    session: caller.session,
    server: approval.tool.server,
    tool: approval.tool.tool,
    // The caller, for the process that takes the task up. Arguments are the approval's to keep: the record is read with every poll.
    params: envelopeOf(withEnvelope(params, { version, abilities, client, logLevel })),
    createdAt: approval.createdAt,
    ttlMs: null,
  }
}

function envelopeOf(params: JsonObject): JsonObject {
  const meta = objectAt(params, "_meta")
  return meta === undefined ? {} : { _meta: meta }
}

/** The answer to the call that became a task. */
export function createdTask(record: TaskRecord, approval: Approval): Reply {
  return { kind: "result", result: { resultType: "task", ...taskOf(record, approval, { status: "working" }) } }
}

/** The answer to `tasks/get` for a call that is not settled. */
export function taskNow(context: HoldContext, { record, approval }: TaskState): Reply {
  return told(taskOf(record, approval, detailOf(context, approval)))
}

/** The answer to `tasks/get` for a call that is settled, with its result. */
export function taskEnded(context: HoldContext, { record, approval }: WholeTask): Reply {
  return told(taskOf(record, approval, settledDetail(context, approval)))
}

function told(task: JsonObject): Reply {
  return { kind: "result", result: { resultType: "complete", ...task } }
}

export function isSettledTask({ approval: { status } }: TaskState): boolean {
  return status !== "pending" && status !== "approved" && status !== "running"
}

export const taskNotFound: Reply = { kind: "error", error: { code: -32602, message: "Task not found" } }
const acknowledged: Reply = { kind: "result", result: { resultType: "complete" } }

/** The caller withdraws its task, from now on: the gate is told in its turn, which comes behind one of the caller's polls at most. Settled ones stay as they are. */
export async function cancelTask(context: HoldContext, { id, principal }: TaskRecord): Promise<Reply> {
  await withdrawCall(context, id, principal, { turn: () => context.taskStates.turn(principal, "cancel") })
  return acknowledged
}

export function updateTask(context: HoldContext, id: string, params: JsonObject): Reply {
  context.inputs.answer(id, objectAt(params, "inputResponses") ?? {})
  return acknowledged
}

function taskOf(record: TaskRecord, approval: ApprovalSummary | Approval, detail: JsonObject): JsonObject {
  return {
    taskId: record.id,
    createdAt: new Date(record.createdAt).toISOString(),
    lastUpdatedAt: new Date(lastUpdate(approval)).toISOString(),
    ttlMs: record.ttlMs,
    pollIntervalMs,
    ...detail,
  }
}

function lastUpdate(approval: ApprovalSummary | Approval): number {
  switch (approval.status) {
    case "pending":
      return approval.createdAt
    case "approved":
      return approval.at
    case "running":
      return approval.startedAt
    default:
      return approval.settledAt
  }
}

function detailOf(context: HoldContext, approval: ApprovalSummary): JsonObject {
  switch (approval.status) {
    case "pending":
      return { status: "working", statusMessage: `Waiting for a person to approve it at ${context.inbox()}.` }
    case "approved":
      return { status: "working", statusMessage: "Approved; it is about to run." }
    case "running": {
      const inputRequests = context.inputs.pending(approval.id)
      return inputRequests === null
        ? { status: "working", statusMessage: "Approved; it is running." }
        : { status: "input_required", inputRequests }
    }
    default:
      return { status: "working" }
  }
}

/** A tool that said no is a completed task with that answer; `failed` is for errors of the protocol. */
function settledDetail(context: HoldContext, approval: Approval): JsonObject {
  if (approval.status === "cancelled") return { status: "cancelled", statusMessage: approval.detail }
  const outcome = outcomeOf(approval)
  if (outcome === null) return { status: "working" }
  const reply = replyOfOutcome(outcome, { call: approval, era: "modern", inbox: context.inbox() })
  if (reply.kind === "error") return { status: "failed", error: { ...reply.error } }
  return { status: "completed", result: withOwn(reply.result, { resultType: "complete" }) }
}
