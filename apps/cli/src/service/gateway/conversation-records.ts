import type { Store } from "@byleave/core"
import type { ConversationRecord, ConversationRecords } from "@byleave/gateway"
import type { Documents } from "./documents.ts"

const keptMs = 24 * 60 * 60_000
/** Writing that a conversation lives on each time it is used would cost a commit per request. */
const touchAfterMs = 60 * 60_000
const mostCached = 2_000

type Cached = { readonly record: ConversationRecord; readonly writtenAt: number | null }

/** Legacy conversations in the store: known after a restart and at every replica, forgotten a day after their last use. */
export function createConversationRecords(
  documents: Documents,
  store: Pick<Store, "subscribe">,
  now: () => number,
  onTrouble: (trouble: unknown) => void,
): ConversationRecords & { readonly stop: () => void } {
  const cache = new Map<string, Cached>()
  const remember = (record: ConversationRecord, writtenAt: number) => {
    cache.delete(record.id)
    if (cache.size >= mostCached) cache.delete(cache.keys().next().value ?? "")
    cache.set(record.id, { record, writtenAt })
  }
  const write = (record: ConversationRecord, at: number) =>
    documents.put("conversation", record.id, { ...record }, { expiresAt: at + keptMs, durability: "soon" })
  const read = async (id: string): Promise<Cached | undefined> => {
    const value = await documents.get("conversation", id)
    if (value === undefined) return undefined
    // When it was last used is not known here; it is written once more.
    return { record: value as unknown as ConversationRecord, writtenAt: null }
  }
  const touch = (record: ConversationRecord, at: number) => {
    remember(record, at)
    write(record, at).catch(onTrouble)
  }
  const stop = store.subscribe(({ type, subject }) => {
    if (type === "document.changed" && subject.startsWith(prefix)) cache.delete(subject.slice(prefix.length))
  })
  return {
    put: async (record) => {
      const at = now()
      await write(record, at)
      remember(record, at)
    },
    get: async (id) => {
      const found = cache.get(id) ?? (await read(id))
      if (found === undefined) return undefined
      const at = now()
      if (found.writtenAt !== null && at - found.writtenAt > keptMs) {
        cache.delete(id)
        return undefined
      }
      if (found.writtenAt === null || at - found.writtenAt > touchAfterMs) touch(found.record, at)
      return found.record
    },
    remove: async (id) => {
      cache.delete(id)
      await documents.remove("conversation", id, { tell: true })
    },
    stop,
  }
}

const prefix = "conversation/"
