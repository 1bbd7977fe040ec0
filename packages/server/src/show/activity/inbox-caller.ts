import type { Call } from "@byleave/core"

/** No token is called so: below it, programs could name agents that look like reviewers. */
export const inboxName = "inbox"
export const inboxPrefix = `${inboxName}:`

/** The principal and session of calls that read something for a reviewer's page. */
export function inboxCaller(reviewer: string): Pick<Call, "principal" | "session"> {
  const id = `${inboxPrefix}${reviewer}`
  return { principal: { id }, session: { principal: id, id, named: false } }
}

/** Whether a call, by its judgement, was made to show a card. A reviewer's undo is made at the inbox, too, and is a call like any other. */
export function isForCard({ principal, undoOf }: { readonly principal: string; readonly undoOf?: string }): boolean {
  return isInboxCaller(principal) && undoOf === undefined
}

export function isInboxCaller(principal: string): boolean {
  return principal.startsWith(inboxPrefix)
}
