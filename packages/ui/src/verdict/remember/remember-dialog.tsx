import type { ApprovalSummaryView, ApprovalView, ServerView } from "@byleave/api"
import { scopeWords } from "@byleave/api/page"
import type { AnswerScope } from "@byleave/core"
import { type ReactNode, useState } from "react"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { Choice, LongField } from "../../parts/field.tsx"
import { Notice } from "../../parts/page.tsx"
import { AlsoWaitingList } from "../batch/also-waiting-list.tsx"
import { ignoreHeldDown } from "../deny/deny-dialog.tsx"
import { longestReason } from "../deny/longest-reason.ts"
import { RefusedNotice } from "../refused-notice.tsx"
import { useSettled } from "../use-settled.ts"
import type { GivenVerdict, LoadCalls, VerdictState } from "../verdict.ts"
import { type BreadthName, breadthChoices } from "./breadths.ts"
import { LastingFields } from "./lasting-fields.tsx"
import { PatternEditor } from "./pattern-editor.tsx"
import look from "./remember-dialog.module.css"
import { agentScopeWords } from "./remembering.ts"
import { type RememberDraft, useRememberDraft } from "./use-remember-draft.ts"

/** The first state of the dialog; everything can be changed in it. */
export type FirstChoice = {
  readonly effect: "allow" | "deny"
  readonly scope: AnswerScope
  readonly breadth: BreadthName
}

export type RememberDialogProps = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly alsoWaiting: readonly ApprovalSummaryView[]
  /** Absent: nothing else is answered along. */
  readonly loadCalls?: LoadCalls
  readonly first: FirstChoice
  /** The call is over: what is remembered is for calls to come alone. */
  readonly isOver?: boolean
  readonly verdict: VerdictState
  readonly onClose: () => void
  readonly onSend: (remembered: Pick<GivenVerdict, "kind" | "remember" | "reason">) => void
}

const settleMs = 300

/** Shows the rule that is about to be saved, in words and as text, before anything is. */
export function RememberDialog(props: RememberDialogProps): ReactNode {
  const { approval, server, first, isOver = false, verdict, onClose, onSend } = props
  const { effect } = first
  const draft = useRememberDraft(props)
  const isSettled = useSettled(approval.id, settleMs)
  const [reason, setReason] = useState("")
  const isSending = verdict.state === "sending"
  const { shown, also, alsoChosen } = draft
  const send = (): void => {
    const remember = draft.toSend(Date.now())
    if (remember === null) return
    onSend({
      kind: effect === "allow" ? "approve" : "deny",
      remember,
      ...(effect === "deny" && reason.trim() !== "" ? { reason: reason.trim() } : {}),
    })
  }
  return (
    <Dialog
      open={true}
      onClose={onClose}
      title={isOver ? "Always allow calls like this" : effect === "allow" ? "Allow and remember" : "Deny and remember"}
      lead={
        isOver
          ? "Applies at once to future calls covered below. This call stays as it is. You can revoke it under Permissions."
          : "Applies to this call and to future calls covered below. You can revoke it under Permissions."
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone={effect === "allow" ? "yes" : "no"}
            busy={isSending && "Sending…"}
            disabled={!isSettled || !draft.isReady}
            onKeyDown={ignoreHeldDown}
            onClick={send}
          >
            {isOver ? "Save permission" : confirmWords(effect, alsoChosen.length)}
          </Button>
        </>
      }
    >
      <RulePreview draft={draft} />
      <div className={look.choices}>
        <Choice
          label="Scope"
          value={draft.breadth}
          options={breadthChoices(approval, server, effect).map(({ name, label, words }) => ({
            value: name,
            label: `${label}: ${words}`,
          }))}
          onChange={(event) => draft.setBreadth(event.target.value as BreadthName)}
        />
        <Choice
          label="Applies to"
          value={draft.scope}
          options={[
            { value: "session", label: scopeWords(approval).scope },
            { value: "agent", label: agentScopeWords(approval) },
            { value: "always", label: "Every agent and every session" },
          ]}
          onChange={(event) => draft.setScope(event.target.value as FirstChoice["scope"])}
        />
      </div>
      {draft.breadth === "custom" && (
        <PatternEditor
          approval={approval}
          server={server}
          draft={draft.pattern}
          read={draft.read}
          grant={shown.ok ? shown.grant : null}
          onChange={draft.setPattern}
        />
      )}
      {draft.others === "reading" && <p role="status">Loading other waiting calls…</p>}
      {draft.others === "failed" && (
        <Notice tone="wait">Other waiting calls could not be loaded. Only this call is decided.</Notice>
      )}
      <AlsoWaitingList effect={effect} answered={approval} also={also} chosen={alsoChosen} onChoose={draft.choose} />
      <LastingFields
        otherwise={endOtherwise(draft.scope, approval.session.named)}
        draft={draft.lasting}
        read={draft.readLasting}
        onChange={draft.setLasting}
      />
      {shown.ok && draft.covers === "no" && (
        <Notice tone="wait">
          This does not cover {isOver ? "this call" : "the call you are deciding"}. Adjust it so that it does.
        </Notice>
      )}
      {shown.ok && draft.covers === "unsure" && (
        <Notice tone="know">
          Whether this covers the call depends on a folder only the service knows; it checks when you submit.
        </Notice>
      )}
      {effect === "deny" && (
        <LongField
          label="Reason (optional)"
          hint="The agent sees this now and whenever a call is denied by this permission."
          maxLength={longestReason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      <RefusedNotice verdict={verdict} />
    </Dialog>
  )
}

function RulePreview({ draft }: { readonly draft: RememberDraft }): ReactNode {
  const { shown, free } = draft
  return (
    <section className={look.rule} aria-label="Permission to save" aria-live="polite">
      <h3>To be saved</h3>
      {shown.ok ? (
        <>
          <p className={look.ruleWords} translate="no">
            {shown.words}
          </p>
          {free !== null && <p className={look.free}>{free}</p>}
          <code className={look.ruleText} translate="no">
            {shown.text}
          </code>
        </>
      ) : (
        <p className={look.problem}>{shown.problem}</p>
      )}
    </section>
  )
}

function endOtherwise(scope: FirstChoice["scope"], named: boolean): string {
  if (scope !== "session") return "Never, until revoked"
  return named ? "When the session ends" : "After 30 minutes at the latest"
}

function confirmWords(effect: FirstChoice["effect"], also: number): string {
  const verb = effect === "allow" ? "Allow" : "Deny"
  return also === 0 ? `${verb} and save permission` : `${verb} ${also + 1} calls and save permission`
}
