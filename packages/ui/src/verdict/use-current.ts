import type { CurrentContentView } from "@byleave/api"
import { useEffect, useState } from "react"
import type { LoadCurrent } from "./verdict.ts"

/** The file's content, read once; null until it is known. */
export function useCurrent(id: string, loadCurrent: LoadCurrent | undefined): CurrentContentView | null {
  const [current, setCurrent] = useState<CurrentContentView | null>(null)
  useEffect(() => {
    let isOver = false
    loadCurrent?.(id).then(
      (content) => !isOver && setCurrent(content),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [id, loadCurrent])
  return current
}
