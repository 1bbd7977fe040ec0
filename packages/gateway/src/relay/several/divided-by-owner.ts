import { makeExchange } from "../../downstream/make-exchange.ts"
import type { Caller } from "../../wire/caller.ts"
import { AttendanceRefused, type NoticeListener } from "../../wire/exchange.ts"
import { areTooMany, tooManyResources } from "../listening/listening-limit.ts"
import type { ServerBackend } from "../server-backend.ts"
import { findOwners, type OwnerSearch } from "./find-owners.ts"

/** The listener as each server hears of it: with the resources of that server alone. A resource that is nobody's is not listened to. */
export async function dividedByOwner(
  search: OwnerSearch,
  caller: Caller,
  listener: NoticeListener,
): Promise<(backend: ServerBackend) => NoticeListener> {
  const { wants } = listener
  if (wants === undefined || wants.resources.size === 0) return () => listener
  if (areTooMany(wants.resources)) throw new AttendanceRefused(tooManyResources("one server"))
  const listing = makeExchange({
    caller,
    ask: { method: "resources/list" },
    paramHeaders: null,
    notify: () => {},
    inquire: listener.inquire,
    keepOpen: () => {},
  })
  const owners = await findOwners(search, listing, wants.resources)
  listener.granted?.(new Set())
  return (backend) => {
    const resources = new Set([...wants.resources].filter((uri) => owners.get(uri) === backend))
    return { ...listener, wants: { ...wants, resources } }
  }
}
