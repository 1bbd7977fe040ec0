/**
 * Requests of programs begin one after the other. A request may make the service do much at once, in a place that nobody thought of: whatever it
 * is, others are answered before the next request of the same credential begins.
 *
 * I1. Others have a turn between two requests of one credential, and several after one that took long, also where it did only some turns later.
 * I2. No credential has more requests waiting to begin than it may, in number and in bytes; another's are not counted with them. Programs that share
 *     one share its room (shared-room.ts).
 * I3. A request that ends what was begun before is never refused. It and others that go first begin before the rest of their program.
 * I4. A program that waits for each answer before it asks again waits for nothing else.
 * I5. Programs that share a credential take turns: whoever has many waiting lets another's begin before its second.
 */
import { createRounds, type LoopTurns, type Rounds } from "@byleave/core"
import { createSharedRoom, type SharedRoom } from "./shared-room.ts"

export type ProgramStarts = {
  /**
   * True once it is its program's turn, until the caller next waits for something; false: too many of its requests wait, and nothing was done.
   */
  readonly begin: (credential: string, start: StartingRequest) => Promise<boolean>
}

export type StartingRequest = {
  /** Which of those that share the credential; absent: nobody else does. */
  readonly program?: string
  /** Of what the request brought, which is kept while it waits. */
  readonly bytes: number
  /** The name of the run or wait that it ends. Of several that wait to end the same one, only the first counts. */
  readonly ends?: string
  /** It begins before others of its program, and has room of its own beside them. */
  readonly goesFirst?: boolean
}

/** `soon`: resolved after all work that is ready has had its turn, without any time passing; absent: `nextTurn`. */
export type StartTurns = LoopTurns & { readonly soon?: () => Promise<unknown> }

/** For one program alone. One request alone may always wait. */
export const mostStarts = { pieces: 1_024, bytes: 32 * 1024 * 1024 } as const

const longMs = 10
/** As many turns as it takes to answer somebody's small request. */
const turnsAfterLong = 8

type Waiting = {
  readonly program: string
  readonly bytes: number
  readonly ends: string | undefined
  readonly begin: (isIts: true) => void
}
type Credential = {
  /** The names of what waits to be ended. */
  readonly ending: Set<string>
  readonly waiting: Rounds<Waiting>
  readonly room: SharedRoom
  /** The work takes long only some turns after it began, as where a store answers late. */
  isLate: boolean
}

export function createProgramStarts({ now, nextTurn, soon = nextTurn }: StartTurns): ProgramStarts {
  const credentials = new Map<string, Credential>()
  const takesLong = async (turn: () => Promise<unknown>): Promise<boolean> => {
    const begun = now()
    await turn()
    return now() - begun >= longMs
  }
  const letOthers = async (own: Credential): Promise<void> => {
    const isLong = (await takesLong(soon)) || own.isLate
    own.isLate = false
    if (!isLong) return
    for (let turn = 0; turn < turnsAfterLong; turn++) if (await takesLong(nextTurn)) own.isLate = true
  }
  const beginAll = async (name: string, own: Credential): Promise<void> => {
    for (;;) {
      await letOthers(own)
      const next = own.waiting.take()
      if (next === undefined) break
      if (next.ends === undefined) own.room.leave(next.program, next.bytes)
      else own.ending.delete(next.ends)
      next.begin(true)
    }
    credentials.delete(name)
  }
  return {
    begin: async (name, { program = "", bytes, ends, goesFirst = false }) => {
      const own = credentials.get(name)
      if (own === undefined) {
        const opened = {
          ending: new Set<string>(),
          waiting: createRounds<Waiting>(),
          room: createSharedRoom(mostStarts),
        }
        const credential: Credential = { ...opened, isLate: false }
        credentials.set(name, credential)
        void beginAll(name, credential)
        return true
      }
      const isEnding = ends !== undefined && !own.ending.has(ends)
      const lane = goesFirst ? `${program} first` : program
      if (!isEnding && !own.room.mayEnter(lane, bytes)) return false
      return new Promise<boolean>((begin) => {
        if (isEnding) own.ending.add(ends)
        else own.room.enter(lane, bytes)
        const entry = { program: lane, bytes, ends: isEnding ? ends : undefined, begin }
        own.waiting.add(program, entry, isEnding || goesFirst)
      })
    },
  }
}
