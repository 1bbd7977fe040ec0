import { useCallback, useEffect, useRef, useState } from "react"
import type { PanelBackend, PanelEvent } from "./panel-client.ts"

export type Live<Value> =
  | { readonly state: "loading" }
  | { readonly state: "problem"; readonly words: string; readonly again: () => void }
  | { readonly state: "ready"; readonly value: Value; readonly again: () => void }

type LiveOptions = {
  /** The name of the reading: another key is another reading. Null: nothing is read. */
  readonly key: string | null
  readonly isStale: (event: PanelEvent) => boolean
  /** Read again after so long, whatever was told; null: never. */
  readonly everyMs?: number | null
}

/** Reads something and reads it again when an event makes it stale. What was read stays while the next reading is under way. */
export function useLive<Value>(backend: PanelBackend, read: () => Promise<Value>, options: LiveOptions): Live<Value> {
  const { key, everyMs = null } = options
  const [found, setFound] = useState<{ readonly key: string; readonly live: Live<Value> } | null>(null)
  const latest = useRef({ read, isStale: options.isStale })
  useEffect(() => {
    latest.current = { read, isStale: options.isStale }
  })
  const again = useRef<() => void>(() => undefined)
  useEffect(() => {
    if (key === null) return
    let isOver = false
    let isReading = false
    let isDue = false
    const readNow = async (): Promise<void> => {
      if (isReading) {
        isDue = true
        return
      }
      isReading = true
      const live = await latest.current.read().then(
        (value): Live<Value> => ({ state: "ready", value, again: () => void readNow() }),
        (error: unknown): Live<Value> => ({ state: "problem", words: wordsOf(error), again: () => void readNow() }),
      )
      isReading = false
      if (isOver) return
      setFound({ key, live })
      if (!isDue) return
      isDue = false
      void readNow()
    }
    again.current = () => void readNow()
    void readNow()
    const stop = backend.follow((event) => latest.current.isStale(event) && void readNow())
    const timer = everyMs === null ? null : setInterval(() => void readNow(), everyMs)
    return () => {
      isOver = true
      stop()
      if (timer !== null) clearInterval(timer)
    }
  }, [backend, key, everyMs])
  if (key === null || found?.key !== key) return { state: "loading" }
  return found.live
}

/** Something that is done when a person asks for it: whether it is under way, and why it failed. */
export function useAct<Args extends readonly unknown[]>(act: (...args: Args) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  const run = useCallback(async (...args: Args): Promise<boolean> => {
    setBusy(true)
    setProblem(null)
    try {
      await latest.current(...args)
      return true
    } catch (error) {
      setProblem(wordsOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }, [])
  return { run, isBusy, problem, forget: () => setProblem(null) }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
