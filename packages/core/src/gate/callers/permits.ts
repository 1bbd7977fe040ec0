import { longestPermitMs } from "../../approval/permit-expiry.ts"
import { sessionKey } from "../../call/call.ts"
import { isRunPrincipal } from "../../call/run-principal.ts"
import type { GateContext } from "../context.ts"
import { changeApproval } from "../reviewers/change-approval.ts"

/** A permit may wait this long for its session to come back. */
export const newPermitMs = longestPermitMs

/** Hears of permits given at any process, and of those left by earlier ones. */
export function followPermits(context: GateContext): () => void {
  const note = async (id: string): Promise<void> => {
    const approval = await context.store.approval(id)
    if (approval?.status !== "approved" || approval.caller !== null || approval.expiresAt === null) return
    context.permits.add(sessionKey(approval.session), id)
  }
  context.track(rememberOpenPermits(context))
  return context.store.subscribe((event) => {
    if (event.type !== "approval.approved" || context.waiters.isWaitedFor(event.subject)) return
    context.track(note(event.subject))
  })
}

async function rememberOpenPermits(context: GateContext): Promise<void> {
  for (const approval of await context.store.approvals({ statuses: ["approved"], limit: 10_000 })) {
    const isPermit = approval.caller === null && !isRunPrincipal(approval.principal.id)
    if (isPermit) context.permits.add(sessionKey(approval.session), approval.id)
  }
}

/** The session is back: its permits live on for `permitMs`. */
export function noteSignOfLife(context: GateContext, session: string): void {
  for (const id of context.permits.take(session)) {
    const { permitMs } = context.times
    context.track(changeApproval(context, id, () => ({ type: "renew-permit", permitMs, at: context.now() })))
  }
}
