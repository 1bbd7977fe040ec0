import { CardNameContext, Loading } from "@byleave/ui"
import { answerTo, type ChatRequest } from "@byleave/ui/chat"
import { useRouter } from "@tanstack/react-router"
import { type ReactNode, use, useMemo } from "react"
import { useClient } from "../../data/client.tsx"
import { useWaitingCalls } from "../../data/live/live.tsx"
import { callLoader } from "../../data/load-calls.ts"
import { useRead } from "../../data/use-read.ts"
import { ReadProblem } from "../places/reading.tsx"
import { LiveCard } from "../waiting/answer/live-card.tsx"
import type { Verdicts } from "../waiting/answer/use-verdicts.ts"
import { ChatVerdicts } from "./chat-verdicts.ts"

/** The card of a call that waits, in the message that made it: the inbox's own, read live and answered the same way. */
export function RequestCard({ request }: { readonly request: ChatRequest }): ReactNode {
  const { approval, nth } = request
  const read = useRead("getApproval", { params: { id: approval.id } })
  const client = useClient()
  const router = useRouter()
  const loadCalls = useMemo(() => callLoader(client), [client])
  const { calls } = useWaitingCalls()
  const given = use(ChatVerdicts)
  if (read.state === "loading" || given === null) return <Loading label="Loading the call" lines={6} />
  if (read.state === "problem") return <ReadProblem problem={read.problem} again={read.again} />
  const verdicts: Verdicts = {
    ...given.verdicts,
    give: (call, verdict) => {
      given.verdicts.give(call, verdict)
      given.onAnswer(answerTo(request, verdict.kind))
    },
  }
  return (
    <CardNameContext value={nth === 0 ? null : `call ${nth + 1}`}>
      <LiveCard
        approval={read.value}
        alsoWaiting={calls}
        loadCalls={loadCalls}
        verdicts={verdicts}
        isLeft={(from, to) => from.pathname !== to.pathname}
        onOpen={(call) => void router.navigate({ href: `/activity/${encodeURIComponent(call)}` })}
      />
    </CardNameContext>
  )
}
