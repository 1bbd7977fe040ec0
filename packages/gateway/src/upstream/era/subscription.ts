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
  readonly setting: Setting
}

export type Subscription = {
  readonly want: (wants: Subscriptions) => void
  /** Whether the server has acknowledged one, and it is open. */
  readonly stands: () => boolean
  readonly stop: () => void
}

/** Keeps one `subscriptions/listen` open for what is wanted; a new one stands before the old one ends, so nothing falls between. */
export function createSubscription(needs: SubscriptionNeeds): Subscription {
  let wanted: JsonObject | null = null
  let current: AbortController | null = null
  let standing: AbortController | null = null
  let timer: NodeJS.Timeout | undefined
  let failures = 0

  function open(mayHaveMissed: boolean): void {
    if (wanted === null) return
    const before = current
    const mine = new AbortController()
    current = mine
    const params = { notifications: wanted }
    const onNotice = (notice: Notice) => {
      if (notice.method !== "notifications/subscriptions/acknowledged") return needs.tell(notice)
      standing = mine
      before?.abort()
      failures = 0
      if (mayHaveMissed) for (const missed of changesOf(params.notifications)) needs.tell(missed)
    }
    needs.listen({ method: "subscriptions/listen", params }, { signal: mine.signal, onNotice }).then(
      (reply) => ended(mine, reply.kind === "error" && reply.error.code === methodNotFound),
      () => ended(mine, false),
    )
    if (before !== null) mine.signal.addEventListener("abort", () => before.abort(), { once: true })
  }

  function ended(mine: AbortController, forGood: boolean): void {
    if (standing === mine) {
      standing = null
      needs.onBroken()
    }
    if (current !== mine) return
    mine.abort()
    current = null
    if (forGood || wanted === null) return
    const { backOffMs, longestBackOffMs } = needs.setting.times
    timer = setTimeout(() => open(true), Math.min(backOffMs * 2 ** failures, longestBackOffMs)).unref()
    failures = Math.min(failures + 1, 10)
  }

  function close(): void {
    clearTimeout(timer)
    const open = current
    current = null
    standing = null
    open?.abort()
  }

  return {
    want: (wants) => {
      const filter = filterOf(wants)
      if (JSON.stringify(filter) === JSON.stringify(wanted)) return
      wanted = filter
      clearTimeout(timer)
      if (filter === null) close()
      else open(false)
    },
    stands: () => standing !== null,
    stop: () => {
      wanted = null
      close()
    },
  }
}

const methodNotFound = -32601

function filterOf(wants: Subscriptions): JsonObject | null {
  const { lists, resources } = wants
  const filter = {
    ...(lists.has("tools") ? { toolsListChanged: true } : {}),
    ...(lists.has("prompts") ? { promptsListChanged: true } : {}),
    ...(lists.has("resources") ? { resourcesListChanged: true } : {}),
    ...(resources.size > 0 ? { resourceSubscriptions: [...resources].sort() } : {}),
  }
  return Object.keys(filter).length === 0 ? null : filter
}

// While a stream was broken anything may have changed.
function changesOf(filter: JsonObject): Notice[] {
  return ["tools", "prompts", "resources"]
    .filter((kind) => filter[`${kind}ListChanged`] === true)
    .map((kind) => ({ method: `notifications/${kind}/list_changed` }))
}
