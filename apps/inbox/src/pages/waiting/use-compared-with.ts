import type { CurrentContentView } from "@byleave/api"
import { useState } from "react"
import { useRead } from "../../data/use-read.ts"

/** What a call's change is shown against. Once it is settled nothing is read for it: what was read while it waited stays. */
export function useComparedWith(id: string, isPending: boolean): CurrentContentView | null {
  const read = useRead("currentContent", { params: { id } }, { enabled: isPending })
  const [kept, setKept] = useState<{ readonly id: string; readonly content: CurrentContentView } | null>(null)
  const now = read.state === "ready" ? read.value : null
  const isTold = now !== null && now.kind !== "unavailable"
  if (isTold && (kept?.id !== id || kept.content !== now)) setKept({ id, content: now })
  if (isPending || isTold) return now
  return kept?.id === id ? kept.content : null
}
