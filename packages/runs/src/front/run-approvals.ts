import { type AgentRun, type Approval, type ApprovalSummary, runCallKey } from "@byleave/core"
import type { FrontPorts } from "./front-ports.ts"

/** The approvals of a run's calls, by tool-call id. */
export type RunApprovals = ReadonlyMap<string, ApprovalSummary>

const pageSize = 500

export async function approvalsOfRun(
  { store }: Pick<FrontPorts, "store">,
  run: Pick<AgentRun, "id" | "principal">,
): Promise<RunApprovals> {
  const byCall = new Map<string, ApprovalSummary>()
  const prefix = runCallKey(run.id, "")
  let after: { readonly createdAt: number; readonly id: string } | undefined
  for (;;) {
    const page = await store.approvals({
      principal: run.principal,
      session: run.id,
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    })
    for (const approval of page) {
      if (approval.key?.startsWith(prefix)) byCall.set(approval.key.slice(prefix.length), approval)
    }
    after = page.at(-1)
    if (after === undefined || page.length < pageSize) return byCall
  }
}

/** The answer to a call that waited; null while it waits. */
export function wordOn(
  approval: Approval | ApprovalSummary,
): { readonly approved: boolean; readonly reason?: string } | null {
  switch (approval.status) {
    case "pending":
      return null
    case "approved":
    case "running":
    case "succeeded":
    case "failed":
    case "unknown":
      return { approved: true }
    case "denied":
      return { approved: false, reason: approval.refusal.reason }
    case "expired":
      return { approved: false, reason: "Nobody decided in time, so this call did not run." }
    case "cancelled":
    case "superseded":
      return { approved: false, reason: `This call did not run: ${approval.detail}` }
  }
}
