import type { Change, CommitResult } from "@byleave/core"
import { isOutage } from "./sqlite-error.ts"

/** Gathers the changes of one tick, so that they share one transaction and one flush of the disk. */
export type CommitQueue = {
  readonly add: (change: Change) => Promise<CommitResult>
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

export function createCommitQueue(
  commit: (changes: readonly Change[]) => Promise<readonly CommitResult[]>,
  afterwards: () => void,
): CommitQueue {
  const waiting: Waiting[] = []
  const idlers: Array<() => void> = []
  let isBusy = false

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await commit(batch.map(({ change }) => change))
      for (const [index, result] of results.entries()) batch[index]?.resolve(result)
    } catch (error) {
      if (batch.length > 1 && !isOutage(error)) return await settleEach(batch)
      for (const { reject } of batch) reject(error)
    }
  }
  // One of them cannot be written at all: the others must not suffer for it.
  const settleEach = async (batch: readonly Waiting[]): Promise<void> => {
    for (const each of batch) await settle([each])
  }
  const run = async (): Promise<void> => {
    await settle(waiting.splice(0, batchSize))
    afterwards()
    if (waiting.length > 0) return schedule()
    isBusy = false
    for (const resolve of idlers.splice(0)) resolve()
  }
  const schedule = (): void => {
    isBusy = true
    setImmediate(() => void run())
  }
  return {
    add: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject })
        if (!isBusy) schedule()
      }),
    idle: () => new Promise((resolve) => (isBusy ? idlers.push(resolve) : resolve())),
  }
}
