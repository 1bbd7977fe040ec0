/** A held call as a task: kept before its caller hears of it, and waited for by one process. */
import type { Approval, Run } from "@byleave/core"
import type { Exchange } from "../wire/exchange.ts"
import type { Reply } from "../wire/message.ts"
import type { HoldContext } from "./context.ts"
import type { Present } from "./current-client.ts"
import { type ApprovedSend, runApproved } from "./run-approved.ts"
import { createdTask, taskRecord } from "./tasks.ts"

/** Durable before its caller hears of it. */
export async function keepTask(context: HoldContext, exchange: Exchange, approval: Approval): Promise<Reply> {
  context.attended.add(approval.id)
  const record = taskRecord(approval, exchange.caller, exchange.ask.params)
  await context.tasks.put(record)
  return createdTask(record, approval)
}

/** Runs an approved call whose client asks for it by `tasks/get`. `isGone`: as of the exchange; absent: its client may come back. */
export function taskRun(context: HoldContext, gated: ApprovedSend, isGone: Exchange["isGone"]): Run {
  return (args, { approval, cancelled, extraParams }) => {
    if (approval !== null) context.taskStates.changed(approval)
    const present: Present = { notify: () => {}, inquire: (ask) => context.inputs.ask(approval ?? "", ask) }
    return runApproved(context, gated, { approval, cancelled, present, args, extraParams, isGone })
  }
}

/** Waits on for a task that nobody waits for: after a restart, or when the process that did is gone. `isGone`: of the client that asks for it. */
export function reviveTask(
  context: HoldContext,
  gated: ApprovedSend,
  approval: Approval,
  isGone: Exchange["isGone"],
): void {
  if (context.attended.has(approval.id)) return
  context.attended.add(approval.id)
  context.gate
    .attach(approval.id, gated.call, taskRun(context, gated, isGone), {})
    .catch((error: unknown) => context.log(`The task ${approval.id} could not be taken up again: ${String(error)}`))
    .finally(() => leaveTask(context, approval.id))
}

export function leaveTask(context: HoldContext, id: string): void {
  context.attended.delete(id)
  context.taskStates.changed(id)
}
