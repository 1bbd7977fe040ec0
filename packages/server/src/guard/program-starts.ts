/**
 * Requests of programs begin one after the other. A request may make the service do much at once, in a place that nobody thought of: whatever it
 * is, others are answered before the same program's next request begins.
 *
 * I1. Others have a turn between two requests of one program, and several after one that took long.
 * I2. No program has more requests waiting to begin than it may; another's are not counted with them.
 */
import type { LoopTurns } from "@byleave/core"
import { createProgramTurns } from "../gate/program-turns.ts"
import { type RefusedRequest, refuse } from "../refused.ts"

/** Null: it is this program's turn, until the caller next waits for something. */
export type ProgramStarts = (program: string) => Promise<null | RefusedRequest>

export const mostStarts = { pieces: 1_024, bytes: 0 } as const

const longMs = 10
/** As many turns as it takes to answer somebody's small request. */
const turnsAfterLong = 8

export function createProgramStarts({ now, nextTurn }: LoopTurns): ProgramStarts {
  const restingTurns = async (): Promise<void> => {
    const begun = now()
    await nextTurn()
    if (now() - begun < longMs) return
    for (let turn = 1; turn < turnsAfterLong; turn++) await nextTurn()
  }
  const turns = createProgramTurns(mostStarts, restingTurns)
  return async (program) => turns.take(program, 0, async () => null) ?? refuse("too-many-reads", tooManyWords)
}

const tooManyWords =
  "Too many requests of yours are waiting here. Nothing was done. Try again once some of them are answered."
