import type { AuditDraft } from "../audit/record.ts"
import type { Store } from "./store.ts"

/** Records that nobody waits for: those of one moment go into one change. */
export type Outbox = { readonly add: (record: AuditDraft) => void }

export function createOutbox(store: Pick<Store, "commit">, track: (work: Promise<unknown>) => void): Outbox {
  let waiting: AuditDraft[] = []
  const send = (): Promise<unknown> => {
    const records = waiting
    waiting = []
    const at = records.reduce((latest, record) => Math.max(latest, record.at), 0)
    return store.commit({ at, records, events: [], durability: "soon", unhurried: true })
  }
  return {
    add: (record) => {
      if (waiting.length > 0) return void waiting.push(record)
      waiting = [record]
      // One turn later: whatever ends in the meantime comes along.
      track(nextTurn.then(send))
    },
  }
}

const nextTurn = Promise.resolve()
