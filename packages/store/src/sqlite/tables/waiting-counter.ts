import type { DatabaseSync } from "node:sqlite"
import { type Approval, credentialOf, type HeldCount } from "@byleave/core"
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
  // The names of a credential's agents begin with it and a colon; a semicolon is the next character.
  const ofNamed = counted("approvals_waiting", "principal >= ?1 || ':' AND principal < ?1 || ';'")
  const ofAgents = counted("approvals_of_agents", "principal <> 'run' AND principal <> 'chat'")
  return ({ principal, session }) => {
    const name = keyText(principal.id)
    const credential = keyText(credentialOf(principal.id))
    return {
      session: ofSession.get(name, keyText(session.id)) ?? none,
      principal: ofPrincipal.get(name) ?? none,
      program: sumOf(ofPrincipal.get(credential), ofNamed.get(credential)),
      all: ofAgents.get() ?? none,
    }
  }
}

function sumOf(one = none, other = none): HeldCount {
  return { calls: one.calls + other.calls, bytes: one.bytes + other.bytes }
}
