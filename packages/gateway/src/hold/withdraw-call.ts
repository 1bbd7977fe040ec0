import type { HoldContext } from "./context.ts"

/**
 * Withdraws a call for its client. The gate may be elsewhere, and busy: until it has answered, and while the call runs here, nothing more of the call is
 * sent.
 */
export async function withdrawCall(
  { gate, withdrawn, audiences }: Pick<HoldContext, "gate" | "withdrawn" | "audiences">,
  approval: string,
  principal: string,
  detail?: string,
): Promise<void> {
  withdrawn.add(approval)
  try {
    await gate.cancel(approval, principal, detail)
  } finally {
    // The end of its run forgets it else.
    if (!audiences.has(approval)) withdrawn.delete(approval)
  }
}
