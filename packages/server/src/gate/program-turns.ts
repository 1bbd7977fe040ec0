/**
 * Turns of programs: whatever one credential asks for, however often at once, others are answered in between.
 *
 * I1. Work of one credential is done piece by piece, and everybody else has a turn before the next, also when the next is asked for only after the
 *     one before has ended. That of one program is done in the order in which it was asked for.
 * I2. No credential has more waiting than it may, in number and in bytes; another's counts for itself. Programs that share one share its room
 *     (shared-room.ts).
 * I3. Programs that share a credential take turns: whoever has many pieces waiting lets another's be done before its second.
 */
import { createRounds, type Rounds } from "@byleave/core"
import { createSharedRoom, type Room, type SharedRoom } from "../guard/shared-room.ts"

/** `program`: which of those that share the credential `token`; absent: nobody else does. `bytes`: counted while it waits, and until it is done. */
export type PieceOf = { readonly token: string; readonly program?: string; readonly bytes: number }

export type ProgramTurns = {
  /** Null: too much of this credential's waits already, and nothing was done. */
  readonly take: <Result>(of: PieceOf, work: () => Promise<Result>) => Promise<Result> | null
  /** The same for work that ends what was taken on before: it waits however much there is. */
  readonly finish: <Result>(of: PieceOf, work: () => Promise<Result>) => Promise<Result>
}

type Own = { readonly waiting: Rounds<() => Promise<unknown>>; readonly room: SharedRoom }

/** `nextTurn`: resolved after all other ready work has had its turn. One piece alone may always wait. */
export function createProgramTurns(most: Room, nextTurn: () => Promise<unknown>): ProgramTurns {
  const credentials = new Map<string, Own>()
  const workOff = async (token: string, own: Own, first: Promise<unknown>): Promise<void> => {
    await first
    // Requests of one credential may all have arrived in this turn, each answered before the next is read: the turn after the last piece counts, too.
    await nextTurn()
    for (let next = own.waiting.take(); next !== undefined; next = own.waiting.take()) {
      await next()
      await nextTurn()
    }
    credentials.delete(token)
  }
  const finish: ProgramTurns["finish"] = ({ token, program = "", bytes }, work) => {
    const before = credentials.get(token)
    const own = before ?? { waiting: createRounds(), room: createSharedRoom(most) }
    own.room.enter(program, bytes)
    const done = (): void => own.room.leave(program, bytes)
    if (before === undefined) {
      credentials.set(token, own)
      const result = work()
      void workOff(token, own, result.then(done, done))
      return result
    }
    return new Promise((resolve, reject) => {
      own.waiting.add(program, () => work().then(resolve, reject).then(done))
    })
  }
  return {
    take: (of, work) => {
      const mayWait = credentials.get(of.token)?.room.mayEnter(of.program ?? "", of.bytes) !== false
      return mayWait ? finish(of, work) : null
    },
    finish,
  }
}

export const tooMuchWaits =
  "Too much that this credential asked for is still waiting here. Nothing was done. Try again in a moment."
