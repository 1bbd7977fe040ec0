import type { ApprovalView, CurrentContentView, FileChange } from "@byleave/api"
import { type ReactNode, type Ref, useEffect, useId, useMemo, useRef, useState } from "react"
import { sentTree } from "../card/arguments/arg-tree.ts"
import { LongName, LongText } from "../card/arguments/shown-value.tsx"
import { FileChanges } from "../card/changes/file-changes.tsx"
import { calledText } from "../card/head/ask-words.ts"
import { callerAwayNote, isCallerAway } from "../card/head/caller-words.ts"
import { statusWords } from "../card/head/status-words.ts"
import { Risks } from "../card/risks/risks.tsx"
import type { LineComments } from "../diff/diff-context.ts"
import { riskedLines } from "../diff/risk-places.ts"
import { Button } from "../parts/button.tsx"
import { TextField } from "../parts/field.tsx"
import { Stamp } from "../parts/mark.tsx"
import { Loading } from "../parts/page.tsx"
import { longestReason } from "../verdict/deny/longest-reason.ts"
import { RestOfCall, useCallSecrets } from "../verdict/rest-of-call.tsx"
import { useCurrent } from "../verdict/use-current.ts"
import type { LoadCurrent } from "../verdict/verdict.ts"
import { longestInRow } from "../words/row-text.ts"
import { type ChangeCounts, changeCounts } from "./change-counts.ts"
import { Counts } from "./change-tree-view.tsx"
import type { FileComment } from "./comment-reason.ts"
import look from "./review-panel.module.css"
import type { ReviewAnswer } from "./review-state.ts"
import { changedPath } from "./shown-changes.ts"

export type ReviewPanelProps = {
  readonly ref?: Ref<HTMLElement>
  readonly call: ApprovalView
  readonly changes: readonly FileChange[]
  /** Only its own card shows what is in it. */
  readonly isTooLong: boolean
  /** Its key in the review: what was revealed or unfolded belongs to the call as it was shown then. */
  readonly shownAs: string
  readonly answer: ReviewAnswer | null
  /** Why it cannot be allowed here; null: it can. */
  readonly whyNot: string | null
  /** The call is on the page in full: until then it cannot be allowed. */
  readonly isDrawn: boolean
  /** Decided by this very review. */
  readonly isSent?: boolean
  /** Another call of the review changes the same file. */
  readonly isShared: boolean
  readonly comments: ReadonlyMap<string, FileComment>
  /** Why it is denied, for the agent. */
  readonly reason: string
  readonly loadCurrent: LoadCurrent
  readonly onAnswer: (answer: ReviewAnswer | null) => void
  readonly onComments: (comments: ReadonlyMap<string, FileComment>) => void
  readonly onReason: (reason: string) => void
  /** Every secret in it was looked at. */
  readonly onRevealed: () => void
  readonly onDrawn: () => void
  readonly onCounts: (counts: readonly (ChangeCounts | null)[]) => void
  /** A link to the call's own card. */
  readonly card: ReactNode
}

/** One call of a review: what it would change, line by line, and the answer to it. */
export function ReviewPanel(props: ReviewPanelProps): ReactNode {
  const { call, changes, answer, whyNot, isShared } = props
  const settled = statusWords(call)
  const headingId = useId()
  const [counts, setCounts] = useState<readonly (ChangeCounts | null)[]>([])
  const [first] = changes
  const tell = props.onCounts
  const onCounts = (told: readonly (ChangeCounts | null)[]): void => {
    setCounts(told)
    tell(told)
  }
  return (
    <article
      ref={props.ref}
      className={look.panel}
      tabIndex={-1}
      data-call={call.id}
      data-answer-given={answer ?? "none"}
    >
      <header className={look.head}>
        <h2 id={headingId} className={look.path}>
          {changes.length === 1 && first !== undefined ? (
            <LongText text={changedPath(first)} name="path" />
          ) : (
            `${changes.length} files in one call`
          )}
        </h2>
        {changes.length === 1 && <Counts counts={counts[0] ?? null} />}
        {settled === null ? (
          <fieldset className={look.answers} aria-label="Your decision on this change">
            <Button
              size="small"
              {...(answer === "deny" ? { tone: "no" as const } : {})}
              aria-pressed={answer === "deny"}
              onClick={() => props.onAnswer(answer === "deny" ? null : "deny")}
            >
              Deny
            </Button>
            <Button
              size="small"
              {...(answer === "allow" ? { tone: "yes" as const } : {})}
              aria-pressed={answer === "allow"}
              disabled={whyNot !== null || !props.isDrawn}
              onClick={() => props.onAnswer(answer === "allow" ? null : "allow")}
            >
              Allow
            </Button>
          </fieldset>
        ) : (
          <Stamp tone={settled.tone}>{settled.stamp}</Stamp>
        )}
      </header>
      <div className={look.body}>
        {settled !== null && props.isSent !== true && <p className={look.note}>{settledNote}</p>}
        {settled === null && isCallerAway(call) && <p className={look.note}>{callerAwayNote}</p>}
        {settled === null && whyNot !== null && (
          <p className={look.note} role="status">
            Cannot be allowed here: {whyNot} {props.card}
          </p>
        )}
        {settled === null && answer === "deny" && (
          <TextField
            label="Reason (optional)"
            hint="The agent reads this, followed by your comments on lines."
            maxLength={longestReason}
            value={props.reason}
            onChange={(event) => props.onReason(event.target.value)}
          />
        )}
        {isShared && (
          <p className={look.note}>
            Another change in this review is to the same file. Each diff is against the file as it is now.
          </p>
        )}
        {!props.isTooLong && (
          <InView>
            <PanelBody
              key={props.shownAs}
              {...props}
              headingId={headingId}
              isPending={settled === null}
              onCounts={onCounts}
            />
          </InView>
        )}
        <p className={look.tool}>
          <LongName text={calledText(call)} most={longestInRow} /> {(settled !== null || whyNot === null) && props.card}
        </p>
      </div>
    </article>
  )
}

const settledNote = "Already decided. Your review does not change it."

/** Drawn once it comes near the window: until then it takes some room, so that the page does not jump. */
function InView({ children }: { readonly children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null || isNear) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: "600px",
      },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [isNear])
  return (
    <div ref={place} className={look.lines}>
      {isNear ? children : <Loading label="Loading the change" lines={6} />}
    </div>
  )
}

function PanelBody({
  call,
  changes,
  isPending,
  comments,
  loadCurrent,
  onAnswer,
  answer,
  onComments,
  onRevealed,
  onDrawn,
  onCounts,
  headingId,
}: ReviewPanelProps & {
  readonly isPending: boolean
  readonly headingId: string
}): ReactNode {
  const tree = useMemo(() => sentTree(call), [call])
  const secrets = useCallSecrets(call)
  const current = useCurrent(call.id, isPending ? loadCurrent : undefined)
  const pointers = useMemo(() => new Set(changes.flatMap((change) => change.pointers)), [changes])
  const risked = useMemo(() => riskedLines(tree, call.risks, pointers), [tree, call.risks, pointers])
  const isRevealed = secrets.all.length > 0 && secrets.hidden.size === 0
  const told = useRef({ onRevealed, onDrawn, onCounts })
  useEffect(() => {
    told.current = { onRevealed, onDrawn, onCounts }
  })
  useEffect(() => told.current.onDrawn(), [])
  useEffect(() => {
    if (isRevealed) told.current.onRevealed()
  }, [isRevealed])
  useEffect(() => {
    told.current.onCounts(changes.map((change) => changeCounts(change, contentFor(change, changes, current))))
  }, [changes, current])
  const commentsOf = (change: FileChange): LineComments => {
    const prefix = `${change.pointers.join()} `
    return {
      all: new Map(
        [...comments].flatMap(([key, comment]) =>
          key.startsWith(prefix) ? [[key.slice(prefix.length), comment] as const] : [],
        ),
      ),
      onSave: (key, line, hasNumbers, text) => {
        const next = new Map(comments)
        if (text === "") next.delete(prefix + key)
        else {
          const isRemoved = line.kind === "removed"
          const number = hasNumbers ? (isRemoved ? line.before : line.after) : null
          next.set(prefix + key, { path: changedPath(change), line: number, isRemoved, quote: line.text, text })
          // Words for the agent reach it with a no: whoever has said neither is taken to mean that.
          if (answer === null) onAnswer("deny")
        }
        onComments(next)
      },
    }
  }
  return (
    <>
      {isPending && <Risks risks={call.risks} risked={risked} headingId={headingId} />}
      <FileChanges
        changes={changes}
        current={current}
        notAgain={null}
        secrets={secrets}
        isPending={isPending}
        hasHeading={false}
        hasPaths={changes.length > 1}
        risked={risked}
        {...(isPending ? { commentsOf } : {})}
      />
      <RestOfCall call={call} changes={changes} secrets={secrets} />
    </>
  )
}

function contentFor(
  change: FileChange,
  changes: readonly FileChange[],
  current: CurrentContentView | null,
): CurrentContentView | null {
  if (changes.length === 1 || current === null) return current
  return "path" in current && current.path === change.path ? current : null
}
