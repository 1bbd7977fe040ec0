import type { ApprovalSummaryView, ApprovalView, ServerView } from "@byleave/api"
import { bindAcceptance, bindVerdict } from "@byleave/api/page"
import {
  ApprovalCard,
  type CardActions,
  CardNameContext,
  type GivenVerdict,
  Loading,
  type VerdictState,
} from "@byleave/ui"
import { answerTo, type ChatRequest, type RequestAnswer } from "@byleave/ui/chat"
import { type ReactNode, useEffect, useState } from "react"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { ProblemNotice } from "./problem-notice.tsx"
import look from "./request-card.module.css"
import { ServerBadge } from "./server-badge.tsx"
import { readPins } from "./servers/read-pins.ts"
import { useAct, useLive } from "./use-live.ts"

type RequestCardProps = {
  readonly backend: PanelBackend
  readonly request: ChatRequest
  readonly alsoWaiting: readonly ApprovalSummaryView[]
  /** Told of an answer by the ids of its block, its message and its thread. */
  readonly onAnswer: (answer: RequestAnswer) => void
}

/** So long a card that has just appeared hears no keys: they were meant for something else. */
const freshMs = 700

/** The card of a call that waits, in the message that made it. */
export function RequestCard({ backend, request, alsoWaiting, onAnswer }: RequestCardProps): ReactNode {
  const { client } = backend
  const { nth } = request
  const { id } = request.approval
  const read = useLive(backend, () => answerIn(client.getApproval({ params: { id } })), {
    key: id,
    isStale: (event) => event.type.startsWith("approval.") && (event.subject === id || event.subject === ""),
  })
  if (read.state === "loading") return <Loading label="Loading the call" lines={6} />
  if (read.state === "problem") return <ProblemNotice words={read.words} />
  return (
    <CardNameContext value={nth === 0 ? null : `call ${nth + 1}`}>
      <LiveCard
        backend={backend}
        approval={read.value}
        alsoWaiting={alsoWaiting}
        onGiven={(kind) => onAnswer(answerTo(request, kind))}
      />
    </CardNameContext>
  )
}

type LiveCardProps = Pick<RequestCardProps, "backend" | "alsoWaiting"> & {
  readonly approval: ApprovalView
  readonly onGiven: (kind: GivenVerdict["kind"]) => void
}

function LiveCard({ backend, approval, alsoWaiting, onGiven }: LiveCardProps): ReactNode {
  const { client } = backend
  const { server: serverId, tool } = approval.tool
  const [verdict, setVerdict] = useState<VerdictState>({ state: "none" })
  const isFresh = useFresh(approval.id)
  const servers = useLive(backend, async () => (await answerIn(client.listServers())).items, {
    key: serverId,
    isStale: ({ type }) => type === "server.changed",
  })
  const pins = useLive(backend, () => readPins(client, serverId), {
    key: serverId,
    isStale: ({ type }) => type === "definition.changed",
  })
  const current = useLive(backend, () => answerIn(client.currentContent({ params: { id: approval.id } })), {
    key: backend.kind === "paired" && approval.status === "pending" ? approval.id : null,
    isStale: ({ type, subject }) => type === "approval.changed" && subject === approval.id,
  })
  const server: ServerView | null =
    servers.state === "ready" ? (servers.value.find((each) => each.id === serverId) ?? null) : null
  const pin =
    pins.state === "ready" ? (pins.value.find((each) => each.of === "tool" && each.tool === tool) ?? null) : null
  const give = async (shown: ApprovalView, given: GivenVerdict): Promise<void> => {
    setVerdict({ state: "sending", kind: given.kind })
    const body = await bindVerdict(shown, { ...given, face: "side-panel" })
    const reply = await client.giveVerdict({ params: { id: shown.id }, body }).catch((error: unknown) => ({
      ok: false as const,
      problem: { detail: error instanceof Error ? error.message : String(error) },
    }))
    setVerdict(reply.ok ? { state: "none" } : { state: "refused", why: reply.problem.detail })
    if (reply.ok) onGiven(given.kind)
  }
  const extend = useAct((until: number | null) =>
    answerIn(client.extendApproval({ params: { id: approval.id }, body: { until } })),
  )
  const accept = useAct(async () => {
    if (pin?.proposed == null) return
    await answerIn(client.acceptPin({ body: await bindAcceptance(pin) }))
  })
  const actions: CardActions = {
    onVerdict: (shown, given) => void give(shown, given),
    onTakeBack: () => undefined,
    onExtend: (_, until) => void extend.run(until),
    onRevoke: () => undefined,
    onRunNow: () => undefined,
    onRerun: () => undefined,
    loadUndo: () => Promise.reject(new Error("Nothing can be put back here.")),
    onPutBack: async () => false,
    onAccept: () => void accept.run(),
    busyWith: extend.isBusy ? "extend" : accept.isBusy ? "accept" : null,
  }
  return (
    <>
      <div className={look.server}>
        <ServerBadge server={serverId} kind={backend.kind} />
      </div>
      {[extend, accept].map(({ problem }) => problem !== null && <ProblemNotice key={problem} words={problem} />)}
      <ApprovalCard
        approval={approval}
        server={server}
        session={null}
        pin={pin}
        current={current.state === "ready" ? current.value : null}
        alsoWaiting={alsoWaiting}
        loadCalls={async (ids) => Promise.all(ids.map((id) => answerIn(client.getApproval({ params: { id } }))))}
        verdict={verdict}
        actions={actions}
        isFresh={isFresh}
        offersAutoApprove
        loadPreview={async (args) => answerIn(client.previewEdit({ params: { id: approval.id }, body: { args } }))}
      />
      {approval.status === "pending" && approval.expiresAt !== null && (
        <p className={look.ends}>
          If you have not answered by then, it expires: it does not run, and the agent is told so.
        </p>
      )}
    </>
  )
}

function useFresh(id: string): boolean {
  const [old, setOld] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setOld(id), freshMs)
    return () => clearTimeout(timer)
  }, [id])
  return old !== id
}
