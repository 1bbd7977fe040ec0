import type { ApprovalSummaryView, SessionView } from "@byleave/api"
import { shortSessionName } from "@byleave/api/page"
import { showText } from "@byleave/core"
import { TriangleAlert, Undo2 } from "lucide-react"
import { Fragment, type ReactNode } from "react"
import { Button } from "../../parts/button.tsx"
import { Mark, Stamp } from "../../parts/mark.tsx"
import { ShownName, ShownText } from "../../parts/shown-text.tsx"
import { Ago, useNow } from "../../parts/time.tsx"
import type { GivenVerdict } from "../../verdict/verdict.ts"
import { rowText } from "../../words/row-text.ts"
import { leftInWords } from "../../words/time-words.ts"
import { calledText } from "../head/ask-words.ts"
import { isCallerGone } from "../head/caller-words.ts"
import { statusWords } from "../head/status-words.ts"
import look from "./approval-row.module.css"
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
  /** Decided, and kept at hand: it looks unlike a row that waits, and says how long it is good for. */
  readonly isQuiet?: boolean
  /** -1 where the list moves the focus itself. */
  readonly tabIndex?: number
  /** A decision that was made and is not confirmed; null: none. */
  readonly answering?: RowAnswer | null
}

/** `onUndo`: takes the decision back; null: it is sent already, or it can only be taken back with others. */
export type RowAnswer = { readonly kind: GivenVerdict["kind"]; readonly onUndo: (() => void) | null }

/** One waiting call in a list: what, about what, who, and how long there is. */
export function ApprovalRow({
  approval,
  session,
  isOpen,
  onOpen,
  isTicked = false,
  onTick,
  isNested = false,
  isQuiet = false,
  tabIndex,
  answering = null,
}: ApprovalRowProps): ReactNode {
  const now = useNow(5_000)
  const urgency = approval.status === "pending" ? urgencyOf(approval.expiresAt, now) : "none"
  const called = rowText(calledText(approval))
  const telling = isNested ? approval.preview?.[0] : undefined
  return (
    <div
      className={look.row}
      data-open={isOpen}
      data-urgency={urgency}
      data-quiet={isQuiet}
      data-approval={approval.id}
    >
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
              <ShownName text={called} isTight={true} />
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
            {!isQuiet && approval.risks !== null && approval.risks.count > 0 && (
              <RiskMark count={approval.risks.count} isStrong={approval.riskLevel === "strong"} />
            )}
            {answering === null ? (
              <Left approval={approval} now={now} isQuiet={isQuiet} />
            ) : (
              <Answering kind={answering.kind} />
            )}
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
      {answering !== null && answering.onUndo !== null && <UndoInRow called={called} onUndo={answering.onUndo} />}
    </div>
  )
}

function Answering({ kind }: Pick<RowAnswer, "kind">): ReactNode {
  return kind === "approve" ? <Stamp tone="yes">Allowing…</Stamp> : <Stamp tone="no">Denying…</Stamp>
}

/** For as long as the decision is not sent, also when another card is open. */
function UndoInRow({ called, onUndo }: { readonly called: string; readonly onUndo: () => void }): ReactNode {
  return (
    <span className={look.undo}>
      <Button
        size="small"
        icon={<Undo2 />}
        // Enter that is still down from the decision itself takes nothing back.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onClick={(event) => {
          // The button goes, and the focus with it: to the row it stood in.
          event.currentTarget.closest("[data-approval]")?.querySelector("button")?.focus()
          onUndo()
        }}
      >
        Undo{" "}
        <span className="only-read-aloud">
          your decision on <ShownName text={called} />
        </span>
      </Button>
    </span>
  )
}

type AboutProps = { readonly approval: ApprovalSummaryView; readonly isWithoutFirst: boolean }

function About({ approval, isWithoutFirst }: AboutProps): ReactNode {
  const preview = isWithoutFirst ? (approval.preview?.slice(1) ?? null) : approval.preview
  return (
    <span className={`${look.argument} ${look.line}`}>
      {preview === null && "arguments no longer stored"}
      {preview?.length === 0 && !isWithoutFirst && "no arguments"}
      {preview?.map(({ name, text }, at) => (
        <Fragment key={name}>
          {at > 0 && " · "}
          <ShownName text={name} />:{" "}
          {text === "" ? (
            "empty"
          ) : (
            <span className={look.value}>
              <ShownText text={text} />
            </span>
          )}
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

function Left({
  approval,
  now,
  isQuiet,
}: {
  readonly approval: ApprovalSummaryView
  readonly now: number
  readonly isQuiet: boolean
}): ReactNode {
  const words = statusWords(approval)
  if (words !== null && !isQuiet) return <Stamp tone={words.tone}>{words.stamp}</Stamp>
  if ((approval.status !== "pending" && approval.status !== "approved") || approval.expiresAt === null) return null
  const left = (
    <span className={look.left} data-urgency={urgencyOf(approval.expiresAt, now)}>
      {leftInWords(approval.expiresAt, now)}
    </span>
  )
  if (words === null) return left
  return (
    <>
      <Mark>{words.stamp}</Mark>
      {left}
    </>
  )
}
