import type { ApprovalView, ServerView } from "@byleave/api"
import type { Breadth, Grant } from "@byleave/core"
import { type ReactNode, useMemo, useState } from "react"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { Choice, LongField } from "../parts/field.tsx"
import { Notice } from "../parts/page.tsx"
import { useNow } from "../parts/time.tsx"
import { alsoWaitingFor, coverage } from "./also-waiting.ts"
import { AlsoWaitingList } from "./also-waiting-list.tsx"
import { type BreadthName, breadthChoices } from "./breadths.ts"
import { ignoreHeldDown, longestReason } from "./deny-dialog.tsx"
import { knownAccess } from "./known-access.ts"
import { lastingForGood, readLasting } from "./lasting.ts"
import { LastingFields } from "./lasting-fields.tsx"
import { firstPattern, readPattern } from "./pattern-draft.ts"
import { PatternEditor } from "./pattern-editor.tsx"
import { RefusedNotice } from "./refused-notice.tsx"
import look from "./remember-dialog.module.css"
import { type Remembering, ruleShown, scopeWords } from "./remembering.ts"
import { useSettled } from "./use-settled.ts"
import type { Verdict, VerdictState } from "./verdict.ts"

/** What the dialog begins with; everything can be changed in it. */
export type FirstChoice = {
  readonly effect: "allow" | "deny"
  readonly scope: "session" | "always"
  readonly breadth: BreadthName
}

export type RememberDialogProps = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly alsoWaiting: readonly ApprovalView[]
  readonly first: FirstChoice
  readonly verdict: VerdictState
  readonly onClose: () => void
  readonly onSend: (remembered: Pick<Verdict, "kind" | "remember" | "reason">) => void
}

const settleMs = 300

/** Shows the rule that is about to be saved, in words and as text, before anything is. */
export function RememberDialog(props: RememberDialogProps): ReactNode {
  const { approval, server, first, verdict, onClose, onSend } = props
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
      title={effect === "allow" ? "Allow and remember" : "Deny and remember"}
      lead={`Answers this call, and the ones to come that the rule below covers. It is listed under Permissions, where you can take it back.`}
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
            {confirmWords(effect, alsoChosen.length)}
          </Button>
        </>
      }
    >
      <RulePreview draft={draft} />
      <div className={look.choices}>
        <Choice
          label={effect === "allow" ? "What is allowed" : "What is denied"}
          value={draft.breadth}
          options={breadthChoices(approval, server, effect).map(({ name, label, words }) => ({
            value: name,
            label: `${label}: ${words}`,
          }))}
          onChange={(event) => draft.setBreadth(event.target.value as BreadthName)}
        />
        <Choice
          label="For whom"
          value={draft.scope}
          options={[
            { value: "session", label: scopeWords(approval.session.named).scope },
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
      <AlsoWaitingList effect={effect} also={also} chosen={alsoChosen} onChoose={draft.choose} />
      <LastingFields
        otherwise={endOtherwise(draft.scope, approval.session.named)}
        draft={draft.lasting}
        read={draft.readLasting}
        onChange={draft.setLasting}
      />
      {shown.ok && draft.covers === "no" && (
        <Notice tone="wait">It would not cover the call you are answering. Change it so that it does.</Notice>
      )}
      {shown.ok && draft.covers === "unsure" && (
        <Notice tone="know">
          Whether it covers this call depends on a folder only the service knows; it checks when you send.
        </Notice>
      )}
      {effect === "deny" && (
        <LongField
          label="Reason (you can leave it empty)"
          hint="The agent reads it, now and whenever the rule denies a call."
          maxLength={longestReason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      <RefusedNotice verdict={verdict} />
    </Dialog>
  )
}

function RulePreview({ draft }: { readonly draft: ReturnType<typeof useRememberDraft> }): ReactNode {
  const { shown } = draft
  return (
    <section className={look.rule} aria-label="The rule that will be saved" aria-live="polite">
      <h3>This will be saved</h3>
      {shown.ok ? (
        <>
          <p className={look.ruleWords} translate="no">
            {shown.words}
          </p>
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
  if (scope === "always") return "Never, until somebody takes it back"
  return named ? "With the session" : "After 30 minutes at the latest"
}

function confirmWords(effect: FirstChoice["effect"], also: number): string {
  const verb = effect === "allow" ? "Allow" : "Deny"
  return also === 0 ? `${verb} and save the rule` : `${verb} ${also + 1} calls and save the rule`
}

function useRememberDraft({ approval, server, alsoWaiting, first }: RememberDialogProps) {
  const { effect } = first
  const now = useNow()
  const [breadth, setBreadth] = useState(first.breadth)
  const [scope, setScope] = useState(first.scope)
  const [pattern, setPattern] = useState(() => firstPattern(approval))
  const [lasting, setLasting] = useState(lastingForGood)
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map())

  const read = useMemo(() => readPattern(pattern, approval), [pattern, approval])
  const chosen = useMemo(() => {
    if (breadth === "custom") return read.ok ? read.breadth : null
    return breadthChoices(approval, server, effect).find(({ name }) => name === breadth)?.breadth ?? null
  }, [breadth, read, approval, server, effect])
  const access = useMemo(() => knownAccess(server), [server])
  const rememberingAt = (at: number): Remembering | string =>
    remembering(chosen, effect, scope, readLasting(lasting, at))
  const current = rememberingAt(now)
  const shown =
    typeof current === "string" ? { ok: false as const, problem: current } : ruleShown(approval, current, now)
  // What it covers does not depend on how long it lasts, and thousands of calls may wait: not looked at anew with every second.
  const reach = useMemo(
    () => (chosen === null ? null : reachOf(approval, effect, scope, chosen)),
    [approval, effect, scope, chosen],
  )
  const covers = reach === null ? "no" : coverage(reach, approval, access)
  const also = useMemo(
    () => (reach === null || covers === "no" ? [] : alsoWaitingFor(reach, approval, alsoWaiting, access)),
    [reach, covers, approval, alsoWaiting, access],
  )
  const alsoChosen = also.filter(
    ({ approval: call, whyNot, atFirst }) => whyNot === null && (ticked.get(call.id) ?? atFirst),
  )

  return {
    breadth,
    setBreadth,
    scope,
    setScope,
    pattern,
    setPattern,
    read,
    lasting,
    setLasting,
    readLasting: readLasting(lasting, now),
    shown,
    covers,
    also,
    alsoChosen,
    choose: (id: string, isChosen: boolean) => setTicked(new Map(ticked).set(id, isChosen)),
    isReady: shown.ok && covers !== "no",
    toSend: (at: number): NonNullable<Verdict["remember"]> | null => {
      const final = rememberingAt(at)
      if (typeof final === "string") return null
      return {
        scope,
        breadth: final.breadth,
        ...final.lasting,
        ...(alsoChosen.length === 0
          ? {}
          : { alsoSettles: alsoChosen.map(({ approval: call }) => ({ approval: call.id, digest: call.runDigest })) }),
      }
    },
  }
}

function reachOf(
  approval: ApprovalView,
  effect: Grant["effect"],
  scope: FirstChoice["scope"],
  breadth: Breadth,
): Grant | null {
  const shown = ruleShown(approval, { effect, scope, breadth, lasting: {} }, 0)
  return shown.ok ? shown.grant : null
}

function remembering(
  breadth: Breadth | null,
  effect: Grant["effect"],
  scope: FirstChoice["scope"],
  lasting: ReturnType<typeof readLasting>,
): Remembering | string {
  if (breadth === null) return "Finish the pattern above first."
  if (!lasting.ok) return lasting.problem
  return { effect, scope, breadth, lasting: lasting.lasting }
}
