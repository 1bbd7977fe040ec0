/** `subscriptions/listen`: a modern client hears of what it names, on this request, until it goes. */
import { type JsonObject, listAt, longestName, memberAt, objectAt, textAt, without } from "@byleave/core"
import { subscriptionIdKey } from "../wire/envelope.ts"
import { errorCode, errorMessage, errorReply, replyMessage, rpcError } from "../wire/errors.ts"
import { AttendanceRefused, type NoticeListener } from "../wire/exchange.ts"
import type { Notice } from "../wire/message.ts"
import { resourceNotices } from "../wire/methods/resource-notices.ts"
import { createWaitingNotices } from "../wire/methods/waiting-notices.ts"
import { unreachable } from "./legacy/initialize.ts"
import type { ModernRequest } from "./modern/modern-requests.ts"

type Wants = NonNullable<NoticeListener["wants"]>

/** Starts listening; the returned function ends it. */
export function listen(request: ModernRequest, log: (words: string) => void): () => void {
  let ended = false
  let leave = (): void => {}
  let isAcknowledged = false
  const acknowledged = Promise.withResolvers<void>()
  // The acknowledgement comes first, whatever the server is quick to say.
  const early = createWaitingNotices({
    passes: () => isAcknowledged,
    look: async (notice) => {
      await acknowledged.promise
      return notice
    },
    tell: (notice) => {
      if (!ended) tell(notice)
    },
    log,
  })
  void start()
  return () => {
    ended = true
    early.forget()
    leave()
  }

  async function start(): Promise<void> {
    const { ask, caller, backend, leg } = request
    const { id, outlet } = leg
    const asked = objectAt(ask.params, "notifications")
    if (asked === undefined) return outlet.reply(errorMessage(id, noFilter))
    try {
      const { filter, wants } = honoured(asked, (await backend.hello(caller)).capabilities)
      if (Object.keys(filter).length === 0) {
        acknowledge(filter)
        return outlet.reply(replyMessage(id, { kind: "result", result: { resultType: "complete", _meta: stamp() } }))
      }
      let granted: ReadonlySet<string> | null = null
      leave = await backend.attend(caller, {
        wants,
        granted: (resources) => {
          granted = new Set([...(granted ?? []), ...resources])
        },
        inquire: () => Promise.resolve(cannotAsk),
        notify: (notice) => {
          if (isWanted(notice, wants) && !ended) early.add(notice)
        },
      })
      if (ended) return leave()
      acknowledge(withGranted(filter, granted))
      isAcknowledged = true
      acknowledged.resolve()
    } catch (error) {
      const isRefused = error instanceof AttendanceRefused
      outlet.reply(replyMessage(id, isRefused ? errorReply(errorCode.invalidParams, error.message) : unreachable))
    }
  }

  function stamp(): JsonObject {
    return { [subscriptionIdKey]: request.leg.id }
  }

  function acknowledge(filter: JsonObject): void {
    request.leg.outlet.keepOpen()
    tell({ method: "notifications/subscriptions/acknowledged", params: { notifications: filter } })
  }

  function tell({ method, params }: Notice): void {
    const meta = { ...objectAt(params, "_meta"), ...stamp() }
    request.leg.outlet.say({ jsonrpc: "2.0", method, params: { ...params, _meta: meta } })
  }
}

const noFilter = rpcError(errorCode.invalidParams, "Say in params.notifications what to listen for.")
const cannotAsk = errorReply(errorCode.methodNotFound, "The client cannot be asked anything here.")

const lists = [
  { name: "tools", member: "toolsListChanged" },
  { name: "prompts", member: "promptsListChanged" },
  { name: "resources", member: "resourcesListChanged" },
] as const

/** The part of the requested notifications that the server says it can send. */
function honoured(asked: JsonObject, capabilities: JsonObject): { readonly filter: JsonObject; readonly wants: Wants } {
  const told = lists.filter(
    ({ name, member }) =>
      memberAt(asked, member) === true && memberAt(objectAt(capabilities, name), "listChanged") === true,
  )
  const canSubscribe = memberAt(objectAt(capabilities, "resources"), "subscribe") === true
  const uris = (canSubscribe ? (listAt(asked, "resourceSubscriptions") ?? []) : []).filter(
    (uri): uri is string => typeof uri === "string" && uri.length <= longestName,
  )
  const filter: JsonObject = {
    ...Object.fromEntries(told.map(({ member }) => [member, true])),
    ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
  }
  return { filter, wants: { lists: new Set(told.map(({ name }) => name)), resources: new Set(uris) } }
}

/** Subscriptions that were refused are not acknowledged. */
function withGranted(filter: JsonObject, granted: ReadonlySet<string> | null): JsonObject {
  const uris = listAt(filter, "resourceSubscriptions")
  if (uris === undefined || granted === null) return filter
  const kept = uris.filter((uri) => typeof uri === "string" && granted.has(uri))
  return kept.length === 0 ? without(filter, ["resourceSubscriptions"]) : { ...filter, resourceSubscriptions: kept }
}

function isWanted({ method, params }: Notice, wants: Wants): boolean {
  if (resourceNotices.has(method)) {
    // Notices of resources below a subscribed one are wanted too, by clients that may know their names.
    const uri = textAt(params, "uri") ?? ""
    return [...wants.resources].some((above) => above !== "" && uri.startsWith(above))
  }
  return lists.some(({ name }) => wants.lists.has(name) && method === `notifications/${name}/list_changed`)
}
