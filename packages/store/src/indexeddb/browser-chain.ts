import {
  type AuditDraft,
  type AuditRecord,
  type ChainHead,
  emptyChain,
  type Hasher,
  headOf,
  linkRecord,
  utf8Length,
} from "@byleave/core"
import type { RecordRow } from "./rows.ts"

/** Records that follow the head of our chain, and the head after them. */
export type LinkedRows = { readonly rows: readonly RecordRow[]; readonly head: ChainHead }

/** The end of this connection's chain. It moves once the transaction that moved it is committed. */
export type BrowserChain = {
  readonly link: (drafts: readonly AuditDraft[]) => LinkedRows
  readonly moveTo: (head: ChainHead) => void
}

export function createBrowserChain(writer: string, hasher: Hasher): BrowserChain {
  let head = emptyChain(writer)
  return {
    link: (drafts) => {
      let last = head
      const rows = drafts.map((draft): RecordRow => {
        const record: AuditRecord = linkRecord(last, draft, hasher)
        last = headOf(record)
        const payload = draft.payload ?? null
        return { ...record, payload, payloadBytes: payload === null ? null : utf8Length(payload) }
      })
      return { rows, head: last }
    },
    moveTo: (next) => {
      head = next
    },
  }
}
