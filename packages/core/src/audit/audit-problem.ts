/** The problems that verification can find. The first group is about chains, the second about the life of one call. */
export type AuditProblemCode =
  | "hash-broken"
  | "columns-differ"
  | "records-missing"
  | "record-doubled"
  | "wrong-opening"
  | "tail-removed"
  | "history-rewritten"
  | "head-missing"
  | "unsigned-tail"
  | "signature-bad"
  | "key-foreign"
  | "chain-removed"
  | "chain-unlisted"
  | "roster-missing"
  | "anchor-unreadable"
  | "decision-missing"
  | "run-without-leave"
  | "run-after-refusal"
  | "second-run"
  | "step-doubled"
  | "record-after-end"
  | "record-unexpected"

/** One thing that is wrong, with a sentence for people. */
export type AuditProblem = {
  readonly code: AuditProblemCode
  readonly writer?: string
  readonly seq?: number
  readonly subject?: string
  readonly sentence: string
}

/** Keeps the first problems and counts the rest: a store that is wrong everywhere must not fill the memory. */
export type ProblemList = {
  readonly add: (problem: AuditProblem) => void
  readonly first: () => readonly AuditProblem[]
  readonly total: () => number
}

const keptProblems = 100

export function createProblemList(): ProblemList {
  const kept: AuditProblem[] = []
  let total = 0
  return {
    add: (problem) => {
      total++
      if (kept.length < keptProblems) kept.push(problem)
    },
    first: () => kept,
    total: () => total,
  }
}

/** "1 record", "16 records". */
export function recordsInWords(count: number): string {
  return count === 1 ? "1 record" : `${count} records`
}
