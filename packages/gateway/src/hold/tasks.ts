/**
 * Tasks of ours (the extension `io.modelcontextprotocol/tasks`): a held call whose caller comes back to ask. A task has no state of its own:
 * what it is, is what its approval is, so it survives this process, and any process can answer for it.
 *
 * I1. To anyone but the principal it was made for a task does not exist.
 * I2. What a task is, is what its approval is: none is complete before its call is.
 * I3. A task whose call was denied or expired ends, and says why.
 */
import { type Approval, type JsonObject, objectAt, outcomeOf } from "@byleave/core"
import type { Caller } from "../wire/caller.ts"
import { withEnvelope } from "../wire/envelope.ts"
import type { Reply } from "../wire/message.ts"
import { replyOfOutcome } from "../wire/outcome-reply.ts"
import type { TaskRecord } from "../wire/ports.ts"
import type { HoldContext } from "./context.ts"

const pollIntervalMs = 2_000

export function taskRecord(approval: Approval, caller: Caller, params: JsonObject | undefined): TaskRecord {
  const { version, abilities, client, logLevel = null } = caller
  return {
    id: approval.id,
    principal: caller.principal.id,
    session: caller.session,
    server: approval.tool.server,
    tool: approval.tool.tool,
    // With the caller, for the process that takes the task up.
    params: withEnvelope(params, { version, abilities, client, logLevel }),
    createdAt: approval.createdAt,
    ttlMs: null,
  }
}

/** The answer to the call that became a task. */
export function createdTask(record: TaskRecord, approval: Approval): Reply {
  return { kind: "result", result: { resultType: "task", ...taskOf(record, approval, { status: "working" }) } }
}

/** The answer to `tasks/get`. */
export function taskNow(context: HoldContext, record: TaskRecord, approval: Approval): Reply {
  return {
    kind: "result",
    result: { resultType: "complete", ...taskOf(record, approval, detailOf(context, approval)) },
  }
}

/** The task with this id, if it is this principal's; to anyone else it does not exist. */
export async function findTask(
  context: HoldContext,
  id: string,
  principal: string,
): Promise<{ readonly record: TaskRecord; readonly approval: Approval } | null> {
  const record = await context.tasks.get(id)
  if (record === undefined || record.principal !== principal) return null
  const approval = await context.gate.approval(id)
  return approval === undefined ? null : { record, approval }
}

export const taskNotFound: Reply = { kind: "error", error: { code: -32602, message: "Task not found" } }
const acknowledged: Reply = { kind: "result", result: { resultType: "complete" } }

/** The caller withdraws its task. Settled ones stay as they are, and that is no error. */
export async function cancelTask(context: HoldContext, id: string, principal: string): Promise<Reply> {
  await context.gate.cancel(id, principal)
  return acknowledged
}

export function updateTask(context: HoldContext, id: string, params: JsonObject): Reply {
  context.inputs.answer(id, objectAt(params, "inputResponses") ?? {})
  return acknowledged
}

function taskOf(record: TaskRecord, approval: Approval, detail: JsonObject): JsonObject {
  return {
    taskId: record.id,
    createdAt: new Date(record.createdAt).toISOString(),
    lastUpdatedAt: new Date(lastUpdate(approval)).toISOString(),
    ttlMs: record.ttlMs,
    pollIntervalMs,
    ...detail,
  }
}

function lastUpdate(approval: Approval): number {
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

function detailOf(context: HoldContext, approval: Approval): JsonObject {
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
    case "cancelled":
      return { status: "cancelled", statusMessage: approval.detail }
    default:
      return settledDetail(context, approval)
  }
}

/** A tool that said no is a completed task with that answer; `failed` is for errors of the protocol. */
function settledDetail(context: HoldContext, approval: Approval): JsonObject {
  const outcome = outcomeOf(approval)
  if (outcome === null) return { status: "working" }
  const reply = replyOfOutcome(outcome, { call: approval, era: "modern", inbox: context.inbox() })
  if (reply.kind === "error") return { status: "failed", error: { ...reply.error } }
  return { status: "completed", result: { resultType: "complete", ...reply.result } }
}
