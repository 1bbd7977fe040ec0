import { useSyncExternalStore } from "react"

/** `system` follows the system, whatever that is at the time of day. */
export type Theme = "system" | "light" | "dark"

const key = "byleave.theme"
const listeners = new Set<() => void>()

function chosen(): Theme {
  const kept = localStorage.getItem(key)
  return kept === "light" || kept === "dark" ? kept : "system"
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The theme of this browser and how to change it. `public/theme.js` puts it in place before the page is first drawn. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, chosen)
  const choose = (next: Theme): void => {
    const { dataset } = document.documentElement
    if (next === "system") {
      localStorage.removeItem(key)
      delete dataset.theme
    } else {
      localStorage.setItem(key, next)
      dataset.theme = next
    }
    for (const tell of listeners) tell()
  }
  return [theme, choose]
}
