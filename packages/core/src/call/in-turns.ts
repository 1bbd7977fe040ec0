/** `nextTurn`: resolved after all other ready work has had its turn. */
export type LoopTurns = { readonly now: () => number; readonly nextTurn: () => Promise<unknown> }

/** So long one list is looked through before others have their turn. */
export const sliceMs = 10
const usualSlice = 50

/**
 * The answers for all entries, in their order. Somebody else chose how many there are: meanwhile others are answered. `slice`: so many are
 * asked at once, before anybody looks at the time.
 */
export async function inTurns<Entry, Answer>(
  entries: readonly Entry[],
  answerFor: (entry: Entry) => Promise<Answer>,
  { now, nextTurn }: LoopTurns,
  slice = usualSlice,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  let since = now()
  for (let at = 0; at < entries.length; at += slice) {
    for (const answer of await Promise.all(entries.slice(at, at + slice).map(answerFor))) answers.push(answer)
    if (now() - since < sliceMs) continue
    await nextTurn()
    since = now()
  }
  return answers
}
