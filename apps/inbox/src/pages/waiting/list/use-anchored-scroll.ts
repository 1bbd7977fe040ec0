import type { Virtualizer } from "@tanstack/react-virtual"
import { type RefObject, useLayoutEffect, useRef } from "react"
import type { ListLine } from "./group-calls.ts"

type Place = { readonly key: string; readonly into: number }

/** Keeps under the eye what was there when lines above it come or go. At the top, what is new may show itself. */
export function useAnchoredScroll(
  virtual: Virtualizer<HTMLDivElement, Element>,
  box: RefObject<HTMLDivElement | null>,
  lines: readonly ListLine[],
): () => void {
  const place = useRef<Place | null>(null)
  const remember = (): void => {
    const top = box.current?.scrollTop ?? 0
    const first = virtual.getVirtualItems().find((item) => item.end > top)
    place.current = top === 0 || first === undefined ? null : { key: String(first.key), into: top - first.start }
  }
  useLayoutEffect(() => {
    if (box.current === null || place.current === null) return
    const { key } = place.current
    const start = virtual.measurementsCache[lines.findIndex((line) => line.key === key)]?.start
    if (start === undefined) return
    const wanted = start + place.current.into
    if (Math.abs(box.current.scrollTop - wanted) > 1) box.current.scrollTop = wanted
  }, [lines, virtual, box])
  return remember
}
