/**
 * Bounds what a server's answers take up while they are read: how large one becomes shows only then, and an agent may ask for many at once.
 *
 * I1. Of one agent's large answers from a server so many are read at once; the others wait unread in their connections.
 * I2. Whoever waited longest goes on when one is done with, and no place is given back twice.
 * I3. What one agent waits for keeps no other agent waiting.
 * I4. Between two that are worked on, the event loop turns: what is small is answered meanwhile.
 */
import { setImmediate } from "node:timers/promises"
import { createBodyTurns } from "@byleave/core"
import type { PausableSource } from "../source-pace.ts"

/** Smaller answers are read as they come. */
export const largeAnswerBytes = 256 * 1024
const mostAtOnce = 4

export type LargeAnswers = {
  /** An answer to this principal has become large: it is read on now, or when it is its turn. */
  readonly begin: (principal: string, source: PausableSource) => LargeAnswer
}

export type LargeAnswer = {
  /** It has come: `work` is done when it is its turn, unless it ended before. */
  readonly inTurn: (work: () => void) => void
  /** It is done with, or nobody wants it any more. */
  readonly end: () => void
}

type Share = { reading: number; readonly waiting: Set<() => void> }

export function createLargeAnswers(most = mostAtOnce): LargeAnswers {
  const shares = new Map<string, Share>()
  const turns = createBodyTurns(() => setImmediate())
  return {
    begin: (principal, source) => {
      const share = shares.get(principal) ?? { reading: 0, waiting: new Set() }
      shares.set(principal, share)
      let isOver = false
      const goOn = (): void => {
        share.reading++
        source.resume()
      }
      if (share.reading < most) share.reading++
      else {
        source.pause()
        share.waiting.add(goOn)
      }
      let leave = (): void => {}
      return {
        inTurn: (work) => {
          const waiting = turns.wait(principal)
          leave = waiting.leave
          void waiting.turn.then((isIts) => {
            if (isIts) work()
          })
        },
        end: () => {
          if (isOver) return
          isOver = true
          leave()
          if (share.waiting.delete(goOn)) return
          share.reading--
          const [next] = share.waiting
          if (next !== undefined) {
            share.waiting.delete(next)
            next()
          } else if (share.reading === 0) shares.delete(principal)
        },
      }
    },
  }
}
