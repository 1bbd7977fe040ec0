/**
 * A note of each call and its outcome, for whoever asks again after the worker has died. Kept while the browser runs.
 *
 * I1. A call is noted before it is sent, and its outcome before anybody hears of it.
 * I2. A call that was noted is never sent again: without an outcome, nobody can tell what became of it.
 */
import type { ToolCallData, WorkerReply } from "../wire/messages.ts"

export type CallNote = {
  readonly at: number
  /** Null: it was sent, and nothing has come back. */
  readonly reply: WorkerReply<ToolCallData> | null
}

const prefix = "call:"
/** As many as are kept: an outcome nobody asked for is forgotten after so many others. */
const most = 200

export async function noteOf(key: string): Promise<CallNote | null> {
  const { [prefix + key]: note } = await chrome.storage.session.get(prefix + key)
  return (note as CallNote | undefined) ?? null
}

/** Rejects where the browser keeps no more: it has little room, and outcomes may be large. */
export async function writeNote(key: string, note: CallNote): Promise<void> {
  await chrome.storage.session.set({ [prefix + key]: note })
}

/** Forgets the outcomes of all calls, and keeps that they were sent. */
export async function shortenNotes(): Promise<void> {
  const all = Object.entries(await chrome.storage.session.get(null)) as readonly (readonly [string, CallNote])[]
  const long = all.filter(([name, note]) => name.startsWith(prefix) && note.reply !== null)
  await chrome.storage.session.set(Object.fromEntries(long.map(([name, { at }]) => [name, { at, reply: null }])))
}

/** Forgets the oldest notes beyond the number that is kept. */
export async function sweepNotes(): Promise<void> {
  const all = Object.entries(await chrome.storage.session.get(null)).filter(([name]) => name.startsWith(prefix))
  if (all.length <= most) return
  const oldest = all.sort(([, one], [, other]) => (one as CallNote).at - (other as CallNote).at)
  await chrome.storage.session.remove(oldest.slice(0, all.length - most).map(([name]) => name))
}
