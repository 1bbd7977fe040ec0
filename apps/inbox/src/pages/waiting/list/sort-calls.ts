import type { WaitingCall } from "../../../data/live/waiting-table.ts"

export const callOrders = ["oldest", "newest", "riskiest"] as const
export type CallOrder = (typeof callOrders)[number]

const weights = { none: 0, notice: 1, strong: 2 } as const

/** Puts calls, which come oldest first, into the chosen order. Of equally risky ones the oldest stays first. */
export function sortCalls(calls: readonly WaitingCall[], order: CallOrder): readonly WaitingCall[] {
  switch (order) {
    case "oldest":
      return calls
    case "newest":
      return calls.toReversed()
    case "riskiest":
      return calls.toSorted((a, b) => weights[b.riskLevel ?? "none"] - weights[a.riskLevel ?? "none"])
  }
}
