import type { ApprovalView, ServerView } from "@byleave/api"
import type { MenuItem } from "../parts/menu.tsx"
import type { AnswersOffered } from "./answers-offered.ts"
import { breadthChoices } from "./breadths.ts"
import type { FirstChoice } from "./remember-dialog.tsx"
import { scopeWords } from "./remembering.ts"
import type { ArgumentEdit } from "./use-argument-edit.ts"

/** What the answers in a menu need to know and to tell. */
export type Answering = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly offered: AnswersOffered
  readonly edit: ArgumentEdit
  readonly isBlocked: boolean
  readonly onDenyWithReason: () => void
  readonly onRemember: (first: FirstChoice) => void
}

/** How far a yes for good can reach. */
export function alwaysAllow({ approval, server, onRemember }: Answering): readonly MenuItem[] {
  return breadthChoices(approval, server, "allow").map(({ name, label, words }) => ({
    label: `${label}…`,
    words,
    onChoose: () => onRemember({ effect: "allow", scope: "always", breadth: name }),
  }))
}

/** What a plain Deny does not say. */
export function moreDenials({ offered, onDenyWithReason, onRemember }: Answering): readonly MenuItem[] {
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

/** Everything but the plain yes and no, where there is room for one button. */
export function moreAnswers(props: Answering): readonly MenuItem[] {
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
            words: "you choose what, and see the rule first",
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
