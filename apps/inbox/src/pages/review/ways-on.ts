import type { WaitingCall } from "../../data/live/waiting-table.ts"
import { changesFiles } from "../waiting/list/changes-files.ts"

export type NextReview = { readonly first: WaitingCall; readonly changes: number }

/** The review of another session that has waited longest; null where no other has several changes to review. */
export function nextReview(waiting: readonly WaitingCall[], sessionKey: string): NextReview | null {
  const others = waiting.filter((call) => call.sessionKey !== sessionKey && changesFiles(call))
  for (const calls of Map.groupBy(others, (call) => call.sessionKey).values()) {
    const [first] = calls
    if (first !== undefined && calls.length > 1) return { first, changes: calls.length }
  }
  return null
}

/** How many calls of the session wait and are no part of its review, such as moves and new folders. */
export function callsBeside(
  waiting: readonly WaitingCall[],
  sessionKey: string,
  reviewed: ReadonlySet<string>,
): number {
  return waiting.filter((call) => call.sessionKey === sessionKey && call.status === "pending" && !reviewed.has(call.id))
    .length
}

export function besideWords(calls: number): string {
  return calls === 1 ? "1 other call of this session waits" : `${calls} other calls of this session wait`
}
