import type { CurrentContentView } from "@byleave/api"
import { useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { type ComparedWith, comparedWith, isTold } from "./compared-with.ts"

/** The content that a call's change is compared with, as it was read last. Once the call is settled, nothing is read for it. */
export function useComparedWith(id: string, isPending: boolean): ComparedWith {
  const read = useRead("currentContent", { params: { id } }, { enabled: isPending })
  const [kept, setKept] = useState<{ readonly id: string; readonly content: CurrentContentView } | null>(null)
  const now = read.state === "ready" ? read.value : null
  if (isTold(now) && (kept?.id !== id || kept.content !== now)) setKept({ id, content: now })
  return comparedWith(now, kept?.id === id ? kept.content : null, isPending)
}
