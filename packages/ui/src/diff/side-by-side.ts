import { type RefObject, useEffect, useState, useSyncExternalStore } from "react"

const key = "byleave.diff"
const listeners = new Set<() => void>()

function isChosen(): boolean {
  try {
    return localStorage.getItem(key) === "side-by-side"
  } catch {
    // A page within another may have no storage: then nothing is remembered.
    return false
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether differences are wanted side by side in this browser, and how to change it. */
export function useSideBySide(): readonly [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, isChosen, () => false)
  const choose = (next: boolean): void => {
    try {
      localStorage.setItem(key, next ? "side-by-side" : "unified")
    } catch {
      return
    }
    for (const tell of listeners) tell()
  }
  return [isOn, choose]
}

/** Two texts beside each other need at least this much. */
const narrowest = 680

/** Whether an element has room for two texts beside each other. */
export function useHasRoom(place: RefObject<HTMLElement | null>): boolean {
  const [hasRoom, setRoom] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const watcher = new ResizeObserver(([entry]) => setRoom((entry?.contentRect.width ?? 0) >= narrowest))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [place])
  return hasRoom
}
