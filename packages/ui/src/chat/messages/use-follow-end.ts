import { type RefObject, useEffect } from "react"

/** So near the end, somebody is taken to read along. */
const nearEnd = 80

/**
 * Keeps the end of a thread in view while it grows, as long as somebody is there; whoever has scrolled up stays. A card that is higher than the
 * view is shown from its beginning.
 */
export function useFollowEnd(scroll: RefObject<HTMLElement | null>, id: string | null): void {
  useEffect(() => {
    const place = scroll.current
    // Before the first message the page is read from its top.
    if (place === null || id === null) return
    let isAtEnd = true
    let shownCard: string | null = null
    const onScroll = (): void => {
      isAtEnd = place.scrollHeight - place.scrollTop - place.clientHeight < nearEnd
    }
    const follow = (): void => {
      if (!isAtEnd) return
      const card = place.querySelector<HTMLElement>("[data-request]")
      const isNew = card !== null && card.dataset.request !== shownCard
      if (card !== null && card.offsetHeight > place.clientHeight) {
        if (isNew) card.scrollIntoView({ block: "start" })
        shownCard = card.dataset.request ?? null
        return
      }
      place.scrollTop = place.scrollHeight
    }
    const observer = new ResizeObserver(follow)
    const watch = (): void => {
      for (const child of place.children) observer.observe(child)
      follow()
    }
    const added = new MutationObserver(watch)
    added.observe(place, { childList: true })
    place.addEventListener("scroll", onScroll, { passive: true })
    watch()
    return () => {
      observer.disconnect()
      added.disconnect()
      place.removeEventListener("scroll", onScroll)
    }
  }, [scroll, id])
}
