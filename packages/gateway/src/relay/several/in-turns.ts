import { setImmediate } from "node:timers/promises"

/** So long one list is looked through before others have their turn. */
const sliceMs = 10
const sliceEntries = 50

/** The answers for all entries, in their order. A server may list as much as a message can hold: meanwhile others are answered. */
export async function inTurns<Entry, Answer>(
  entries: readonly Entry[],
  answerFor: (entry: Entry) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  let since = performance.now()
  for (let at = 0; at < entries.length; at += sliceEntries) {
    const slice = await Promise.all(entries.slice(at, at + sliceEntries).map(answerFor))
    for (const answer of slice) answers.push(answer)
    if (performance.now() - since < sliceMs) continue
    await setImmediate()
    since = performance.now()
  }
  return answers
}
