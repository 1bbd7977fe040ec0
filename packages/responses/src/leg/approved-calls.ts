import type { AgentRun, ApprovalStatus } from "@byleave/core"
import type { ResponsesWorld } from "../responses-world.ts"
import { callItemId, type LegRef } from "../wire/ids.ts"
import type { ApprovedCall } from "./output-builder.ts"
import type { StoredLeg } from "./stored-leg.ts"

/** The calls that the leg before asked about, with the arguments that run: a reviewer may have changed them. */
export async function approvedCalls(
  { gate }: Pick<ResponsesWorld, "gate">,
  run: AgentRun | undefined,
  at: LegRef,
  legs: ReadonlyMap<number, StoredLeg>,
): Promise<readonly ApprovedCall[]> {
  const asked = legs.get(at.leg - 1)?.asked ?? []
  if (asked.length === 0) return []
  const approvals = new Map(legs.get(at.leg)?.approvals)
  if (run?.status === "running" && run.legs === at.leg) {
    for (const { toolCall, approval } of run.answered) if (approval !== null) approvals.set(toolCall, approval)
  }
  return Promise.all(
    asked.map(async (call) => {
      const id = approvals.get(call.call)
      const approval = id === undefined ? undefined : await gate.approval(id)
      const args = approval?.editedArgs == null ? call.args : JSON.stringify(approval.editedArgs)
      const isApproved = approval !== undefined && approvedStatuses.has(approval.status)
      return { ...call, args, isApproved, request: callItemId("mcpr", at.run, call.call) }
    }),
  )
}

const approvedStatuses: ReadonlySet<ApprovalStatus> = new Set(["approved", "running", "succeeded", "failed", "unknown"])
