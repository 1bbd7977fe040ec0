import type { ApprovalSummaryView, SessionView } from "@byleave/api"
import { shortSessionName } from "@byleave/api/page"
import { showText } from "@byleave/core"
import { TriangleAlert } from "lucide-react"
import { Fragment, type ReactNode } from "react"
import { Mark, Stamp } from "../parts/mark.tsx"
import { ShownName, ShownText } from "../parts/shown-text.tsx"
import { Ago, useNow } from "../parts/time.tsx"
import { rowText } from "../words/row-text.ts"
import { leftInWords } from "../words/time-words.ts"
import look from "./approval-row.module.css"
import { calledText } from "./head/ask-words.ts"
import { isCallerGone } from "./head/caller-words.ts"
import { statusWords } from "./head/status-words.ts"
import { urgencyOf } from "./row-words.ts"

export type ApprovalRowProps = {
  readonly approval: ApprovalSummaryView
  readonly session: SessionView | null
  /** Its card is the one that is shown. */
  readonly isOpen: boolean
  readonly onOpen: (approval: ApprovalSummaryView) => void
  /** Chosen to be decided together with others; without `onTick` there is no box. */
  readonly isTicked?: boolean
  readonly onTick?: (approval: ApprovalSummaryView, isTicked: boolean) => void
  /** Stands below a heading that names its tool: the row begins with what tells it from the others. */
  readonly isNested?: boolean
  /** -1 where the list moves the focus itself. */
  readonly tabIndex?: number
}

/** One waiting call in a list: what, about what, who, and how long there is. */
export function ApprovalRow({
  approval,
  session,
  isOpen,
  onOpen,
  isTicked = false,
  onTick,
  isNested = false,
  tabIndex,
}: ApprovalRowProps): ReactNode {
  const now = useNow(5_000)
  const urgency = approval.status === "pending" ? urgencyOf(approval.expiresAt, now) : "none"
  const called = rowText(calledText(approval))
  const telling = isNested ? approval.preview?.[0] : undefined
  return (
    <div className={look.row} data-open={isOpen} data-urgency={urgency} data-approval={approval.id}>
      {onTick !== undefined && (
        <label className={look.tick}>
          <input
            type="checkbox"
            checked={isTicked}
            onChange={(event) => onTick(approval, event.target.checked)}
            tabIndex={tabIndex}
          />
          <span className="only-read-aloud">
            Select <ShownName text={called} />
          </span>
        </label>
      )}
      <button
        type="button"
        className={look.open}
        aria-current={isOpen ? "true" : undefined}
        onClick={() => onOpen(approval)}
        tabIndex={tabIndex}
      >
        <span className={look.pair}>
          {telling === undefined ? (
            <span className={look.tool} title={showText(called)}>
              <ShownName text={called} />
            </span>
          ) : (
            <span className={`${look.telling} ${look.line}`} title={showText(telling.text)}>
              <span className="only-read-aloud">
                <ShownName text={called} />{" "}
              </span>
              <ShownText text={telling.text} />
            </span>
          )}
          <span className={look.side}>
            {isCallerGone(approval, session) && <Mark>agent disconnected</Mark>}
            <PinMark pin={approval.pin} />
            {approval.risks !== null && approval.risks.count > 0 && (
              <RiskMark count={approval.risks.count} isStrong={approval.riskLevel === "strong"} />
            )}
            <Left approval={approval} now={now} />
          </span>
        </span>
        <span className={look.pair}>
          <About approval={approval} isWithoutFirst={telling !== undefined} />
          <span className={`${look.who} ${look.line}`}>
            <ShownName text={rowText(shortSessionName(session, approval.session))} />
          </span>
          <span className={look.side}>
            <Ago at={statusWords(approval)?.at ?? approval.createdAt} />
          </span>
        </span>
      </button>
    </div>
  )
}

function About({
  approval,
  isWithoutFirst,
}: {
  readonly approval: ApprovalSummaryView
  readonly isWithoutFirst: boolean
}): ReactNode {
  const preview = isWithoutFirst ? (approval.preview?.slice(1) ?? null) : approval.preview
  return (
    <span className={`${look.argument} ${look.line}`}>
      {preview === null && "arguments no longer stored"}
      {preview?.length === 0 && !isWithoutFirst && "no arguments"}
      {preview?.map(({ name, text }, at) => (
        <Fragment key={name}>
          {at > 0 && " · "}
          <ShownName text={name} />:{" "}
          <span className={look.value}>
            <ShownText text={text} />
          </span>
        </Fragment>
      ))}
    </span>
  )
}

/** The calls that deserve the longest look: nobody has accepted what their tool says of itself. */
function PinMark({ pin }: Pick<ApprovalSummaryView, "pin">): ReactNode {
  if (pin !== "new" && pin !== "changed") return null
  return <Mark tone="wait">{pin === "new" ? "new tool" : "tool changed"}</Mark>
}

/** How many warnings there are; filled where one of them is strong. */
function RiskMark({ count, isStrong }: { readonly count: number; readonly isStrong: boolean }): ReactNode {
  const legend = isStrong ? "Strong warning" : "Notice"
  return (
    <span className={look.risk} data-strong={isStrong} title={`${legend}: ${count} to check before allowing`}>
      <TriangleAlert aria-hidden="true" />
      <span className="only-read-aloud">{legend}, things to check before allowing: </span>
      {count}
    </span>
  )
}

function Left({ approval, now }: { readonly approval: ApprovalSummaryView; readonly now: number }): ReactNode {
  const words = statusWords(approval)
  if (words !== null) return <Stamp tone={words.tone}>{words.stamp}</Stamp>
  if (approval.status !== "pending" || approval.expiresAt === null) return null
  return (
    <span className={look.left} data-urgency={urgencyOf(approval.expiresAt, now)}>
      {leftInWords(approval.expiresAt, now)}
    </span>
  )
}
