import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { type ApprovalsByCall, approvalsByCall } from "@byleave/ui"
import { useMemo } from "react"
import { useRead } from "./use-read.ts"

/** As many as the service tells of at once: the newest. */
const most = 500

/** The approvals of a run's calls, by the model's ids of the calls. */
export function useRunApprovals({ id, principal }: Pick<RunView, "id" | "principal">, isOn = true): ApprovalsByCall {
  const read = useRead("listApprovals", { query: { principal, session: id, limit: most } }, { enabled: isOn })
  const items = read.state === "ready" ? read.value.items : none
  return useMemo(() => approvalsByCall(items), [items])
}

const none: readonly ApprovalSummaryView[] = []
