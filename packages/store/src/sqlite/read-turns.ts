/**
 * Reading from the file keeps the thread busy, and nothing else happens meanwhile. Whoever makes the service read much, in one request or in many, gets
 * it in turns.
 *
 * I1. After `sliceMs` of reading, everything else has a turn before the next read, whoever asks for it.
 * I2. Reads are done in the order in which they were asked for.
 */
import type { Elapsed } from "../steady-time.ts"

const sliceMs = 10

export type FileReadTurns = <Result>(read: () => Promise<Result>) => Promise<Result>

/** `nextTurn`: resolved after all other ready work has had its turn. */
export function createReadTurns(elapsed: Elapsed, nextTurn: () => Promise<void>): FileReadTurns {
  const waiting: Array<() => void> = []
  let isServing = false
  let since = Number.NEGATIVE_INFINITY
  const isOver = (): boolean => elapsed() - since >= sliceMs
  const serve = async (): Promise<void> => {
    while (waiting.length > 0) {
      await nextTurn()
      since = elapsed()
      do {
        waiting.shift()?.()
        // Whoever waited for it goes on first.
        await null
      } while (waiting.length > 0 && !isOver())
    }
    isServing = false
  }
  return (read) => {
    if (!isServing && !isOver()) return read()
    return new Promise((resolve) => {
      waiting.push(() => resolve(read()))
      if (isServing) return
      isServing = true
      void serve()
    })
  }
}
