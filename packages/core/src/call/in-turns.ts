/** `nextTurn`: resolved after all other ready work has had its turn. */
export type LoopTurns = { readonly now: () => number; readonly nextTurn: () => Promise<unknown> }

/** Whether somebody still waits for the answers, and may have them: asked again and again while they are found. */
export type StillWanted = () => boolean | Promise<boolean>

/** So long one list is looked through before others have their turn. */
export const sliceMs = 10
const usualSlice = 50

/**
 * The answers for all entries, in their order. Somebody else chose how many there are: meanwhile others are answered. `slice`: so many are
 * asked at once, before anybody looks at the time. Null: nobody wants them any more, and the rest was not asked.
 */
export async function inTurns<Entry, Answer>(
  entries: readonly Entry[],
  answerFor: (entry: Entry) => Promise<Answer>,
  { now, nextTurn }: LoopTurns,
  isStillWanted: StillWanted,
  slice = usualSlice,
): Promise<readonly Answer[] | null> {
  if (!(await isStillWanted())) return null
  const answers: Answer[] = []
  let since = now()
  for (let at = 0; at < entries.length; at += slice) {
    for (const answer of await Promise.all(entries.slice(at, at + slice).map(answerFor))) answers.push(answer)
    if (now() - since < sliceMs) continue
    await nextTurn()
    if (!(await isStillWanted())) return null
    since = now()
  }
  return answers
}
