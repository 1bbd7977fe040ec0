import { type RefObject, useEffect, useState } from "react"

/** Whether an element can be seen, or is less than `margin` away from it. */
export function useInView(place: RefObject<HTMLElement | null>, margin = "0px"): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false), {
      rootMargin: margin,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [place, margin])
  return isInView
}
