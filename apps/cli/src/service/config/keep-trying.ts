/**
 * Work that must be done at last, though what it needs may be away for a while.
 *
 * I1. Every request is followed by an attempt that begins after it.
 * I2. What fails is tried again, with pauses, until it succeeds or is stopped. Of a row of failures the first is reported.
 */
import { setTimeout as delay } from "node:timers/promises"

export type KeptTrying = { readonly ask: () => void; readonly stop: () => void }

const firstPauseMs = 50
const longestPauseMs = 5_000

export function keepTrying(work: () => Promise<void>, onTrouble: (trouble: unknown) => void): KeptTrying {
  const stopping = new AbortController()
  const { signal } = stopping
  let isAsked = false
  let isTrying = false
  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal, ref: false }).catch(() => {})
  const attempt = async (isFirst: boolean): Promise<boolean> => {
    isAsked = false
    try {
      await work()
      return true
    } catch (trouble) {
      if (isFirst && !signal.aborted) onTrouble(trouble)
      return false
    }
  }
  const tryOn = async (): Promise<void> => {
    for (let pauseMs = 0; isAsked && !signal.aborted; ) {
      if (await attempt(pauseMs === 0)) pauseMs = 0
      else {
        isAsked = true
        pauseMs = Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs)
        await pause(pauseMs)
      }
    }
    isTrying = false
  }
  return {
    ask: () => {
      isAsked = true
      if (isTrying) return
      isTrying = true
      void tryOn()
    },
    stop: () => stopping.abort(),
  }
}
