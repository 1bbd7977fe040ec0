import type { ApprovalView, ServerView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import { statusWords } from "../../card/head/status-words.ts"
import { answersOffered } from "../answers/answers-offered.ts"
import { pathScopes } from "./path-scopes.ts"
import type { FirstChoice } from "./remember-dialog.tsx"

/** The call as it would come again: a grant covers only what waits. */
export function asIfWaiting(approval: ApprovalView): ApprovalView {
  return { ...approval, status: "pending" } as ApprovalView
}

/** The first draft of "Always allow calls like this" for a settled call: its folder where it has one. Null: it cannot be remembered. */
export function rememberSettled(approval: ApprovalView, server: ServerView | null): FirstChoice | null {
  if (statusWords(approval)?.isGone !== true || approval.tool.server === "byleave") return null
  if (answersOffered(approval).whyOnlyOnce !== null || shownArguments(approval) === null) return null
  const hasFolder = pathScopes(approval, server, "allow").some(({ name }) => name === "folder")
  return { effect: "allow", scope: "agent", breadth: hasFolder ? "folder" : "tool" }
}
