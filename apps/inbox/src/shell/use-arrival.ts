import { useRouterState } from "@tanstack/react-router"
import { useEffect, useRef } from "react"

/** On the way to another page: to its top, with the focus on its title, so that a screen reader begins there. */
export function useArrival(): void {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname })
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // Whoever writes goes on writing: the first message of a thread changes the address.
    if (document.activeElement?.closest("[data-keeps-focus]") != null) return
    window.scrollTo(0, 0)
    return whenThere("main h1", (title) => title.focus({ preventScroll: true }))
  }, [pathname])
}

/** Pages are loaded when they are first opened: the title may come a moment later. */
function whenThere(selector: string, act: (element: HTMLElement) => void): () => void {
  const find = (): boolean => {
    const element = document.querySelector<HTMLElement>(selector)
    if (element !== null) act(element)
    return element !== null
  }
  if (find()) return () => undefined
  const observer = new MutationObserver(() => find() && observer.disconnect())
  observer.observe(document.body, { childList: true, subtree: true })
  const timer = setTimeout(() => observer.disconnect(), 5_000)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}
