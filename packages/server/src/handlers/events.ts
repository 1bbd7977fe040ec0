/**
 * The stream of what becomes true. A reader that comes back with the last number it saw gets everything after it, once, in
 * order: live events are listened to first and history is read up to them.
 */
import type { EventView } from "@byleave/api"
import type { StoreEvent } from "@byleave/core"
import type { ApiService } from "../service.ts"
import { opaqueKey } from "../show/session-key.ts"
import { eventStream } from "./event-stream.ts"
import { eventsAfter } from "./events-after.ts"
import type { Handler } from "./handler.ts"

export const events: Handler<"events"> = async (service, { request, query }) => {
  const told = request.headers.get("last-event-id")
  const after = told !== null && /^\d{1,15}$/.test(told) ? Number(told) : query?.after
  return eventStream(service, request, (send, ended) =>
    eventsAfter(service.store, after, ended, (event) => {
      const view = viewOf(service, event)
      if (view !== null) send(JSON.stringify(view), view.seq)
    }),
  )
}

/** Sessions by their opaque key; documents not at all, whose ids may be other people's secrets, save the names and facts of sessions. */
function viewOf(service: ApiService, { type, subject, seq, at }: StoreEvent | EventView): EventView | null {
  if (type === "mode.changed" || type === "session.ended") {
    return { seq, type, subject: opaqueKey(subject, service.hasher), at }
  }
  if (type !== "document.changed") return { seq, type, subject, at }
  const [kind = "", key = ""] = subject.split("/", 2)
  const told = sessionEvents.get(kind)
  return told === undefined ? null : { seq, type: told, subject: key, at }
}

const sessionEvents = new Map([
  ["label", "session.named"],
  ["session", "session.seen"],
])
