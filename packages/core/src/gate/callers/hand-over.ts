import type { GateContext } from "../context.ts"
import type { Outcome, SubmitOptions } from "../gate.ts"
import { changeApproval } from "../reviewers/change-approval.ts"

/**
 * Follows the outcome of a held call on its last way, from the gate to its caller. It is marked as delivered only once it was received, so
 * that a death in between loses nothing; until then the caller stays attached, so that nobody else is given it meanwhile.
 */
export function handOver(
  context: GateContext,
  { approval, caller }: { readonly approval: string; readonly caller: string },
  outcome: Outcome | null,
  { leavesAnswered = false, received = leavesAnswered ? nobody : itself }: SubmitOptions,
): void {
  if (outcome?.kind !== "result" && outcome?.kind !== "error") {
    context.callers.delete(caller)
    return
  }
  // `close` waits for the mark but not for the caller, who may never read: what is not known by then counts as not received.
  void isReceived(received).then((yes) => context.track(mark(context, approval, caller, yes)))
}

const itself = (): Promise<boolean> => Promise.resolve(true)
const nobody = (): Promise<boolean> => Promise.resolve(false)

async function isReceived(received: () => Promise<boolean>): Promise<boolean> {
  try {
    return await received()
  } catch {
    return false
  }
}

/** A caller whose mark fails stays known here: it has its outcome, and is not given it again as long as this process lives. */
async function mark(context: GateContext, id: string, caller: string, received: boolean): Promise<void> {
  if (!received) context.callers.delete(caller)
  const type = received ? "deliver" : "miss"
  await changeApproval(context, id, () => ({ type, caller, at: context.now() }), { durability: "soon" })
  context.callers.delete(caller)
}
