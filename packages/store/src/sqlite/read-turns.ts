/**
 * Reading from the file keeps the thread busy, and nothing else happens meanwhile. Whoever makes the service read much, in one request or in many, gets
 * it in turns.
 *
 * I1. After `sliceMs` of reading, everything else has a turn before the next read, whoever asks for it.
 * I2. Readers take turns: whoever has many reads waiting lets another's go before its second. One reader's are done in the order of asking.
 */
import type { Elapsed } from "../steady-time.ts"

const sliceMs = 10

export type FileReadTurns = <Result>(read: () => Promise<Result>) => Promise<Result>

/** `nextTurn`: resolved after all other ready work has had its turn. `readerOf`: for whom the present work is done. */
export function createReadTurns(
  elapsed: Elapsed,
  nextTurn: () => Promise<void>,
  readerOf: () => string = () => "",
): FileReadTurns {
  /** By reader; the first one is next. */
  const waiting = new Map<string, Array<() => void>>()
  let isServing = false
  let since = Number.NEGATIVE_INFINITY
  const isOver = (): boolean => elapsed() - since >= sliceMs
  const serveNext = (): void => {
    const [next] = waiting
    if (next === undefined) return
    const [reader, reads] = next
    const read = reads.shift()
    // Behind everybody else, with what it has left.
    waiting.delete(reader)
    if (reads.length > 0) waiting.set(reader, reads)
    read?.()
  }
  const serve = async (): Promise<void> => {
    while (waiting.size > 0) {
      await nextTurn()
      since = elapsed()
      do {
        serveNext()
        // Whoever waited for it goes on first.
        await null
      } while (waiting.size > 0 && !isOver())
    }
    isServing = false
  }
  return (read) => {
    if (!isServing && !isOver()) return read()
    return new Promise((resolve) => {
      const reader = readerOf()
      const own = waiting.get(reader) ?? []
      own.push(() => resolve(read()))
      waiting.set(reader, own)
      if (isServing) return
      isServing = true
      void serve()
    })
  }
}
