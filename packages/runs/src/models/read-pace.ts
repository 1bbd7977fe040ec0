/**
 * The pace at which answers of models are read, for all that are read at the same time.
 *
 * I1. In one turn of the event loop no more than a few kilobytes are passed on, whoever sent them: each event of an answer costs the loop a
 *     dozen queues and every follower of its run another few.
 * I2. Answers that wait are passed on in the order in which they began to wait.
 */

/** Null: go on at once. */
export type ReadPace = (bytes: number) => Promise<void> | null

/** Some dozen events, which take the loop some milliseconds. */
export const mostPerTurn = 8 * 1024

type WaitingRead = { readonly bytes: number; readonly go: () => void }

export function createReadPace(): ReadPace {
  let left = mostPerTurn
  let isTurnComing = false
  let waiting: WaitingRead[] = []
  const beginTurn = (): void => {
    isTurnComing = false
    left = mostPerTurn
    let passed = 0
    for (const { bytes, go } of waiting) {
      if (left <= 0) break
      left -= bytes
      passed += 1
      go()
    }
    waiting = waiting.slice(passed)
    if (left < mostPerTurn) awaitTurn()
  }
  const awaitTurn = (): void => {
    if (isTurnComing) return
    isTurnComing = true
    setTimeout(beginTurn, 0)
  }
  return (bytes) => {
    awaitTurn()
    if (waiting.length === 0 && left > 0) {
      left -= bytes
      return null
    }
    return new Promise((go) => waiting.push({ bytes, go }))
  }
}
