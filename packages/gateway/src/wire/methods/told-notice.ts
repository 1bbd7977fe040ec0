import type { Notice } from "../message.ts"
import { methodRow } from "./methods.ts"
import { buildParams } from "./params.ts"

/**
 * A server's notification as a client of this revision is told it, with the params that its row names, or all of them where it names none. Null: it
 * is not for clients, or not of this revision.
 */
export function toldNotice(notice: Notice, revision: string): Notice | null {
  const row = methodRow("server", "notification", notice.method, revision)
  if (row === undefined || row.handling === "here" || row.handling === "dropped") return null
  if (row.params === undefined) return notice
  // A server cannot be told of an error in its notification: unknown params are left out, and a notification with a param of the wrong type is dropped.
  const built = buildParams(row, notice.params ?? {}, revision, "drop")
  if (!built.ok) return null
  return built.params === undefined ? { method: notice.method } : { method: notice.method, params: built.params }
}
