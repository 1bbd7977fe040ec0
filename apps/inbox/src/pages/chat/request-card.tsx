import { CardNameContext, Loading } from "@byleave/ui"
import type { ChatRequest } from "@byleave/ui/chat"
import { type ReactNode, useMemo } from "react"
import { useClient } from "../../data/client.tsx"
import { useWaitingCalls } from "../../data/live.tsx"
import { callLoader } from "../../data/load-calls.ts"
import { useRead } from "../../data/use-read.ts"
import { ReadProblem } from "../places/reading.tsx"
import { LiveCard } from "../waiting/answer/live-card.tsx"
import type { Verdicts } from "../waiting/answer/use-verdicts.ts"

type RequestCardProps = {
  readonly request: ChatRequest
  /** Its place among the calls that wait. */
  readonly nth: number
  readonly verdicts: Verdicts
  readonly onFollow: (href: string) => void
}

/** The card of a call that waits, in the message that made it: the inbox's own, read live and answered the same way. */
export function RequestCard({ request, nth, verdicts, onFollow }: RequestCardProps): ReactNode {
  const { id } = request.approval
  const read = useRead("getApproval", { params: { id } })
  const client = useClient()
  const loadCalls = useMemo(() => callLoader(client), [client])
  const { calls } = useWaitingCalls()
  if (read.state === "loading") return <Loading label="Loading the call" lines={6} />
  if (read.state === "problem") return <ReadProblem problem={read.problem} again={read.again} />
  return (
    <CardNameContext value={nth === 0 ? null : `call ${nth + 1}`}>
      <LiveCard
        approval={read.value}
        alsoWaiting={calls}
        loadCalls={loadCalls}
        verdicts={verdicts}
        isLeft={(from, to) => from.pathname !== to.pathname}
        onOpen={(call) => onFollow(`/activity/${encodeURIComponent(call)}`)}
      />
    </CardNameContext>
  )
}
