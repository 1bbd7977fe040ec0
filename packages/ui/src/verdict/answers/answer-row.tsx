import type { ApprovalView } from "@byleave/api"
import { scopeWords } from "@byleave/api/page"
import { ChevronDown, MoreHorizontal, Pencil } from "lucide-react"
import type { ReactNode } from "react"
import { policyChangeIn } from "../../card/changes/policy-change.ts"
import { runNouns } from "../../card/head/run-nouns.ts"
import { Button } from "../../parts/button.tsx"
import { Menu } from "../../parts/menu.tsx"
import { AnswerButton } from "./answer-button.tsx"
import { type Answering, alwaysAllow, moreAnswers, moreDenials } from "./answer-menus.ts"
import look from "./answer-row.module.css"
import { votesSoFar } from "./answers-offered.ts"

type AnswerRowProps = Answering & {
  readonly isSettled: boolean
  readonly sending: "approve" | "deny" | null
  readonly onAllowOnce: () => void
  readonly onDeny: () => void
  /** A line below the buttons. */
  readonly children?: ReactNode
}

/** The buttons, in one order at every width: Deny first, Allow once last, the others between them. In a narrow place the others are in a menu. */
export function AnswerRow({ children, ...props }: AnswerRowProps): ReactNode {
  return (
    <div className={look.row}>
      <div className={look.wide}>{props.edit.isOpen ? <EditButtons {...props} /> : <AllButtons {...props} />}</div>
      <div className={look.narrow}>{props.edit.isOpen ? <EditButtons {...props} /> : <FewButtons {...props} />}</div>
      <div className={look.below}>
        {canStart(props.edit) && props.offered.canEdit && <StartEditing {...props} />}
        {children}
      </div>
    </div>
  )
}

/** An edit begun in place can go on in the fields, beside the other arguments. */
function canStart({ place }: AnswerRowProps["edit"]): boolean {
  return place === "nowhere" || place === "shown"
}

function AllButtons(props: AnswerRowProps): ReactNode {
  const { approval, offered, isBlocked, isSettled, sending } = props
  const isOff = !isSettled || sending !== null
  const { button, words } = scopeWords(approval)
  return (
    <>
      <div className={look.split}>
        <Deny {...props} />
        <Menu
          label="More deny options"
          items={moreDenials(props)}
          trigger={
            <Button
              tone="no"
              disabled={isOff}
              aria-label="More deny options"
              data-answer="other"
              icon={<ChevronDown />}
            />
          }
        />
      </div>
      {offered.whyOnlyOnce === null && (
        <>
          <Menu
            label="Always allow"
            items={alwaysAllow(props)}
            trigger={
              <AnswerButton label="Always allow" words="choose the scope" opens={true} disabled={isOff || isBlocked} />
            }
          />
          <AnswerButton
            label={`${button}…`}
            words={words}
            disabled={isOff || isBlocked}
            onClick={() => props.onRemember({ effect: "allow", scope: "session", breadth: "tool" })}
          />
        </>
      )}
      <AllowOnce {...props} />
    </>
  )
}

/** Answers nothing by itself, and so is no button among the answers. */
function StartEditing({ edit, isBlocked, isSettled, sending }: AnswerRowProps): ReactNode {
  return (
    <span className={look.edit}>
      <Button
        size="small"
        tone="quiet"
        icon={<Pencil />}
        data-answer="other"
        data-starts-editing=""
        disabled={isBlocked || !isSettled || sending !== null}
        onClick={edit.start}
      >
        <span>Edit arguments</span>
      </Button>
    </span>
  )
}

function FewButtons(props: AnswerRowProps): ReactNode {
  const { isSettled, sending } = props
  return (
    <>
      <Deny {...props} />
      <Menu
        label="More options"
        items={moreAnswers(props)}
        trigger={
          <Button
            aria-label="More options"
            data-answer="other"
            data-starts-editing=""
            disabled={!isSettled || sending !== null}
          >
            <span className={look.more}>
              <MoreHorizontal aria-hidden="true" />
              More
            </span>
          </Button>
        }
      />
      <AllowOnce {...props} />
    </>
  )
}

function EditButtons({ edit, isBlocked, isSettled, sending, onAllowOnce }: AnswerRowProps): ReactNode {
  return (
    <>
      <AnswerButton label="Stop editing" words="discard changes" disabled={sending !== null} onClick={edit.stop} />
      <AnswerButton
        label="Allow once with edits"
        words="runs with your edits"
        tone="yes"
        answer="allow-once"
        busy={sending === "approve" && "Sending…"}
        disabled={isBlocked || !isSettled || sending !== null || edit.toSend === null}
        onClick={onAllowOnce}
      />
    </>
  )
}

function AllowOnce({ approval, isBlocked, isSettled, sending, onAllowOnce }: AnswerRowProps): ReactNode {
  return (
    <AnswerButton
      label={policyChangeIn(approval) === null ? "Allow once" : "Allow"}
      words={allowWords(approval)}
      tone="yes"
      answer="allow-once"
      busy={sending === "approve" && "Sending…"}
      disabled={isBlocked || !isSettled || sending !== null}
      onClick={onAllowOnce}
    />
  )
}

function allowWords(approval: ApprovalView): string {
  if (policyChangeIn(approval) !== null) return "takes effect now"
  if ((votesSoFar(approval)?.missing ?? 1) > 1) return "counts as one approval"
  if (approval.run !== undefined) return runNouns(approval).noun === "run" ? "its run continues" : "reply continues"
  if (!approval.callerWaits) return "runs on retry"
  return goesAhead[approval.kind]
}

const goesAhead = {
  tool: "runs now",
  resource: "reads it now",
  prompt: "fetches it now",
  sampling: "asks the model",
  elicitation: "asks the user",
  roots: "shares folders now",
  method: "sends it now",
} as const satisfies Record<ApprovalView["kind"], string>

function Deny({ approval, isSettled, sending, onDeny }: AnswerRowProps): ReactNode {
  return (
    <AnswerButton
      label="Deny"
      words={approval.kind === "tool" && policyChangeIn(approval) === null ? "does not run" : "nothing happens"}
      tone="no"
      busy={sending === "deny" && "Sending…"}
      disabled={!isSettled || sending !== null}
      onClick={onDeny}
    />
  )
}
