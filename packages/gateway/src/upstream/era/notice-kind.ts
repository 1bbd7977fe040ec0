import { memberAt, objectAt, without } from "@byleave/core"
import { subscriptionIdKey } from "../../wire/envelope.ts"
import type { Notice } from "../../wire/message.ts"
import { resourceNotices } from "../../wire/methods/resource-notices.ts"

const serverChanges: ReadonlySet<string> = new Set([
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  ...resourceNotices,
])

/** Whether a notification tells of a change to the server itself, no matter on whose request it came. */
export function isServerChange(method: string): boolean {
  return serverChanges.has(method)
}

/** The `subscriptions/listen` request a modern server's notice belongs to. */
export function subscriptionOf(notice: Notice): number | undefined {
  const id = memberAt(objectAt(notice.params, "_meta"), subscriptionIdKey)
  return typeof id === "number" ? id : undefined
}

/** Our id of the subscription means nothing to anyone else. */
export function withoutSubscription(notice: Notice): Notice {
  const meta = objectAt(notice.params, "_meta")
  if (meta === undefined || subscriptionOf(notice) === undefined) return notice
  const kept = without(meta, [subscriptionIdKey])
  const params =
    Object.keys(kept).length === 0 ? without(notice.params ?? {}, ["_meta"]) : { ...notice.params, _meta: kept }
  return Object.keys(params).length === 0 ? { method: notice.method } : { method: notice.method, params }
}
