import { useSyncExternalStore } from "react"

/** A setting of this browser that is on until somebody turns it off, and how to change it. */
export type BrowserSwitch = () => readonly [boolean, (isOn: boolean) => void]

export function browserSwitch(key: string): BrowserSwitch {
  const listeners = new Set<() => void>()
  const isOn = (): boolean => localStorage.getItem(key) !== "off"
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const choose = (wanted: boolean): void => {
    if (wanted) localStorage.removeItem(key)
    else localStorage.setItem(key, "off")
    for (const tell of listeners) tell()
  }
  return () => [useSyncExternalStore(subscribe, isOn), choose]
}
