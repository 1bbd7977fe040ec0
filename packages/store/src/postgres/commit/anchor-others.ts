import { anchoringDraft, type ChainHead, type EpochMs } from "@byleave/core"
import { keyText, nameOf } from "../../key-text.ts"
import type { RecordedWork } from "./chain-writer.ts"
import type { Statements } from "./statements.ts"
import { run } from "./write-batch.ts"

/** So many records may follow before other chains are named again. */
const anchorEvery = 10_000

/** Names the heads of other chains in this one, so that cutting one shows here. */
export type Anchoring = {
  /** Whether enough was recorded since the last time; true once. */
  readonly isDue: (seq: number) => boolean
  readonly work: RecordedWork<void>
}

/** `named` is what the chain's first record says of the others. */
export function createAnchoring(
  own: ChainHead,
  named: readonly ChainHead[],
  now: () => EpochMs,
  sql: Statements,
): Anchoring {
  const known = new Map(named.map((head) => [head.writer, head.seq]))
  let anchoredAt = own.seq
  return {
    isDue: (seq) => {
      if (seq - anchoredAt < anchorEvery) return false
      anchoredAt = seq
      return true
    },
    work: async (client) => {
      const { rows } = await run<ChainHead>(client, sql.otherHeads, [keyText(own.writer)])
      const heads = rows.map(({ writer, seq, hash }) => ({ writer: nameOf(writer), seq, hash }))
      const moved = heads.filter((head) => known.get(head.writer) !== head.seq)
      for (const { writer, seq } of moved) known.set(writer, seq)
      return { drafts: moved.length === 0 ? [] : [anchoringDraft(moved, now())], result: undefined }
    },
  }
}
