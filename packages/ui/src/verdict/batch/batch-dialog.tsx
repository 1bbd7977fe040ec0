import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { type ReactNode, useMemo, useRef, useState } from "react"
import { FoldsContext, useFolds } from "../../card/arguments/folds.ts"
import { WholeName } from "../../card/arguments/shown-value.tsx"
import { calledText } from "../../card/head/ask-words.ts"
import { callerAwayNote, isCallerAway } from "../../card/head/caller-words.ts"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { rowText } from "../../words/row-text.ts"
import { ignoreHeldDown } from "../deny/deny-dialog.tsx"
import { ReasonField } from "../deny/reason-field.tsx"
import { CallChanges } from "../edit/call-changes.tsx"
import { RiskLines } from "../risk-lines.tsx"
import { useSettled } from "../use-settled.ts"
import type { GivenVerdict, LoadCalls, LoadCurrent } from "../verdict.ts"
import { holdsSecret, unrevealed } from "./batch.ts"
import look from "./batch-bar.module.css"
import { tellingArgument } from "./batch-outcome.ts"
import { callsWords } from "./calls-words.ts"
import { DeniedCall, unfoldedAtFirst } from "./denied-call.tsx"
import { useWholeCalls } from "./use-whole-calls.ts"

type BatchDialogProps = {
  readonly kind: GivenVerdict["kind"]
  readonly calls: readonly ApprovalSummaryView[]
  readonly leftOut: ReadonlyArray<{ readonly approval: ApprovalSummaryView; readonly why: string }>
  readonly loadCalls: LoadCalls
  readonly loadCurrent?: LoadCurrent
  readonly onClose: () => void
  readonly onSend: (verdicts: readonly BatchVerdict[]) => void
}

/** One answer of several, and the call it goes to. */
export type BatchVerdict = {
  readonly approval: ApprovalSummaryView
  /** The call as it was shown whole; null for a no, which needs only what the list has. */
  readonly shown: ApprovalView | null
  readonly verdict: GivenVerdict
}

/** Every call that one answer goes to, and those it does not, before it is sent. */
export function BatchDialog(props: BatchDialogProps): ReactNode {
  const { kind, calls, leftOut, loadCalls, loadCurrent, onClose, onSend } = props
  const [reason, setReason] = useState("")
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set())
  // Calls to be allowed are shown in full before they can be sent; calls to be denied may be more than a page can show.
  const whole = useWholeCalls(kind === "approve" ? calls.map(({ id }) => id) : [], loadCalls)
  const shown = new Map(whole.state === "ready" ? whole.calls.map((call) => [call.id, call]) : [])
  const ticked = calls.filter(({ id }) => !unticked.has(id))
  const masked = useMemo(
    () => new Set(whole.state === "ready" ? whole.calls.filter(holdsSecret).map(({ id }) => id) : []),
    [whole],
  )
  const answered = kind === "deny" ? ticked : ticked.filter(({ id }) => shown.has(id) && !masked.has(id))
  const send = (): void => onSend(verdictsOf(kind, answered, shown, reason.trim()))
  const isSettled = useSettled(kind, 300)
  const isAllow = kind === "approve"
  const openAtFirst = useMemo(() => unfoldedAtFirst(calls), [calls])
  const { folds, closed, openAll, openWords } = useFolds()
  const field = useRef<HTMLTextAreaElement | null>(null)
  const title = isAllow ? `Allow ${callsWords(ticked.length)} once` : `Deny ${callsWords(ticked.length)}`
  return (
    <Dialog
      open={true}
      onClose={onClose}
      title={title}
      lead={
        isAllow
          ? "Each call may run once, with exactly these arguments. No permission is saved."
          : "None of these calls runs. The agents are told."
      }
      {...(isAllow ? {} : { focusFirst: field })}
      actions={
        <>
          {isAllow && closed > 0 && (
            <Button tone="quiet" onClick={openAll}>
              Some arguments are collapsed. {openWords}
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone={isAllow ? "yes" : "no"}
            disabled={!isSettled || whole.state !== "ready" || answered.length === 0}
            onKeyDown={ignoreHeldDown}
            onClick={send}
          >
            {title}
          </Button>
        </>
      }
    >
      <FoldsContext value={folds}>
        <ul className={look.calls}>
          {calls.map((approval) => (
            <CallItem
              key={approval.id}
              approval={approval}
              isTicked={!unticked.has(approval.id)}
              onTick={() => setUnticked((before) => toggled(before, approval.id))}
            >
              {isAllow && isCallerAway(approval) && <p className={look.words}>{callerAwayNote}</p>}
              {isAllow ? (
                <WholeCall
                  call={shown.get(approval.id)}
                  isMasked={masked.has(approval.id)}
                  state={whole.state}
                  loadCurrent={loadCurrent}
                />
              ) : (
                <DeniedCall
                  approval={approval}
                  isOpenAtFirst={openAtFirst.has(approval.id)}
                  loadCalls={loadCalls}
                  loadCurrent={loadCurrent}
                />
              )}
            </CallItem>
          ))}
        </ul>
      </FoldsContext>
      {leftOut.length > 0 && (
        <section className={look.left}>
          <h3>Not included: {callsWords(leftOut.length)}</h3>
          <ul className={look.calls}>
            {leftOut.map(({ approval, why }) => (
              <CallItem key={approval.id} approval={approval}>
                <p className={look.words}>{why}</p>
              </CallItem>
            ))}
          </ul>
        </section>
      )}
      {!isAllow && (
        <ReasonField
          ref={field}
          hint="The agents see this."
          value={reason}
          onChange={setReason}
          onSend={() => {
            if (isSettled) send()
          }}
        />
      )}
    </Dialog>
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? new Set([...ids].filter((each) => each !== id)) : new Set([...ids, id])
}

function verdictsOf(
  kind: GivenVerdict["kind"],
  calls: readonly ApprovalSummaryView[],
  shown: ReadonlyMap<string, ApprovalView>,
  reason: string,
): readonly BatchVerdict[] {
  const given = kind === "deny" && reason !== "" ? { reason } : {}
  return calls.map((approval) => ({ approval, shown: shown.get(approval.id) ?? null, verdict: { kind, ...given } }))
}

type WholeCallProps = {
  readonly call: ApprovalView | undefined
  readonly isMasked: boolean
  readonly state: ReturnType<typeof useWholeCalls>["state"]
  readonly loadCurrent: LoadCurrent | undefined
}

function WholeCall({ call, isMasked, state, loadCurrent }: WholeCallProps): ReactNode {
  if (state === "reading") return <p className={look.words}>Loading…</p>
  if (call === undefined) return <p className={look.words}>It could not be loaded, so it is not included.</p>
  if (isMasked) return <p className={look.words}>Not included. {unrevealed}</p>
  return (
    <>
      <CallChanges approval={call} {...(loadCurrent === undefined ? {} : { loadCurrent })} />
      <RiskLines risks={call.risks} />
    </>
  )
}

type CallItemProps = {
  readonly approval: ApprovalSummaryView
  readonly isTicked?: boolean
  /** Absent: it is not among those that are answered. */
  readonly onTick?: () => void
  readonly children: ReactNode
}

function CallItem({ approval, isTicked, onTick, children }: CallItemProps): ReactNode {
  const about = tellingArgument(approval)
  const name = (
    <span className={look.called}>
      <code>
        <ShownName text={rowText(calledText(approval))} />
      </code>{" "}
      {about !== null && <ShownName text={about} />}
    </span>
  )
  return (
    <li>
      {onTick === undefined ? (
        name
      ) : (
        <label className={look.tick}>
          <input type="checkbox" checked={isTicked} onChange={onTick} />
          {name}
        </label>
      )}
      <WholeName text={calledText(approval)} />
      {children}
    </li>
  )
}
