import { useMemo, useSyncExternalStore } from "react"
import { type NotifySettings, readNotifySettings } from "./notify-settings.ts"

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener("storage", listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener("storage", listener)
  }
}

/** The settings of a reviewer in this browser, and how to change them; every part of the page and every tab sees the change. */
export function useNotifySettings(
  reviewer: string,
): readonly [NotifySettings, (change: Partial<NotifySettings>) => void] {
  const key = `byleave.notify.${reviewer}`
  const kept = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const settings = useMemo(() => readNotifySettings(kept), [kept])
  const change = (part: Partial<NotifySettings>): void => {
    localStorage.setItem(key, JSON.stringify({ ...settings, ...part }))
    for (const tell of listeners) tell()
  }
  return [settings, change]
}
