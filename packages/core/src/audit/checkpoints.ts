import type { EpochMs } from "../call/call.ts"
import { type AuditProblem, recordsInWords } from "./audit-problem.ts"
import type { ChainHead } from "./record.ts"

/** The evidence that a chain once had this hash at this record. */
export type Witness =
  | { readonly kind: "signed" }
  /** A head somebody kept outside the store. */
  | { readonly kind: "kept" }
  | { readonly kind: "anchor"; readonly by: string }

/** A place in a chain that something besides the chain itself remembers. */
export type Checkpoint = ChainHead & {
  readonly witness: Witness
  /** When another chain recorded it. */
  readonly at?: EpochMs
}

/** Follows one chain and compares it with what others remember of it. Reports once per kind of witness. */
export type CheckpointWalk = {
  readonly pass: (seq: number, hash: string) => void
  readonly end: (lastSeq: number) => void
}

export function walkCheckpoints(
  writer: string,
  checkpoints: readonly Checkpoint[],
  report: (problem: AuditProblem) => void,
): CheckpointWalk {
  const ordered = checkpoints.toSorted((a, b) => a.seq - b.seq)
  const reported = new Set<Witness["kind"]>()
  let next = 0
  return {
    pass: (seq, hash) => {
      // A checkpoint the chain jumped over lies in a gap, which is a problem of its own.
      for (let at = ordered[next]; at !== undefined && at.seq <= seq; at = ordered[++next]) {
        if (at.seq < seq || at.hash === hash || reported.has(at.witness.kind)) continue
        reported.add(at.witness.kind)
        report(rewritten(writer, at))
      }
    },
    end: (lastSeq) => {
      const farthest = farthestOf(ordered)
      if (farthest !== undefined && farthest.seq > lastSeq) report(tailRemoved(writer, lastSeq, farthest))
    },
  }
}

/** The first of those that reach farthest: a chain's own signed head is named before what others say. */
export function farthestOf(checkpoints: readonly Checkpoint[]): Checkpoint | undefined {
  let farthest: Checkpoint | undefined
  for (const checkpoint of checkpoints) if (checkpoint.seq > (farthest?.seq ?? 0)) farthest = checkpoint
  return farthest
}

export function witnessInWords(witness: Witness): string {
  switch (witness.kind) {
    case "signed":
      return "its signed head"
    case "kept":
      return "the head you kept"
    case "anchor":
      return `the chain ${witness.by}`
  }
}

function rewritten(writer: string, checkpoint: Checkpoint): AuditProblem {
  return {
    code: "history-rewritten",
    writer,
    seq: checkpoint.seq,
    sentence: `Record ${checkpoint.seq} of the chain ${writer} is not the one that ${witnessInWords(checkpoint.witness)} remembers: it or one before it was changed and the chain made to fit.`,
  }
}

function tailRemoved(writer: string, lastSeq: number, checkpoint: Checkpoint): AuditProblem {
  const removed = checkpoint.seq - lastSeq
  return {
    code: "tail-removed",
    writer,
    seq: lastSeq,
    sentence: `The chain ${writer} ends at record ${lastSeq}, but ${witnessInWords(checkpoint.witness)} says ${checkpoint.seq}: ${recordsInWords(removed)} ${removed === 1 ? "was" : "were"} removed from its end.`,
  }
}
