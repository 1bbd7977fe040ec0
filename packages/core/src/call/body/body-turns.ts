/**
 * Lets large bodies be worked on one after the other, so that a person's request, which is small, is answered between any two of them however
 * many arrive at once.
 *
 * I1. Between two large bodies the event loop turns, several times.
 * I2. Senders take turns: whoever has many waiting lets another's go before its second.
 * I3. A body that nobody waits for any more is not worked on.
 */

/** Smaller bodies are processed as they arrive. */
export const largeBodyBytes = 256 * 1024

export type BodyTurns = {
  /** Resolved when it is this body's turn: true; or false once it was left. */
  readonly wait: (sender: string) => WaitingBody
}

export type WaitingBody = { readonly turn: Promise<boolean>; readonly leave: () => void }

/** As many as it takes a small request to be read, looked up and answered. */
const turnsBetween = 8

/** `nextTurn`: resolved after all other ready work has had its turn. */
export function createBodyTurns(nextTurn: () => Promise<void>): BodyTurns {
  /** By sender; the first one is next. */
  const waiting = new Map<string, Set<(isIts: boolean) => void>>()
  let isWorking = false
  const forget = (sender: string, body: (isIts: boolean) => void): boolean => {
    const own = waiting.get(sender)
    if (own?.delete(body) !== true) return false
    if (own.size === 0) waiting.delete(sender)
    return true
  }
  const work = async (): Promise<void> => {
    for (;;) {
      const [next] = waiting
      if (next === undefined) break
      const [sender, bodies] = next
      const [body] = bodies
      // Behind everybody else, with what it has left.
      waiting.delete(sender)
      waiting.set(sender, bodies)
      if (body === undefined || !forget(sender, body)) continue
      body(true)
      for (let turn = 0; turn < turnsBetween; turn++) await nextTurn()
    }
    isWorking = false
  }
  return {
    wait: (sender) => {
      let body: (isIts: boolean) => void = () => {}
      const turn = new Promise<boolean>((resolve) => {
        body = resolve
      })
      waiting.set(sender, (waiting.get(sender) ?? new Set()).add(body))
      if (!isWorking) {
        isWorking = true
        void work()
      }
      return {
        turn,
        leave: () => {
          if (forget(sender, body)) body(false)
        },
      }
    },
  }
}
