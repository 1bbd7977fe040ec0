/**
 * Answers that were given and not sent yet, so that they can be taken back.
 *
 * I1. An answer is sent once, or taken back, never both.
 * I2. Nothing that was sent can be taken back.
 * I3. A second answer under the same key while the first is not sent changes nothing.
 */
export type UndoWindow<Answer> = {
  /** Sends the answer after the delay. False: one is held under this key already. */
  readonly hold: (key: string, answer: Answer) => boolean
  /** Gives the answer back unless it was sent. */
  readonly takeBack: (key: string) => Answer | null
  /** Sends everything now: for whoever goes on to another page. */
  readonly sendAll: () => void
}

/** How long an answer can be taken back. */
export const undoMs = 3_000

export function createUndoWindow<Answer>(send: (key: string, answer: Answer) => void): UndoWindow<Answer> {
  const held = new Map<string, { readonly answer: Answer; readonly timer: ReturnType<typeof setTimeout> }>()
  const release = (key: string): Answer | null => {
    const found = held.get(key)
    if (found === undefined) return null
    clearTimeout(found.timer)
    held.delete(key)
    return found.answer
  }
  const sendNow = (key: string): void => {
    const answer = release(key)
    if (answer !== null) send(key, answer)
  }
  return {
    hold: (key, answer) => {
      if (held.has(key)) return false
      held.set(key, { answer, timer: setTimeout(() => sendNow(key), undoMs) })
      return true
    },
    takeBack: release,
    sendAll: () => {
      for (const key of [...held.keys()]) sendNow(key)
    },
  }
}
