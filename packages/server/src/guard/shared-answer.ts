/**
 * An answer that costs much and that many ask for.
 *
 * I1. It is worked out once for all who ask while nothing has changed that it depends on, and once at a time.
 * I2. Nobody gets an answer to how things were before they asked.
 * I3. A failure is not remembered.
 */
export type SharedAnswer<Answer> = { readonly get: () => Promise<Answer> }

/** `state`: names all that the answer depends on, cheaply. */
export function createSharedAnswer<Answer>(
  state: () => Promise<string>,
  work: () => Promise<Answer>,
): SharedAnswer<Answer> {
  let newest: { readonly state: string; readonly answer: Promise<Answer> } | null = null
  let running: Promise<unknown> | null = null
  /** Begins once the running one has ended: whoever asks until then can share it. */
  let next: Promise<Answer> | null = null

  function begin(now: string): Promise<Answer> {
    const answer = work()
    const own = { state: now, answer }
    newest = own
    const ended = answer.then(
      () => {},
      () => {
        if (newest === own) newest = null
      },
    )
    running = ended
    void ended.then(() => {
      if (running === ended) running = null
    })
    return answer
  }

  async function get(): Promise<Answer> {
    const now = await state()
    if (newest?.state === now) return newest.answer
    if (running === null) return begin(now)
    next ??= running.then(() => {
      next = null
      return get()
    })
    return next
  }
  return { get }
}
