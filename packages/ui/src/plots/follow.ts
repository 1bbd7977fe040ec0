import type { MouseEvent } from "react"

/** A plain click stays in the page; one that asks for a new tab or window is the browser's. */
export function followInPage(event: MouseEvent, href: string, onFollow: (href: string) => void): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  onFollow(href)
}
