import type { DatabaseSync } from "node:sqlite"
import type { Approval, HeldCount } from "@byleave/core"
import type { WaitingCounts } from "../../held-limit.ts"
import { keyText } from "../../key-text.ts"
import { prepared } from "./prepared.ts"

const none: HeldCount = { calls: 0, bytes: 0 }

/** Counts waiting calls, from an index alone. To be called within the transaction that adds to it. */
export function createWaitingCounter(database: DatabaseSync): (approval: Approval) => WaitingCounts {
  const counted = (index: string, where: string) =>
    prepared<HeldCount>(
      database,
      `SELECT count(*) AS calls, coalesce(sum(bytes), 0) AS bytes FROM approvals INDEXED BY ${index}
       WHERE status = 'pending' AND ${where}`,
    )
  const ofSession = counted("approvals_waiting", "principal = ? AND session = ?")
  const ofPrincipal = counted("approvals_waiting", "principal = ?")
  const ofAgents = counted("approvals_of_agents", "principal <> 'run' AND principal <> 'chat'")
  return ({ principal, session }) => {
    const name = keyText(principal.id)
    return {
      session: ofSession.get(name, keyText(session.id)) ?? none,
      principal: ofPrincipal.get(name) ?? none,
      all: ofAgents.get() ?? none,
    }
  }
}
