import type { ConversationRecord, ConversationRecords, TaskRecord, TaskRecords } from "@byleave/gateway"

/** A wrapped server lives as long as its client: what it remembers need not outlive it. */
export function memoryRecords(): { readonly conversations: ConversationRecords; readonly tasks: TaskRecords } {
  const conversations = new Map<string, ConversationRecord>()
  const tasks = new Map<string, TaskRecord>()
  return {
    conversations: {
      put: async (record) => void conversations.set(record.id, record),
      get: async (id) => conversations.get(id),
      remove: async (id) => void conversations.delete(id),
    },
    tasks: {
      put: async (record) => void tasks.set(record.id, record),
      get: async (id) => tasks.get(id),
    },
  }
}
