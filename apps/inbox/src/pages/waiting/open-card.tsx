import { type ApprovalView, asShown } from "@byleave/api"
import {
  ApprovalCard,
  Button,
  CopyButton,
  Empty,
  type LoadCalls,
  type LoadCheck,
  Loading,
  type LoadPreview,
  Notice,
} from "@byleave/ui"
import { ArrowLeft, ArrowRight, Ghost, X } from "lucide-react"
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { type Read, useRead } from "../../data/use-read.ts"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import { type GuardedPage, LeaveGuard } from "../places/leave-guard.tsx"
import { useCardActions } from "./answer/use-card-actions.ts"
import { useSeeOutcome } from "./answer/use-see-outcome.ts"
import type { Verdicts } from "./answer/use-verdicts.ts"
import type { WaitingList } from "./list/use-waiting-list.ts"
import look from "./open-card.module.css"
import { useComparedWith } from "./use-compared-with.ts"

const loadCheck: LoadCheck = async () => (await import("./answer/check-arguments.ts")).checkArguments

type OpenCardProps = {
  readonly id: string
  /** Changes whenever somebody has opened a call, rather than passed it: then the focus goes to it. */
  readonly focusTurn: number
  readonly read: Read<ApprovalView>
  readonly list: WaitingList
  readonly loadCalls: LoadCalls
  readonly verdicts: Verdicts
  readonly onClose: () => void
  /** Null when nothing else waits. */
  readonly onNext: (() => void) | null
  readonly onOpen: (id: string) => void
}

/** The call somebody looks at. It stays until they leave it, whatever becomes of it elsewhere. */
export function OpenCard({ read, focusTurn, onClose, onNext, ...props }: OpenCardProps): ReactNode {
  const pane = useRef<HTMLElement>(null)
  useKeepFocus(pane, read)
  useSeeOutcome(pane, read, props.verdicts.of(props.id))
  useEffect(() => {
    if (focusTurn > 0) pane.current?.focus()
  }, [focusTurn])
  return (
    <section ref={pane} className={look.pane} aria-label="Selected call" tabIndex={-1}>
      <h1 className={look.title}>A call</h1>
      <div className={look.tools}>
        <span className={look.back}>
          <Button size="small" tone="quiet" icon={<ArrowLeft />} onClick={onClose}>
            All waiting calls
          </Button>
        </span>
        {onNext !== null && (
          <Button size="small" tone="quiet" icon={<ArrowRight />} onClick={onNext}>
            Next call
          </Button>
        )}
        <CopyButton key={props.id} text={linkTo(props.id)} what="link" tone="quiet" />
        <span className={look.close}>
          <Button size="small" tone="quiet" icon={<X />} onClick={onClose}>
            Close
          </Button>
        </span>
      </div>
      <CardOf read={read} {...props} />
    </section>
  )
}

/** The address of the call by itself, whatever the list beside it is narrowed to. */
function linkTo(id: string): string {
  return new URL(`/?open=${encodeURIComponent(id)}`, location.origin).href
}

function CardOf({ read, ...props }: Omit<OpenCardProps, "onClose" | "onNext" | "focusTurn">): ReactNode {
  switch (read.state) {
    case "loading":
      return <Loading label="Loading call" lines={6} />
    case "problem":
      if (read.problem.code === "not-found") {
        return (
          <Empty icon={<Ghost />} title="Call not found">
            <p>It may have been removed, or the link is wrong.</p>
          </Empty>
        )
      }
      return (
        <Notice
          tone="no"
          title="The call could not be loaded"
          actions={<Button onClick={read.again}>Try again</Button>}
        >
          {read.problem.detail}
        </Notice>
      )
    case "ready":
      return <ReadyCard approval={read.value} {...props} />
  }
}

function ReadyCard({
  approval,
  list,
  loadCalls,
  verdicts,
  onOpen,
}: Omit<OpenCardProps, "onClose" | "onNext" | "focusTurn" | "read"> & { readonly approval: ApprovalView }): ReactNode {
  const { server: serverId, tool } = approval.tool
  const isPending = approval.status === "pending"
  // What Byleave asks itself about its configuration comes from no server.
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
      <LeaveGuard isEdited={isEdited} isLeft={isLeft} title="Leave without sending?" stay="Keep editing">
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
        alsoWaiting={list.calls}
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

/** Which call is open stands in the address, and so do filters, which may change. */
function isLeft(from: GuardedPage, to: GuardedPage): boolean {
  return from.pathname !== to.pathname || openIn(from.search) !== openIn(to.search)
}

function openIn(search: unknown): unknown {
  return (search as { readonly open?: unknown }).open
}

/** When a call is settled its buttons go, and with them the focus: it stays at the card. */
function useKeepFocus(pane: { readonly current: HTMLElement | null }, read: Read<ApprovalView>): void {
  const status = read.state === "ready" ? read.value.status : null
  const before = useRef(status)
  useEffect(() => {
    const wasPending = before.current === "pending"
    before.current = status
    if (wasPending && status !== "pending" && document.activeElement === document.body) pane.current?.focus()
  }, [status, pane])
}
