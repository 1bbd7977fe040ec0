import { useEffect, useRef } from "react"
import { pageKey } from "./page-keys.ts"

/** Plain keys of the page. Say true of those that were taken. */
export function usePageKeys(take: (key: string, event: KeyboardEvent) => boolean): void {
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const key = pageKey({
        key: event.key,
        ctrl: event.ctrlKey,
        meta: event.metaKey,
        alt: event.altKey,
        // The first of the path: a field inside a shadow root is not the target that the document sees.
        inField: isField(event.composedPath()[0] ?? event.target),
        hasDialog: document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null,
      })
      if (key !== null && latest.current(key, event)) event.preventDefault()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
}

const fields = 'input:not([type="checkbox"]), textarea, select, [contenteditable]:not([contenteditable="false"])'

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(fields) !== null
}
