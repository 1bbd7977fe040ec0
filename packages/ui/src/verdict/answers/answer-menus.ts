import type { ApprovalView, ServerView } from "@byleave/api"
import { scopeWords } from "@byleave/api/page"
import type { MenuItem } from "../../parts/menu.tsx"
import type { ArgumentEdit } from "../edit/use-argument-edit.ts"
import { breadthChoices } from "../remember/breadths.ts"
import { pathScopes } from "../remember/path-scopes.ts"
import type { FirstChoice } from "../remember/remember-dialog.tsx"
import { ruleShown } from "../remember/remembering.ts"
import type { GivenVerdict } from "../verdict.ts"
import type { AnswersOffered } from "./answers-offered.ts"

/** The props of the answers in a menu. */
export type Answering = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly offered: AnswersOffered
  readonly edit: ArgumentEdit
  readonly isBlocked: boolean
  readonly onDenyWithReason: () => void
  readonly onRemember: (first: FirstChoice) => void
  /** Allows the call and remembers that at once: what is remembered stood on what was pressed. */
  readonly onAllowFor: (remember: NonNullable<GivenVerdict["remember"]>) => void
}

/** How far a yes for good can reach: the files of this call with one press, anything wider with a dialog before it. */
export function alwaysAllow(props: Answering): readonly MenuItem[] {
  const { approval, server, onRemember } = props
  const wider = breadthChoices(approval, server, "allow").filter(({ name }) => name !== "file" && name !== "folder")
  return [
    ...oneClickScopes(props),
    ...wider.map(({ name, label, words }) => ({
      label: `${label}…`,
      words,
      onChoose: () => onRemember({ effect: "allow", scope: "always", breadth: name }),
    })),
  ]
}

/** This file, this folder or any, for the agent or whoever else has its name; the second line of each is the very rule that will be saved, and what may differ by it. */
function oneClickScopes({ approval, server, isBlocked, onAllowFor }: Answering): readonly MenuItem[] {
  const paths = pathScopes(approval, server, "allow")
  if (paths.length === 0) return []
  const any = {
    ...{ label: "Any file", words: "", differs: "All arguments may differ." },
    breadth: { kind: "tool", ...approval.tool },
  } as const
  return [...paths, any].flatMap(({ label, words, differs, breadth }) => {
    const shown = ruleShown(approval, { effect: "allow", scope: "agent", breadth, lasting: {} }, 0)
    if (!shown.ok) return []
    return [
      {
        label: words === "" ? label : `${label}: ${words}`,
        words: `${shown.words}. ${differs}`,
        disabled: isBlocked,
        onChoose: () => onAllowFor({ scope: "agent", breadth }),
      },
    ]
  })
}

/** The answers beyond a plain Deny. */
export function moreDenials({ offered, onDenyWithReason, onRemember }: Answering): readonly MenuItem[] {
  const breadth = offered.denyAlways === "tool" ? "tool" : "server"
  const always: MenuItem = {
    label: "Always deny…",
    words:
      breadth === "tool"
        ? "this call and future ones; review the permission first"
        : "all tools of this server; review the permission first",
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
  const { button, words } = scopeWords(approval)
  const remembered: readonly MenuItem[] =
    offered.whyOnlyOnce === null
      ? [
          {
            label: `${button}…`,
            words,
            disabled: isBlocked,
            onChoose: () => onRemember({ effect: "allow", scope: "session", breadth: "tool" }),
          },
          ...oneClickScopes(props),
          {
            label: "Always allow…",
            words: "choose the scope and review it first",
            disabled: isBlocked,
            onChoose: () => onRemember({ effect: "allow", scope: "always", breadth: "tool" }),
          },
        ]
      : []
  const editing: readonly MenuItem[] = offered.canEdit
    ? [{ label: "Edit arguments", words: "then allow once", disabled: isBlocked, onChoose: edit.start }]
    : []
  return [...remembered, ...editing, ...moreDenials(props)]
}
