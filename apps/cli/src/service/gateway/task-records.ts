import type { TaskRecord, TaskRecords } from "@byleave/gateway"
import type { Documents } from "./documents.ts"

/** A task that names no end is kept as long as what it stands for. */
const keptMs = 90 * 24 * 60 * 60_000

/** Tasks in the store, so that a caller may come back after a restart and to any replica. */
export function createTaskRecords(documents: Documents): TaskRecords {
  return {
    put: (record) =>
      documents.put(
        "task",
        record.id,
        { ...record, session: { ...record.session } },
        {
          expiresAt: record.createdAt + (record.ttlMs ?? keptMs),
        },
      ),
    get: async (id) => (await documents.get("task", id)) as TaskRecord | undefined,
  }
}
