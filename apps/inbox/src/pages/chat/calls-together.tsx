import type { ApprovalSummaryView } from "@byleave/api"
import { BatchBar } from "@byleave/ui"
import { type ReactNode, useMemo } from "react"
import { useClient } from "../../data/client.tsx"
import { callLoader } from "../../data/load-calls.ts"
import { useBatch } from "../waiting/answer/use-batch.ts"
import look from "./calls-together.module.css"

/** Decides the calls of one message that wait with one press: each is listed, and each is answered for itself. */
export function CallsTogether({ calls }: { readonly calls: readonly ApprovalSummaryView[] }): ReactNode {
  const client = useClient()
  const loadCalls = useMemo(() => callLoader(client), [client])
  const { kindOf: _, ...batch } = useBatch(() => undefined, "chat")
  return (
    <div className={look.together}>
      <BatchBar title={`${calls.length} calls of this message wait`} chosen={calls} loadCalls={loadCalls} {...batch} />
    </div>
  )
}
