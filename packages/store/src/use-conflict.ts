import { type CallUse, type Change, type CommitResult, type UsageCounts, usageBeyond } from "@byleave/core"

type BeyondLimit = CommitResult & { readonly conflict: "use" }

/** Whether a call of the change goes beyond what may run unasked; `countsFor` is asked only where there is a limit. */
export function useConflict({ use, at }: Change, countsFor: (use: CallUse) => UsageCounts): BeyondLimit | null {
  if (use?.within === undefined) return null
  const usage = usageBeyond(use, countsFor(use), at)
  return usage === null ? null : { ok: false, conflict: "use", id: null, usage }
}

/** So many rows that can be forgotten go with each new one. */
export const sweptPerRow = 10
