/**
 * A note of each call and its outcome, for whoever asks again after the worker has died. Kept while the browser runs.
 *
 * I1. A call is noted before it is sent, and its outcome before anybody hears of it.
 * I2. A call that was noted is never sent again: without an outcome, nobody can tell what became of it.
 * I3. No other call makes a note go, however many there are and whatever the clock says: whoever has written its outcome forgets it.
 */
import type { ToolCallData, WorkerReply } from "../wire/messages.ts"

export type CallNote = {
  /** Null: it was sent, or must not be any more, and nothing has come back. */
  readonly reply: WorkerReply<ToolCallData> | null
}

export type WorkerNotes = {
  readonly noteOf: (key: string) => Promise<CallNote | null>
  /** Rejects where the browser keeps no more: it has little room, and outcomes may be large. */
  readonly write: (key: string, note: CallNote) => Promise<void>
  /** Forgets the outcomes of all calls, and keeps that they were sent. */
  readonly shorten: () => Promise<void>
  readonly keys: () => Promise<readonly string[]>
  readonly forget: (keys: readonly string[]) => Promise<void>
}

const prefix = "call:"

/** `area`: what the browser keeps for its worker and the panel's documents until it is closed. */
export function createCallNotes(area: chrome.storage.StorageArea): WorkerNotes {
  const all = async (): Promise<readonly (readonly [string, CallNote])[]> =>
    Object.entries(await area.get(null)).filter((entry): entry is [string, CallNote] => entry[0].startsWith(prefix))
  return {
    noteOf: async (key) => {
      const { [prefix + key]: note } = await area.get(prefix + key)
      return (note as CallNote | undefined) ?? null
    },
    write: (key, note) => area.set({ [prefix + key]: note }),
    shorten: async () => {
      const long = (await all()).filter(([, { reply }]) => reply !== null)
      await area.set(Object.fromEntries(long.map(([name]) => [name, { reply: null } satisfies CallNote])))
    },
    keys: async () => (await all()).map(([name]) => name.slice(prefix.length)),
    forget: (keys) => area.remove(keys.map((key) => prefix + key)),
  }
}
