import { useSyncExternalStore } from "react"

const key = "byleave.undo"
const listeners = new Set<() => void>()

function isOn(): boolean {
  return localStorage.getItem(key) !== "off"
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether answers given in this browser can be taken back for three seconds, and how to change that. */
export function useUndoSetting(): readonly [boolean, (isOn: boolean) => void] {
  const choose = (wanted: boolean): void => {
    if (wanted) localStorage.removeItem(key)
    else localStorage.setItem(key, "off")
    for (const tell of listeners) tell()
  }
  return [useSyncExternalStore(subscribe, isOn), choose]
}
