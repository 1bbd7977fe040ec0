import { type ReactNode, useSyncExternalStore } from "react"
import { agoInWords, exactTime, leftInWords } from "../words/time-words.ts"

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for the page, which stands still while nobody looks at it. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tell of listeners) tell()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time, as often as it changes in steps of `stepMs`. */
export function useNow(stepMs = 1_000): number {
  const read = (): number => Math.floor(now / stepMs) * stepMs
  return useSyncExternalStore(subscribe, read, read)
}

export function Ago({ at }: { readonly at: number }): ReactNode {
  const time = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {agoInWords(at, time)}
    </time>
  )
}

export function Left({ until }: { readonly until: number }): ReactNode {
  const time = useNow()
  return (
    <time dateTime={new Date(until).toISOString()} title={exactTime(until)}>
      {leftInWords(until, time)}
    </time>
  )
}
