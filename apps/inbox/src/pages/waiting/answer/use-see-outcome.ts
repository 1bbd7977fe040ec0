import type { ApprovalView } from "@byleave/api"
import type { VerdictState } from "@byleave/ui"
import { type RefObject, useEffect, useRef } from "react"
import type { Read } from "../../../data/use-read.ts"

/** Whoever has answered sees what came of it, wherever in the card they were. Others who read it are left where they are. */
export function useSeeOutcome(
  pane: RefObject<HTMLElement | null>,
  read: Read<ApprovalView>,
  verdict: VerdictState,
): void {
  const id = read.state === "ready" ? read.value.id : null
  const status = read.state === "ready" ? read.value.status : null
  const answered = useRef<string | null>(null)
  useEffect(() => {
    if (verdict.state === "sending") answered.current = id
    if (verdict.state === "refused") answered.current = null
  }, [verdict.state, id])
  useEffect(() => {
    if (id === null || answered.current !== id || status === "pending") return
    answered.current = null
    pane.current?.scrollTo({ top: 0 })
    pane.current?.querySelector("[data-outcome]")?.scrollIntoView({ block: "nearest" })
  }, [id, status, pane])
}
