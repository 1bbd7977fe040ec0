/**
 * Long lists that somebody else chose, looked through so that others are answered meanwhile.
 *
 * I1. Nobody waits longer than a slice and what one entry takes, however many are asked at once.
 * I2. Lists that share the loop take one slice of each of its turns, all of them together.
 * I3. Whoever has many lists lets another's go on before its second.
 */
import { createRounds } from "./rounds.ts"

/** `nextTurn`: resolved after all other ready work has had its turn. */
export type LoopTurns = { readonly now: () => number; readonly nextTurn: () => Promise<unknown> }

/** The same for work that shares the loop with others. */
export type SharedTurns = LoopTurns & {
  /** Whether nobody else waits for a turn, and something of this one is left. */
  readonly mayBegin: () => boolean
  /** Whether the slice of this turn of the loop is used up. */
  readonly isOver: () => boolean
  readonly took: (ms: number) => void
}

/** All the long work of one loop, by whose it is. */
export type LoopShare = { readonly of: (who: string) => SharedTurns }

/** Whether somebody still waits for the answers, and may have them: asked again and again while they are found. */
export type StillWanted = () => boolean | Promise<boolean>

/** So long one list is looked through before others have their turn. */
export const sliceMs = 10
const usualSlice = 50

export function createLoopShare({ now, nextTurn }: LoopTurns): LoopShare {
  const waiting = createRounds<() => void>()
  let waits = 0
  let used = 0
  const workOff = async (): Promise<void> => {
    while (waits > 0) {
      await nextTurn()
      used = 0
      waits -= 1
      waiting.take()?.()
    }
  }
  const wait = (who: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.add(who, resolve)
      waits += 1
      if (waits === 1) void workOff()
    })
  return {
    of: (who) => ({
      now,
      nextTurn: () => wait(who),
      mayBegin: () => waits === 0 && used < sliceMs,
      isOver: () => used >= sliceMs,
      took: (ms) => {
        used += ms
      },
    }),
  }
}

/**
 * The answers for all entries, in their order. `slice`: so many are awaited together at most. Null: nobody wants them any more, and the rest was not asked.
 */
export async function inTurns<Entry, Answer>(
  entries: readonly Entry[],
  answerFor: (entry: Entry) => Promise<Answer>,
  turns: LoopTurns | SharedTurns,
  isStillWanted: StillWanted,
  slice = usualSlice,
): Promise<readonly Answer[] | null> {
  const { now, nextTurn, mayBegin, isOver, took } = "took" in turns ? turns : createLoopShare(turns).of("")
  if (!(await isStillWanted())) return null
  let goesOn = mayBegin()
  const answers: Answer[] = []
  while (answers.length < entries.length) {
    if (!goesOn) {
      await nextTurn()
      if (!(await isStillWanted())) return null
    }
    const since = now()
    const asked: Array<Promise<Answer>> = []
    for (const entry of entries.slice(answers.length, answers.length + slice)) {
      asked.push(answerFor(entry))
      if (now() - since >= sliceMs) break
    }
    // At once, for others may begin before the answers are there.
    const begun = now()
    took(begun - since)
    for (const answer of await Promise.all(asked)) answers.push(answer)
    took(now() - begun)
    goesOn = !isOver()
  }
  return answers
}
