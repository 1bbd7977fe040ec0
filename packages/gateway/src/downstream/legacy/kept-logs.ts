/**
 * The logs of streams that ended, kept for clients that come back for what they missed.
 *
 * I1. What is kept for one principal takes up no more than its limit, however small each reply is: the oldest makes room. The newest stays, however large.
 */
import type { EventLog } from "./event-log.ts"

const mostLogs = 256
const mostCharacters = 16 * 1024 * 1024

export type KeptLogs = {
  /** A stream has ended. Its log is in `logs` for as long as its client may come back for it. */
  readonly keep: (principal: string, log: EventLog, logs: Map<string, EventLog>) => void
}

type Kept = { readonly name: string; readonly characters: number; readonly logs: Map<string, EventLog> }

export function createKeptLogs(most = { logs: mostLogs, characters: mostCharacters }): KeptLogs {
  const byPrincipal = new Map<string, readonly Kept[]>()
  return {
    keep: (principal, { name, characters }, logs) => {
      // Most were read whole in the meantime, and are gone.
      const own = (byPrincipal.get(principal) ?? []).filter((kept) => kept.logs.has(kept.name))
      own.push({ name, characters, logs })
      let left = own.reduce((sum, kept) => sum + kept.characters, 0)
      while (own.length > 1 && (own.length > most.logs || left > most.characters)) {
        const oldest = own.shift()
        left -= oldest?.characters ?? 0
        oldest?.logs.delete(oldest.name)
      }
      byPrincipal.set(principal, own)
    },
  }
}
