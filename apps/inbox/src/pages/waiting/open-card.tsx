import type { ApprovalView } from "@byleave/api"
import { Button, CopyButton, Empty, type LoadCalls, Loading, Notice } from "@byleave/ui"
import { ArrowLeft, ArrowRight, Ghost, X } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"
import type { Read } from "../../data/use-read.ts"
import type { GuardedPage } from "../places/leave-guard.tsx"
import { LiveCard } from "./answer/live-card.tsx"
import { RuleLine } from "./answer/rule-line.tsx"
import { useSeeOutcome } from "./answer/use-see-outcome.ts"
import type { Verdicts } from "./answer/use-verdicts.ts"
import type { WaitingList } from "./list/use-waiting-list.ts"
import look from "./open-card.module.css"

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
      return (
        <>
          <LiveCard
            approval={read.value}
            alsoWaiting={props.list.calls}
            loadCalls={props.loadCalls}
            verdicts={props.verdicts}
            isLeft={isLeft}
            onOpen={props.onOpen}
          />
          <RuleLine key={read.value.id} approval={read.value} />
        </>
      )
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
