/**
 * Turns of programs: whatever one credential asks for, however often at once, others are answered in between.
 *
 * I1. Work of one credential is done piece by piece, in the order in which it was asked for, and everybody else has a turn before the next, also
 *     when the next is asked for only after the one before has ended.
 * I2. No credential has more waiting than it may, in number and in bytes; another's counts for itself.
 */

/** `bytes`: of all that waits together. One piece alone may always wait. */
export type MostWaiting = { readonly pieces: number; readonly bytes: number }

export type ProgramTurns = {
  /** Null: too much of this credential's waits already, and nothing was done. */
  readonly take: <Result>(credential: string, bytes: number, work: () => Promise<Result>) => Promise<Result> | null
  /** The same for work that ends what was taken on before: it waits however much there is. */
  readonly finish: <Result>(credential: string, bytes: number, work: () => Promise<Result>) => Promise<Result>
}

type Waiting = { pieces: number; bytes: number; last: Promise<unknown> }

/** `nextTurn`: resolved after all other ready work has had its turn. */
export function createProgramTurns(most: MostWaiting, nextTurn: () => Promise<unknown>): ProgramTurns {
  const waiting = new Map<string, Waiting>()
  const finish: ProgramTurns["finish"] = (credential, bytes, work) => {
    const before = waiting.get(credential)
    const own = before ?? { pieces: 0, bytes: 0, last: Promise.resolve() }
    own.pieces += 1
    own.bytes += bytes
    waiting.set(credential, own)
    const result = before === undefined ? work() : before.last.then(work)
    const done = (): void => {
      own.pieces -= 1
      own.bytes -= bytes
    }
    // Requests of one credential may all have arrived in this turn, each answered before the next is read: the turn after the last piece counts, too.
    own.last = result
      .then(done, done)
      .then(nextTurn)
      .then(() => {
        if (own.pieces === 0) waiting.delete(credential)
      })
    return result
  }
  return {
    take: (credential, bytes, work) => {
      const own = waiting.get(credential)
      const isTooMuch = own !== undefined && (own.pieces >= most.pieces || own.bytes + bytes > most.bytes)
      return isTooMuch ? null : finish(credential, bytes, work)
    },
    finish,
  }
}

export const tooMuchWaits =
  "Too much that this credential asked for is still waiting here. Nothing was done. Try again in a moment."
