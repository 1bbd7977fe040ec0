import { Fragment, type ReactNode, useState } from "react"
import { LongName } from "../card/arguments/shown-value.tsx"
import { isCallerAway } from "../card/head/caller-words.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { LongField } from "../parts/field.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { callsWords } from "../verdict/batch/calls-words.ts"
import { ignoreHeldDown } from "../verdict/deny/deny-dialog.tsx"
import { longestReason } from "../verdict/deny/longest-reason.ts"
import { useSettled } from "../verdict/use-settled.ts"
import { capitalized } from "../words/capitalized.ts"
import {
  type ReviewCall,
  type ReviewComments,
  type ReviewReasons,
  type ReviewSummary,
  reviewVerdicts,
} from "./review-state.ts"
import look from "./send-dialog.module.css"
import { changedPath } from "./shown-changes.ts"

export type SendDialogProps = {
  readonly summary: ReviewSummary
  readonly comments: ReviewComments
  readonly reasons: ReviewReasons
  readonly onClose: () => void
  readonly onSend: (verdicts: ReturnType<typeof reviewVerdicts>) => void
}

/** Every answer of a review before it is sent, with the words the agent will read. */
export function SendDialog({ summary, comments, reasons: given, onClose, onSend }: SendDialogProps): ReactNode {
  const [note, setNote] = useState("")
  const { allowed, denied, unanswered } = summary
  const verdicts = reviewVerdicts(summary, { reasons: given, comments, note })
  const reasons = new Map(verdicts.map(({ approval, verdict }) => [approval.id, verdict.reason ?? null]))
  const written = [...comments.keys(), ...[...given].flatMap(([key, reason]) => (reason.trim() === "" ? [] : [key]))]
  const unread = allowed.filter(({ call }) => written.some((key) => key.startsWith(`${call.id} `)))
  const away = allowed.filter(({ call }) => isCallerAway(call)).length
  const words = sendWords(allowed.length, denied.length)
  const isSettled = useSettled(words, 300)
  return (
    <Dialog
      open={true}
      onClose={onClose}
      title="Send your review"
      lead={
        unanswered.length === 0
          ? "Each call gets its own decision, for exactly what is shown. No permission is saved."
          : `${callsWords(unanswered.length)} without a decision will keep waiting.`
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone={allowed.length > 0 ? "yes" : "no"}
            disabled={!isSettled || verdicts.length === 0}
            onKeyDown={ignoreHeldDown}
            onClick={() => onSend(verdicts)}
          >
            {words}
          </Button>
        </>
      }
    >
      <Answers title={`Allow once: ${allowed.length}`} calls={allowed} reasons={reasons} tone="yes" />
      <Answers title={`Deny: ${denied.length}`} calls={denied} reasons={reasons} tone="no" />
      {away > 0 && (
        <p className="aside">
          {away === allowed.length ? "The agent is" : `For ${away} of the allowed calls the agent is`} not waiting: what
          you allow runs when the agent repeats it.
        </p>
      )}
      {unread.length > 0 && (
        <p className="aside">
          Reasons and comments for changes you allow are not sent: agents only see those for denied changes.
        </p>
      )}
      {denied.length > 0 && (
        <LongField
          label="Note for the denied changes (optional)"
          hint="The agent reads this after the reason for each change, before your comments."
          maxLength={longestReason}
          rows={2}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      )}
    </Dialog>
  )
}

/** `Allow 2, deny 1`. */
export function sendWords(allowed: number, denied: number): string {
  const parts = [...(allowed > 0 ? [`allow ${allowed}`] : []), ...(denied > 0 ? [`deny ${denied}`] : [])]
  const words = parts.join(", ")
  return words === "" ? "Nothing to send" : capitalized(words)
}

type AnswersProps = {
  readonly title: string
  readonly calls: readonly ReviewCall[]
  readonly reasons: ReadonlyMap<string, string | null>
  readonly tone: "yes" | "no"
}

function Answers({ title, calls, reasons, tone }: AnswersProps): ReactNode {
  if (calls.length === 0) return null
  return (
    <section className={look.answers} data-tone={tone}>
      <h3>{title}</h3>
      <ul>
        {calls.map(({ call, changes }) => {
          const reason = reasons.get(call.id) ?? null
          return (
            <li key={call.id}>
              <Files paths={changes.map(changedPath)} />
              {reason !== null && (
                <p className={look.reason}>
                  <ShownText text={reason} />
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const mostNamed = 5

/** Each by itself: a comma may be part of a name. */
function Files({ paths }: { readonly paths: readonly string[] }): ReactNode {
  return (
    <>
      {paths.slice(0, mostNamed).map((path, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call may name the same file twice
        <Fragment key={at}>
          {at > 0 && ", "}
          <code>
            <LongName text={path} most={200} />
          </code>
        </Fragment>
      ))}
      {paths.length > mostNamed && ` and ${paths.length - mostNamed} more files`}
    </>
  )
}
