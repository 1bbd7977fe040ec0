import { type ApprovalSummaryView, type ApprovalView, asShown } from "@byleave/api"
import { ApprovalCard, Button, type LoadCalls, type LoadCheck, type LoadPreview, Notice } from "@byleave/ui"
import { type ReactNode, useMemo, useState } from "react"
import { useAct } from "../../../data/use-act.ts"
import { useRead } from "../../../data/use-read.ts"
import { useSessionsOf } from "../../../data/use-sessions-of.ts"
import { type GuardedPage, LeaveGuard } from "../../places/leave-guard.tsx"
import { useComparedWith } from "../use-compared-with.ts"
import { useCardActions } from "./use-card-actions.ts"
import type { Verdicts } from "./use-verdicts.ts"

const loadCheck: LoadCheck = async () => (await import("./check-arguments.ts")).checkArguments

type LiveCardProps = {
  readonly approval: ApprovalView
  /** The other calls that wait, of any session. */
  readonly alsoWaiting: readonly ApprovalSummaryView[]
  readonly loadCalls: LoadCalls
  readonly verdicts: Verdicts
  /** Whether going there leaves the card; without it, going anywhere does. */
  readonly isLeft?: (from: GuardedPage, to: GuardedPage) => boolean
  readonly onOpen: (id: string) => void
}

/** The card of a call with everything around it read from the service, and its answers sent there. */
export function LiveCard({ approval, alsoWaiting, loadCalls, verdicts, isLeft, onOpen }: LiveCardProps): ReactNode {
  const { server: serverId, tool } = approval.tool
  const isPending = approval.status === "pending"
  // An approval of Byleave's own configuration comes from no server.
  const server = useRead("getServer", { params: { id: serverId } }, { enabled: serverId !== "byleave" })
  const pins = useRead("listPins", { query: { server: serverId } })
  const compared = useComparedWith(approval.id, isPending)
  const sessions = useSessionsOf([approval.sessionKey])
  const me = useRead("me")
  const found =
    pins.state === "ready" ? pins.value.items.find((each) => each.of === "tool" && each.tool === tool) : undefined
  const pin = useMemo(() => (found === undefined ? null : asShown(found)), [found])
  const actions = useCardActions(verdicts, pin, onOpen)
  const [isEdited, setEdited] = useState(false)
  const loadPreview = useLoadPreview(approval.id)
  return (
    <>
      <LeaveGuard
        isEdited={isEdited}
        {...(isLeft === undefined ? {} : { isLeft })}
        title="Leave without sending?"
        stay="Keep editing"
      >
        Your edits to the arguments have not been sent and will be lost if you leave this call. The call keeps waiting.
      </LeaveGuard>
      {actions.problem !== null && (
        <Notice
          tone="no"
          title="This could not be completed"
          actions={
            <Button size="small" onClick={actions.forget}>
              Close
            </Button>
          }
        >
          {actions.problem}
        </Notice>
      )}
      <ApprovalCard
        approval={approval}
        server={server.state === "ready" ? server.value : null}
        session={sessions.get(approval.sessionKey) ?? null}
        pin={pin}
        current={compared.content}
        notAgain={compared.notAgain}
        alsoWaiting={alsoWaiting}
        loadCalls={loadCalls}
        verdict={verdicts.of(approval.id)}
        actions={{ ...actions, onEdited: setEdited }}
        isFresh={false}
        loadCheck={loadCheck}
        loadPreview={loadPreview}
        me={me.state === "ready" ? me.value.reviewer : null}
      />
    </>
  )
}

/** Asks the service what edited arguments would do; why not is thrown as it is to be shown. */
function useLoadPreview(id: string): LoadPreview {
  const { act } = useAct("previewEdit")
  return async (args) => {
    const reply = await act({ params: { id }, body: { args } })
    if (!reply.ok) throw new Error(reply.problem.detail)
    return reply.value
  }
}
