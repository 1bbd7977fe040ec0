/**
 * Watches the records that follow a chain's signed head. A process that is killed leaves such records behind, so they are
 * no problem in themselves; but only so old and so new ones can be its own.
 *
 * I1. What the killed process of an honest store left behind is no problem: nothing is unsigned that its chain's opening promises
 *     to sign, and time in a store does not go back.
 * I2. A record put in without the key is noticed when its date is later than the promise lets it be unsigned, or earlier than
 *     what the chain, or another that names it, had recorded before.
 */
import type { EpochMs } from "../call/call.ts"
import { durationWords } from "../policy/conditions/duration-words.ts"
import type { AuditProblem } from "./audit-problem.ts"
import type { Checkpoint } from "./checkpoints.ts"
import type { AuditRecord, SignedHead } from "./record.ts"

/** Records are dated a moment before they are committed; on a machine that stalls, a long one. */
const stallMs = 60_000

export type TailWatch = {
  /** Every record of the chain, in order. */
  readonly pass: (record: AuditRecord) => void
  /** The first that cannot be honest. */
  readonly problem: () => AuditProblem | undefined
}

export function watchTail(head: SignedHead, checkpoints: readonly Checkpoint[]): TailWatch {
  const anchored = checkpoints.filter(({ at }) => at !== undefined).toSorted((a, b) => a.seq - b.seq)
  let next = 0
  let latest: EpochMs = Number.NEGATIVE_INFINITY
  let promiseMs = Number.POSITIVE_INFINITY
  let problem: AuditProblem | undefined
  const judge = (record: AuditRecord): void => {
    for (let anchor = anchored[next]; anchor !== undefined && anchor.seq < record.seq; anchor = anchored[++next]) {
      latest = Math.max(latest, anchor.at ?? latest)
    }
    if (record.at < latest - stallMs) problem ??= backdated(record)
    else if (record.at > head.at + promiseMs) problem ??= tooLate(record, promiseMs)
  }
  return {
    pass: (record) => {
      if (record.seq === 1) promiseMs = promiseOf(record)
      if (record.seq <= head.seq) latest = record.at
      else judge(record)
    },
    problem: () => problem,
  }
}

/** Reads from a chain's opening record how long after its signed head a record may be dated and still be unsigned. */
function promiseOf(opening: AuditRecord): number {
  const said = /"signedWithin":(\d{1,15})\}\}$/.exec(opening.text)?.[1]
  return opening.type !== "chain.opened" || said === undefined ? Number.POSITIVE_INFINITY : Number(said)
}

function backdated({ writer, seq }: AuditRecord): AuditProblem {
  const sentence = `Record ${seq} of the chain ${writer} follows its signed head unsigned and is dated before what had been recorded by then: it was put in later, without the key.`
  return { code: "unsigned-tail", writer, seq, sentence }
}

function tooLate({ writer, seq }: AuditRecord, promiseMs: number): AuditProblem {
  const sentence = `Record ${seq} of the chain ${writer} follows its signed head unsigned and is dated more than ${durationWords(promiseMs)} after it, when its process would have signed it: it was put in without the key.`
  return { code: "unsigned-tail", writer, seq, sentence }
}
