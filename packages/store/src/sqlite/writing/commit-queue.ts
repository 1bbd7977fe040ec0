import type { Change, CommitResult } from "@byleave/core"
import { isOutage } from "../sqlite-error.ts"

/**
 * Gathers the changes of one tick, so that they share one transaction and one flush of the disk. One that nobody waits for waits a little for
 * company: most often the next call's.
 */
export type SqliteCommitQueue = {
  readonly add: (change: Change) => Promise<CommitResult>
  /** Resolves once what waited for company is settled. */
  readonly hurry: () => Promise<void>
  /** Resolves once everything added so far is settled. */
  readonly idle: () => Promise<void>
}

type Waiting = {
  readonly change: Change
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: unknown) => void
}

/** More than this at once would keep the event loop waiting. */
const batchSize = 512
const companyMs = 5

export function createCommitQueue(
  commit: (changes: readonly Change[]) => Promise<readonly CommitResult[]>,
  afterwards: () => void,
): SqliteCommitQueue {
  const waiting: Waiting[] = []
  const hurried: Array<() => void> = []
  const idlers: Array<() => void> = []
  let isBusy = false
  let isTimed = false

  const settle = (batch: readonly Waiting[]): Promise<void> =>
    commit(batch.map(({ change }) => change)).then(
      (results) => {
        for (const [index, result] of results.entries()) batch[index]?.resolve(result)
      },
      (error: unknown) => {
        if (batch.length > 1 && !isOutage(error)) return settleEach(batch)
        for (const { reject } of batch) reject(error)
      },
    )
  // One of them cannot be written at all: the others must not suffer for it.
  const settleEach = async (batch: readonly Waiting[]): Promise<void> => {
    for (const each of batch) await settle([each])
  }
  const run = (): void => void settle(waiting.splice(0, batchSize)).then(settled)
  const settled = (): void => {
    afterwards()
    for (const resolve of hurried.splice(0)) resolve()
    if (waiting.length > 0) {
      schedule()
      return
    }
    isBusy = false
    for (const resolve of idlers.splice(0)) resolve()
  }
  const schedule = (): void => {
    isBusy = true
    setImmediate(run)
  }
  const isResting = (): boolean => !isBusy && waiting.length > 0
  // One timer for all that come meanwhile; it may find nothing left to do.
  const rest = (): void => {
    if (isTimed) return
    isTimed = true
    setTimeout(() => {
      isTimed = false
      if (isResting()) schedule()
    }, companyMs)
  }
  return {
    add: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject })
        if (isBusy) return
        if (change.unhurried === true) rest()
        else schedule()
      }),
    hurry: () => {
      if (!isResting()) return Promise.resolve()
      schedule()
      return new Promise((resolve) => hurried.push(resolve))
    },
    idle: () => {
      if (isResting()) schedule()
      return new Promise((resolve) => (isBusy ? idlers.push(resolve) : resolve()))
    },
  }
}
