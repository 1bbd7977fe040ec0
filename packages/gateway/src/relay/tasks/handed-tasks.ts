/**
 * Tasks of one server that their clients follow by themselves, so that no request of ours is under way for them.
 *
 * I1. Where the server is closed as a whole, or the tool is put in quarantine, before a task is known to be over, the server is told to cancel it: over
 *     the connection on which its client last asked about it, as long as that is open.
 */
import { type JsonObject, sessionKey } from "@byleave/core"
import { carry } from "../carry.ts"
import { type RequestRoute, speakerOf } from "../route.ts"
import type { ServerRelay } from "../server-relay.ts"
import { cannotAsk } from "../talk/inquiries.ts"
import { mustEnd } from "../under-way.ts"

export type HandedTasks = {
  /** Its client has the task from now on. `tool`: the one whose call made it. */
  readonly add: (route: RequestRoute, id: string, tool: string) => void
  /** Its client asked about it over this connection. */
  readonly asked: (route: RequestRoute, id: string) => void
  /** Its client was told of its end. */
  readonly over: (route: RequestRoute, id: string) => void
  /** What agents may do has changed. */
  readonly changed: () => void
}

type HandedTask = { readonly route: RequestRoute; readonly id: string; readonly tool: string }

/** The oldest is forgotten then. */
const mostHanded = 10_000
/** A server chooses its names; a task with a longer one is not kept. */
const longestId = 1_000

export function createHandedTasks(where: Pick<ServerRelay, "context" | "server">): HandedTasks {
  const handed = new Map<string, HandedTask>()
  /** All of one session and tool, which are judged alike. */
  const endRefused = async (alike: readonly HandedTask[]): Promise<void> => {
    const [one] = alike
    if (one === undefined || !(await mustEnd(where, { caller: one.route.caller, tool: one.tool }))) return
    for (const { route, id } of alike) {
      const key = keyOf(route, id)
      const newest = handed.get(key)
      if (newest !== undefined && handed.delete(key)) cancel(newest)
    }
  }
  const look = (alike: readonly HandedTask[]): void => {
    endRefused(alike).catch((error: unknown) =>
      where.context.log(`${where.server.id}: whether a task may go on could not be asked: ${String(error)}`),
    )
  }
  return {
    add: (route, id, tool) => {
      if (id.length > longestId) return
      const task = { route: onlyRoute(route), id, tool }
      handed.set(keyOf(route, id), task)
      const [oldest] = handed.keys()
      if (handed.size > mostHanded && oldest !== undefined) handed.delete(oldest)
      // Something may have changed while the server made it.
      look([task])
    },
    asked: (route, id) => {
      const key = keyOf(route, id)
      const known = handed.get(key)
      if (known !== undefined) handed.set(key, { ...known, route: onlyRoute(route) })
    },
    over: (route, id) => void handed.delete(keyOf(route, id)),
    changed: () => {
      const groups = Map.groupBy(handed.values(), ({ route, tool }) =>
        JSON.stringify([sessionKey(route.caller.session), tool]),
      )
      for (const alike of groups.values()) look(alike)
    },
  }
}

export function isOver({ status }: JsonObject): boolean {
  return status === "completed" || status === "failed" || status === "cancelled"
}

/** Without the request that it may be the route of. */
function onlyRoute({ relay, caller, connection }: RequestRoute): RequestRoute {
  return { relay, caller, connection }
}

function keyOf(route: RequestRoute, id: string): string {
  const { caller, at } = speakerOf(route)
  return JSON.stringify([caller.principal.id, at, id])
}

function cancel({ route, id }: HandedTask): void {
  if (!route.connection.isOpen()) return
  const ask = { method: "tasks/cancel", params: { taskId: id } }
  const audience = { notify: () => {}, inquire: async () => cannotAsk }
  carry(route, { ask, audience, asksNobody: true, signal: new AbortController().signal }).catch(() => {})
}
