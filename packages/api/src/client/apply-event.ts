/**
 * The fold of events that pages and terminals share.
 *
 * I1. An event that was folded in already changes nothing, nor does one from before.
 * I2. A call waits from its `approval.pending` until the first event that settles it, whatever comes between.
 */
import type { EventView } from "../views/event-view.ts"

/** The state that a page needs before it asks for anything: which calls wait, and which of its data are out of date. */
export type InboxState = {
  /** The newest event folded in. */
  readonly seq: number
  /** Ids of waiting calls, oldest first. */
  readonly waiting: readonly string[]
  /** The newest event about each subject: what was read before it is stale. */
  readonly versions: ReadonlyMap<string, number>
}

export function emptyInbox(seq: number, waiting: readonly string[] = []): InboxState {
  return { seq, waiting, versions: new Map() }
}

/** Folds one event, of history or live alike; one already folded in changes nothing. */
export function applyEvent(state: InboxState, event: EventView): InboxState {
  if (event.seq <= state.seq) return state
  const versions = new Map(state.versions).set(`${familyOf(event.type)}:${event.subject}`, event.seq)
  return { seq: event.seq, waiting: waitingAfter(state.waiting, event), versions }
}

function familyOf(type: string): string {
  return type.split(".", 1)[0] ?? type
}

function waitingAfter(waiting: readonly string[], { type, subject }: EventView): readonly string[] {
  if (type === "approval.pending") return waiting.includes(subject) ? waiting : [...waiting, subject]
  if (type === "approval.changed" || !type.startsWith("approval.")) return waiting
  return waiting.includes(subject) ? waiting.filter((id) => id !== subject) : waiting
}
