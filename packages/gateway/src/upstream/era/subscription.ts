/**
 * Keeps one `subscriptions/listen` open for what is wanted; a new one stands before the old one ends, so nothing falls between.
 *
 * I1. At most two are open: the one that was acknowledged, and the one that is to take its place. However often the wants change meanwhile, the newest are
 *     asked for once that is acknowledged.
 * I2. One that a server leaves unacknowledged makes way for what is wanted by then after a while, which grows: no change waits for ever, and no number of
 *     changes keeps a slow server from acknowledging one.
 * I3. What may have been missed while none stood is told as changed.
 */
import type { JsonObject } from "@byleave/core"
import type { Ask, Notice, Reply } from "../../wire/message.ts"
import type { Subscriptions } from "../connection.ts"
import type { Setting } from "../upstream-options.ts"

export type SubscriptionNeeds = {
  readonly listen: (
    ask: Ask,
    more: { readonly signal: AbortSignal; readonly onNotice: (notice: Notice) => void },
  ) => Promise<Reply>
  readonly tell: (notice: Notice) => void
  /** The subscription has ended, and was not ended from here. */
  readonly onBroken: () => void
  readonly setting: Pick<Setting, "times">
}

export type Subscription = {
  readonly want: (wants: Subscriptions) => void
  /** Whether the server has acknowledged one, and it is open. */
  readonly stands: () => boolean
  readonly stop: () => void
}

/** `isLate`: it has waited so long to be acknowledged that another may take its place. */
type Listening = {
  readonly filter: Filter
  readonly stop: AbortController
  timer: NodeJS.Timeout | undefined
  isLate: boolean
}

type Filter = { readonly params: JsonObject; readonly text: string }

export function createSubscription(needs: SubscriptionNeeds): Subscription {
  const { acknowledgeMs, backOffMs, longestBackOffMs } = needs.setting.times
  let wanted: Filter | null = null
  let standing: Listening | null = null
  let next: Listening | null = null
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let patienceMs = acknowledgeMs
  let mayHaveMissed = false

  /** Asks for what is wanted by now, unless that is so already, or another one has still to be acknowledged. */
  function catchUp(): void {
    clearTimeout(retry)
    if (wanted === null || next?.filter.text === wanted.text || next?.isLate === false) return
    if (next !== null) patienceMs = Math.min(patienceMs * 2, longestBackOffMs)
    end(next)
    next = null
    if (standing?.filter.text !== wanted.text) open(wanted)
  }

  function open(filter: Filter): void {
    const mine: Listening = { filter, stop: new AbortController(), timer: undefined, isLate: false }
    next = mine
    const late = (): void => {
      mine.isLate = true
      catchUp()
    }
    mine.timer = setTimeout(late, patienceMs).unref()
    const onNotice = (notice: Notice): void => {
      if (notice.method === "notifications/subscriptions/acknowledged") acknowledged(mine)
      else needs.tell(notice)
    }
    const ask = { method: "subscriptions/listen", params: { notifications: filter.params } }
    needs.listen(ask, { signal: mine.stop.signal, onNotice }).then(
      (reply) => ended(mine, reply.kind === "error" && reply.error.code === methodNotFound),
      () => ended(mine, false),
    )
  }

  function acknowledged(mine: Listening): void {
    if (mine !== next) return
    clearTimeout(mine.timer)
    end(standing)
    standing = mine
    next = null
    failures = 0
    patienceMs = acknowledgeMs
    if (mayHaveMissed) for (const missed of changesOf(mine.filter.params)) needs.tell(missed)
    mayHaveMissed = false
    catchUp()
  }

  function ended(mine: Listening, forGood: boolean): void {
    const stood = mine === standing
    if (!stood && mine !== next) return
    end(mine)
    if (stood) standing = null
    else next = null
    mayHaveMissed = true
    if (stood) needs.onBroken()
    if (wanted === null || next !== null) return
    if (forGood) {
      if (wanted.text !== mine.filter.text) catchUp()
      return
    }
    clearTimeout(retry)
    retry = setTimeout(catchUp, Math.min(backOffMs * 2 ** failures, longestBackOffMs)).unref()
    failures = Math.min(failures + 1, 10)
  }

  function close(): void {
    clearTimeout(retry)
    const open = [standing, next]
    standing = null
    next = null
    mayHaveMissed = false
    for (const each of open) end(each)
  }

  return {
    want: (wants) => {
      const filter = filterOf(wants)
      if (filter?.text === wanted?.text) return
      wanted = filter
      if (filter === null) close()
      else catchUp()
    },
    stands: () => standing !== null,
    stop: () => {
      wanted = null
      close()
    },
  }
}

const methodNotFound = -32601

function end(listening: Listening | null): void {
  clearTimeout(listening?.timer)
  listening?.stop.abort()
}

function filterOf(wants: Subscriptions): Filter | null {
  const { lists, resources } = wants
  const params = {
    ...(lists.has("tools") ? { toolsListChanged: true } : {}),
    ...(lists.has("prompts") ? { promptsListChanged: true } : {}),
    ...(lists.has("resources") ? { resourcesListChanged: true } : {}),
    ...(resources.size > 0 ? { resourceSubscriptions: [...resources].sort() } : {}),
  }
  return Object.keys(params).length === 0 ? null : { params, text: JSON.stringify(params) }
}

// While a stream was broken anything may have changed.
function changesOf(filter: JsonObject): Notice[] {
  return ["tools", "prompts", "resources"]
    .filter((kind) => filter[`${kind}ListChanged`] === true)
    .map((kind) => ({ method: `notifications/${kind}/list_changed` }))
}
