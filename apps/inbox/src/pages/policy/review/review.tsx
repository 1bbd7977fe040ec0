import type { PolicyPreviewView, Problem } from "@byleave/api"
import { Ago, Button, DiffView, Loading, Mark, Notice, Sentence, Sheet, ShownName, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"
import { argsLine } from "../../activity/call-words.ts"
import { EffectMark } from "../../permissions/tools/effect-mark.tsx"
import { ProblemList } from "../problem-list.tsx"
import { type PreviewState, previewOf } from "./preview-state.ts"
import look from "./review.module.css"
import { reviewWords } from "./review-words.ts"

type ReviewProps = {
  readonly before: string
  readonly after: string
  readonly preview: PreviewState
  readonly saving: { readonly isBusy: boolean; readonly problem: Problem | null }
  readonly onBack: () => void
  readonly onGoTo: (line: number, column?: number) => void
  readonly onAgain: () => void
  readonly onSave: () => void
}

/** The changes that saving would make: nothing can be saved that was not looked at here. */
export function Review(props: ReviewProps): ReactNode {
  const { before, after, preview, saving, onBack, onGoTo, onAgain, onSave } = props
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [])
  const seen = previewOf(preview, after)
  return (
    <div className={look.review}>
      <header className={look.head}>
        <h2 ref={head} tabIndex={-1}>
          Review changes
        </h2>
        {seen !== null && <p className={look.lead}>{reviewWords(seen)}</p>}
      </header>
      {preview.state === "failed" && (
        <Notice tone="no" title="Changes could not be checked" actions={<Button onClick={onAgain}>Try again</Button>}>
          {preview.problem.detail}
        </Notice>
      )}
      {seen === null && preview.state !== "failed" && <Loading label="Checking changes" lines={5} />}
      {seen?.ok === true && <Changes preview={seen} />}
      {seen !== null && seen.problems.length > 0 && (
        <Sheet label="Problems">
          <div className={look.inside}>
            <ProblemList problems={seen.problems} onGoTo={onGoTo} />
          </div>
        </Sheet>
      )}
      <section className={look.diff}>
        <h3>The text</h3>
        <DiffView label="Text changes" before={before} after={after} />
      </section>
      {saving.problem !== null && <NotSaved problem={saving.problem} />}
      <div className={look.actions}>
        <Button icon={<ArrowLeft />} onClick={onBack}>
          Back to editing
        </Button>
        <Button
          tone="yes"
          busy={saving.isBusy && "Saving…"}
          disabled={seen?.ok !== true || before === after}
          onClick={onSave}
        >
          {seen !== null && seen.widens.length > 0 ? "Save and allow more" : "Save and apply"}
        </Button>
      </div>
    </div>
  )
}

export function NotSaved({ problem }: { readonly problem: Problem }): ReactNode {
  return (
    <Notice tone="no" title="Not saved">
      {problem.detail}
    </Notice>
  )
}

function Changes({ preview }: { readonly preview: PolicyPreviewView }): ReactNode {
  return (
    <>
      <ChangeList
        title="Allows more"
        words="More calls can run, or with fewer approvals."
        changes={preview.widens}
        tone="widens"
      />
      <ChangeList
        title="Restricts"
        words="Fewer calls can run, or with more approvals."
        changes={preview.tightens}
        tone="tightens"
      />
      <ChangeList title="Other changes" changes={preview.other} tone="other" />
      {preview.tools.length > 0 && (
        <Sheet title="Tools that change outcome">
          <ul>
            {preview.tools.map(({ tool, before, after, why }) => (
              <li key={JSON.stringify([tool.server, tool.tool])} className={look.row}>
                <code>
                  <ShownName text={`${tool.server}(${tool.tool})`} />
                </code>
                <Turn before={before} after={after} />
                <span className="aside">
                  <Sentence text={why} />
                </span>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      <Calls calls={preview.calls} />
    </>
  )
}

type ChangeListProps = {
  readonly title: string
  readonly words?: string
  readonly changes: PolicyPreviewView["widens"]
  readonly tone: "widens" | "tightens" | "other"
}

export function ChangeList({ title, words, changes, tone }: ChangeListProps): ReactNode {
  if (changes.length === 0) return null
  return (
    <section className={look.changes} data-tone={tone} aria-label={title}>
      <h3>{title}</h3>
      {words !== undefined && <p className={look.soft}>{words}</p>}
      <ul>
        {changes.map(({ sentence, rule }) => (
          <li key={`${sentence} ${rule}`}>
            <Sentence text={sentence} />
            {rule !== null && !sentence.includes(rule) && (
              <code>
                <Sentence text={rule} />
              </code>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Turn({ before, after }: Pick<PolicyPreviewView["tools"][number], "before" | "after">): ReactNode {
  return (
    <span className={look.turn}>
      <EffectMark effect={before} />
      <span aria-hidden="true">→</span>
      <span className="only-read-aloud">becomes</span>
      <EffectMark effect={after} />
    </span>
  )
}

function Calls({ calls }: { readonly calls: PolicyPreviewView["calls"] }): ReactNode {
  const { different, looked, skipped } = calls
  if (different.length === 0) return null
  return (
    <Sheet title="Past calls with a different outcome">
      <p className={look.looked}>
        Of the last {looked} recorded calls{skipped > 0 ? `; ${skipped} of them could not be evaluated` : ""}.
      </p>
      <ul className={look.calls}>
        {different.map((call) => (
          <li key={call.call} className={look.row}>
            <span className={look.call}>
              <Link to="/activity/$id" params={{ id: call.call }}>
                <code>
                  <ShownName text={`${call.tool.server}(${call.tool.tool})`} />
                </code>
              </Link>
              {call.preview !== null && call.preview.length > 0 && (
                <ShownName text={argsLine({ preview: call.preview, argsBytes: null })} />
              )}
            </span>
            <span className={look.outcome}>
              <Turn before={call.before} after={call.after} />
              {call.wasDenied && <Mark tone="no">A person denied it</Mark>}
            </span>
            <span className="aside">
              <Ago at={call.at} /> by <ShownText text={call.principal} />: <Sentence text={call.why} />
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
