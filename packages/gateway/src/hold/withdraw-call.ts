import type { HoldContext } from "./context.ts"

/**
 * Withdraws a call for its client. The gate may be elsewhere, and busy: until it has answered, and while the call runs here, nothing more of the call is
 * sent. `turn`: resolved when the gate may be told.
 */
export async function withdrawCall(
  { gate, withdrawn, audiences }: Pick<HoldContext, "gate" | "withdrawn" | "audiences">,
  approval: string,
  principal: string,
  { detail, turn }: { readonly detail?: string | undefined; readonly turn?: () => Promise<unknown> } = {},
): Promise<void> {
  withdrawn.add(approval)
  try {
    await turn?.()
    await gate.cancel(approval, principal, detail)
  } finally {
    // The end of its run forgets it else.
    if (!audiences.has(approval)) withdrawn.delete(approval)
  }
}
