import type { Change, CommitResult } from "@byleave/core"

export type BatchResult = CommitResult | { readonly ok: false; readonly thrown: unknown }

/** An answer for each change, in order; a rejection is the answer to all of them. */
export type CommitBatch = (changes: readonly Change[]) => Promise<readonly BatchResult[]>

/**
 * The changes of one tick, and all that come while a commit is under way, share the next commit. There is one commit at a
 * time, because each begins where this writer's chain ends.
 */
export type PostgresCommitQueue = {
  readonly commit: (change: Change) => Promise<CommitResult>
  /** Runs by itself, between commits. */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>
}

type Waiting = {
  readonly change: Change
  readonly resolve: (result: CommitResult) => void
  readonly reject: (cause: unknown) => void
}

/** Enough to spread the cost of a commit; few enough to keep its locks short. */
const largestBatch = 200

export function createCommitQueue(commitBatch: CommitBatch): PostgresCommitQueue {
  const waiting: Waiting[] = []
  let last: Promise<unknown> = Promise.resolve()
  let scheduled = false

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  // Taken when its turn comes, not before: changes that arrive in between come along.
  const flush = async (): Promise<void> => {
    scheduled = false
    const batch = waiting.splice(0, largestBatch)
    if (waiting.length > 0) schedule()
    await answerAll(batch, commitBatch)
  }
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    void inTurn(() => new Promise<void>((resolve) => setImmediate(resolve)).then(flush))
  }
  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject })
        schedule()
      }),
    alone: inTurn,
  }
}

async function answerAll(batch: readonly Waiting[], commitBatch: CommitBatch): Promise<void> {
  try {
    const answers = await commitBatch(batch.map(({ change }) => change))
    for (const [place, { resolve, reject }] of batch.entries()) {
      const answer = answers[place]
      if (answer === undefined || "thrown" in answer) reject(answer?.thrown)
      else resolve(answer)
    }
  } catch (cause) {
    for (const { reject } of batch) reject(cause)
  }
}
