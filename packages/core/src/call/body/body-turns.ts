/**
 * Lets large bodies be worked on one after the other, so that a person's request, which is small, is answered between any two of them however
 * many arrive at once.
 *
 * I1. Between two large bodies the event loop turns, several times.
 * I2. Senders take turns: whoever has many waiting lets another's go before its second. So do programs that share a sender, in its turns.
 * I3. A body that nobody waits for any more is not worked on.
 */
import { createRounds, type Rounds } from "../rounds.ts"

/** Smaller bodies are processed as they arrive. */
export const largeBodyBytes = 256 * 1024

export type BodyTurns = {
  /** Resolved when it is this body's turn: true; or false once it was left. `program`: which of those that share the sender; absent: nobody does. */
  readonly wait: (sender: string, program?: string) => WaitingBody
}

export type WaitingBody = { readonly turn: Promise<boolean>; readonly leave: () => void }

/** As many as it takes a small request to be read, looked up and answered. */
const turnsBetween = 8

/** `nextTurn`: resolved after all other ready work has had its turn. */
export function createBodyTurns(nextTurn: () => Promise<void>): BodyTurns {
  const waiting = new Map<string, Rounds<(isIts: boolean) => void>>()
  let isWorking = false
  const work = async (): Promise<void> => {
    for (;;) {
      const [next] = waiting
      if (next === undefined) break
      const [sender, bodies] = next
      const body = bodies.take()
      // Behind everybody else, with what it has left.
      waiting.delete(sender)
      if (body === undefined) continue
      waiting.set(sender, bodies)
      body(true)
      for (let turn = 0; turn < turnsBetween; turn++) await nextTurn()
    }
    isWorking = false
  }
  return {
    wait: (sender, program = "") => {
      let body: (isIts: boolean) => void = () => {}
      const turn = new Promise<boolean>((resolve) => {
        body = resolve
      })
      const own = waiting.get(sender) ?? createRounds()
      waiting.set(sender, own)
      own.add(program, body)
      if (!isWorking) {
        isWorking = true
        void work()
      }
      return {
        turn,
        leave: () => {
          if (own.remove(program, body)) body(false)
        },
      }
    },
  }
}
