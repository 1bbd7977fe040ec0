import type { ApprovalView, ServerView, SessionView } from "@byleave/api"
import { ChevronDown, MoreHorizontal } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "../parts/button.tsx"
import { Menu, type MenuItem } from "../parts/menu.tsx"
import { AnswerButton } from "./answer-button.tsx"
import look from "./answer-row.module.css"
import type { AnswersOffered } from "./answers-offered.ts"
import { breadthChoices } from "./breadths.ts"
import type { FirstChoice } from "./remember-dialog.tsx"
import { scopeWords } from "./remembering.ts"
import type { ArgumentEdit } from "./use-argument-edit.ts"

type AnswerRowProps = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly session: SessionView | null
  readonly offered: AnswersOffered
  readonly edit: ArgumentEdit
  readonly isBlocked: boolean
  readonly isSettled: boolean
  readonly sending: "approve" | "deny" | null
  readonly onAllowOnce: () => void
  readonly onDeny: () => void
  readonly onDenyWithReason: () => void
  readonly onRemember: (first: FirstChoice) => void
}

/** The buttons. Where there is room all of them; in a narrow place Deny and Allow once, with the others between them. */
export function AnswerRow(props: AnswerRowProps): ReactNode {
  return (
    <div className={look.row}>
      <div className={look.wide}>{props.edit.isOpen ? <EditButtons {...props} /> : <AllButtons {...props} />}</div>
      <div className={look.narrow}>{props.edit.isOpen ? <EditButtons {...props} /> : <FewButtons {...props} />}</div>
    </div>
  )
}

function AllButtons(props: AnswerRowProps): ReactNode {
  const { approval, offered, edit, isBlocked, isSettled, sending } = props
  const isOff = !isSettled || sending !== null
  const { button, words } = scopeWords(approval.session.named)
  return (
    <>
      <div className={look.group}>
        <AllowOnce {...props} />
        {offered.whyOnlyOnce === null && (
          <>
            <AnswerButton
              label={`${button}…`}
              words={words}
              disabled={isOff || isBlocked}
              onClick={() => props.onRemember({ effect: "allow", scope: "session", breadth: "tool" })}
            />
            <Menu
              label="Always allow"
              items={alwaysAllow(props)}
              trigger={
                <AnswerButton
                  label="Always allow…"
                  words="you choose what"
                  opens={true}
                  disabled={isOff || isBlocked}
                />
              }
            />
          </>
        )}
      </div>
      <div className={look.rest}>
        {offered.canEdit && (
          <AnswerButton
            label="Edit arguments"
            words="then allow it once"
            disabled={isOff || isBlocked}
            onClick={edit.start}
          />
        )}
        <div className={look.split}>
          <Deny {...props} />
          <Menu
            label="More ways to deny"
            items={moreDenials(props)}
            trigger={
              <Button
                tone="no"
                disabled={isOff}
                aria-label="More ways to deny"
                data-answer="other"
                icon={<ChevronDown />}
              />
            }
          />
        </div>
      </div>
    </>
  )
}

function FewButtons(props: AnswerRowProps): ReactNode {
  const { isSettled, sending } = props
  return (
    <>
      <Deny {...props} />
      <Menu
        label="More answers"
        items={moreAnswers(props)}
        trigger={
          <Button aria-label="More answers" data-answer="other" disabled={!isSettled || sending !== null}>
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
      <AnswerButton label="Stop editing" words="nothing is sent" disabled={sending !== null} onClick={edit.stop} />
      <AnswerButton
        label="Allow once, as changed"
        words="runs with your arguments"
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
  const more = approval.needs.approvals > 1
  return (
    <AnswerButton
      label="Allow once"
      words={
        more ? "your yes counts as one" : approval.callerWaits ? "runs this call now" : "runs when the agent asks again"
      }
      tone="yes"
      answer="allow-once"
      busy={sending === "approve" && "Sending…"}
      disabled={isBlocked || !isSettled || sending !== null}
      onClick={onAllowOnce}
    />
  )
}

function Deny({ isSettled, sending, onDeny }: AnswerRowProps): ReactNode {
  return (
    <AnswerButton
      label="Deny"
      words="the agent is told no"
      tone="no"
      busy={sending === "deny" && "Sending…"}
      disabled={!isSettled || sending !== null}
      onClick={onDeny}
    />
  )
}

function alwaysAllow({ approval, server, onRemember }: AnswerRowProps): readonly MenuItem[] {
  return breadthChoices(approval, server, "allow").map(({ name, label, words }) => ({
    label: `${label}…`,
    words,
    onChoose: () => onRemember({ effect: "allow", scope: "always", breadth: name }),
  }))
}

function moreDenials({ offered, onDenyWithReason, onRemember }: AnswerRowProps): readonly MenuItem[] {
  const breadth = offered.denyAlways === "tool" ? "tool" : "server"
  const always: MenuItem = {
    label: "Always deny…",
    words:
      breadth === "tool"
        ? "this call and the ones to come; you see the rule first"
        : "everything of this server; you see the rule first",
    tone: "no",
    onChoose: () => onRemember({ effect: "deny", scope: "always", breadth }),
  }
  return [
    { label: "Deny with a reason…", words: "the agent reads your reason", tone: "no", onChoose: onDenyWithReason },
    ...(offered.denyAlways === "never" ? [] : [always]),
  ]
}

function moreAnswers(props: AnswerRowProps): readonly MenuItem[] {
  const { approval, offered, edit, isBlocked, onRemember } = props
  const { button, words } = scopeWords(approval.session.named)
  const remembered: readonly MenuItem[] =
    offered.whyOnlyOnce === null
      ? [
          {
            label: `${button}…`,
            words,
            disabled: isBlocked,
            onChoose: () => onRemember({ effect: "allow", scope: "session", breadth: "tool" }),
          },
          {
            label: "Always allow…",
            words: "you choose what is remembered",
            disabled: isBlocked,
            onChoose: () => onRemember({ effect: "allow", scope: "always", breadth: "tool" }),
          },
        ]
      : []
  const editing: readonly MenuItem[] = offered.canEdit
    ? [{ label: "Edit arguments", words: "then allow it once", disabled: isBlocked, onChoose: edit.start }]
    : []
  return [...remembered, ...editing, ...moreDenials(props)]
}
