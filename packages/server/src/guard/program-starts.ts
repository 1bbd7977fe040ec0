/**
 * Requests of programs begin one after the other. A request may make the service do much at once, in a place that nobody thought of: whatever it
 * is, others are answered before the same program's next request begins.
 *
 * I1. Others have a turn between two requests of one program, and several after one that took long, also where it did only some turns later.
 * I2. No program has more requests waiting to begin than it may, in number and in bytes; another's are not counted with them.
 * I3. A request that ends what was begun before is never refused, and begins before the others of its program.
 * I4. A program that waits for each answer before it asks again waits for nothing else.
 */
import type { LoopTurns } from "@byleave/core"

export type ProgramStarts = {
  /** True once it is this program's turn, until the caller next waits for something; false: too many of its requests wait, and nothing was done. */
  readonly begin: (program: string, start: StartingRequest) => Promise<boolean>
}

export type StartingRequest = {
  /** Of what the request brought, which is kept while it waits. */
  readonly bytes: number
  /** The name of the run or wait that it ends. Of several that wait to end the same one, only the first counts. */
  readonly ends?: string
}

/** `soon`: resolved after all work that is ready has had its turn, without any time passing; absent: `nextTurn`. */
export type StartTurns = LoopTurns & { readonly soon?: () => Promise<unknown> }

/** One request alone may always wait. */
export const mostStarts = { requests: 1_024, bytes: 32 * 1024 * 1024 } as const

const longMs = 10
/** As many turns as it takes to answer somebody's small request. */
const turnsAfterLong = 8

type Waiting = { readonly bytes: number; readonly ends: string | undefined; readonly begin: (isIts: true) => void }
type Program = {
  readonly ending: Map<string, Waiting>
  readonly waiting: Waiting[]
  bytes: number
  /** The work takes long only some turns after it began, as where a store answers late. */
  isLate: boolean
}

export function createProgramStarts({ now, nextTurn, soon = nextTurn }: StartTurns): ProgramStarts {
  const programs = new Map<string, Program>()
  const takesLong = async (turn: () => Promise<unknown>): Promise<boolean> => {
    const begun = now()
    await turn()
    return now() - begun >= longMs
  }
  const letOthers = async (program: Program): Promise<void> => {
    const isLong = (await takesLong(soon)) || program.isLate
    program.isLate = false
    if (!isLong) return
    for (let turn = 0; turn < turnsAfterLong; turn++) if (await takesLong(nextTurn)) program.isLate = true
  }
  const beginAll = async (name: string, program: Program): Promise<void> => {
    for (;;) {
      await letOthers(program)
      const next = nextOf(program)
      if (next === undefined) break
      program.bytes -= next.bytes
      next.begin(true)
    }
    programs.delete(name)
  }
  return {
    begin: async (name, { bytes, ends }) => {
      const own = programs.get(name)
      if (own === undefined) {
        const program: Program = { ending: new Map(), waiting: [], bytes: 0, isLate: false }
        programs.set(name, program)
        void beginAll(name, program)
        return true
      }
      const isEnding = ends !== undefined && !own.ending.has(ends)
      if (!isEnding && isTooMuch(own, bytes)) return false
      return new Promise<boolean>((begin) => {
        own.bytes += bytes
        if (isEnding) own.ending.set(ends, { bytes, ends, begin })
        else own.waiting.push({ bytes, ends, begin })
      })
    },
  }
}

function isTooMuch({ waiting, bytes: kept }: Program, bytes: number): boolean {
  return waiting.length >= mostStarts.requests || (kept > 0 && kept + bytes > mostStarts.bytes)
}

function nextOf({ ending, waiting }: Program): Waiting | undefined {
  const [first] = ending.values()
  if (first?.ends === undefined) return waiting.shift()
  ending.delete(first.ends)
  return first
}
