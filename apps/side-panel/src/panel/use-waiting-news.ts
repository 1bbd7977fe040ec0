import type { ApprovalSummaryView } from "@byleave/api"
import { calledText } from "@byleave/ui"
import { useEffect, useRef } from "react"
import { askWorker } from "../standalone/worker-calls.ts"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { useLive } from "./use-live.ts"

/** Tells the worker what waits: it draws the badge, and notifies where nobody looks at the panel. */
export function useWaitingNews(backend: PanelBackend): void {
  const waiting = useLive(
    backend,
    async () =>
      (await answerIn(backend.client.listApprovals({ query: { principal: "chat", status: "pending", limit: 100 } })))
        .items,
    { key: "waiting", isStale: ({ type }) => type.startsWith("approval.") },
  )
  const told = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (waiting.state !== "ready") return
    const before = told.current
    const arrived = before === null ? undefined : waiting.value.find(({ id }) => !before.has(id))
    told.current = new Set(waiting.value.map(({ id }) => id))
    const isSeen = document.visibilityState === "visible" && document.hasFocus()
    const payload = {
      ids: waiting.value.map(({ id }) => id),
      firstEnds: firstEnd(waiting.value),
      arrived:
        arrived === undefined || isSeen
          ? null
          : { id: arrived.id, words: `${calledText(arrived)} needs your approval.` },
    }
    askWorker({ type: "panel/waiting", payload }).catch(() => undefined)
  }, [waiting])
}

function firstEnd(waiting: readonly ApprovalSummaryView[]): number | null {
  const ends = waiting.flatMap((call) => (call.status === "pending" && call.expiresAt !== null ? [call.expiresAt] : []))
  return ends.length === 0 ? null : Math.min(...ends)
}
