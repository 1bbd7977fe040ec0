/**
 * The listeners of a server's messages outside any request: list changes, changes of resources somebody subscribed to, log lines where
 * all that listen and all that ever asked anything over the connection are one principal.
 *
 * I1. Log lines of a connection that two principals share reach neither.
 * I2. Nobody hears of a resource that policy keeps from them, though they subscribed to what lies above it.
 * I3. A subscription ends when policy keeps its resource from whoever subscribed: no server is told of it again.
 * I4. Whatever a server says of resources, one judgement at a time is made for a listener.
 */
import { textAt } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import type { NoticeListener } from "../../wire/exchange.ts"
import type { Ask, Notice, Reply } from "../../wire/message.ts"
import { resourceNotices } from "../../wire/methods/resource-notices.ts"
import { createWaitingNotices, type SeenNotice, type WaitingNotices } from "../../wire/methods/waiting-notices.ts"
import { isLoudEnough, type LogLevels } from "../talk/log-levels.ts"
import { createSubscriptions, type ResourceSubscriptions } from "./subscriptions.ts"

export type WantedNotices = { readonly lists: ReadonlySet<string>; readonly resources: ReadonlySet<string> }

export type NoticeListeners = {
  readonly add: (caller: Caller, listener: NoticeListener) => () => void
  readonly hear: (notice: Notice) => void
  /** Asks the client this connection belongs to, once it listens. */
  readonly inquire: (ask: Ask) => Promise<Reply>
  /** Whether a client listens that can be asked: a modern one is asked nothing outside its requests. */
  readonly isAskable: () => boolean
  readonly subscriptions: ResourceSubscriptions
  /** Ends subscriptions that policy no longer allows, and returns their resources. */
  readonly endRefused: () => Promise<readonly string[]>
  readonly wants: () => WantedNotices
  readonly size: () => number
}

type RegisteredListener = {
  readonly caller: Caller
  readonly listener: NoticeListener
  /** Of resources: each is judged before it is told. */
  readonly waiting: WaitingNotices
}

const lists = new Map([
  ["notifications/tools/list_changed", "tools"],
  ["notifications/prompts/list_changed", "prompts"],
  ["notifications/resources/list_changed", "resources"],
])
const patienceMs = 10_000
const none: ReadonlySet<string> = new Set()

/** Whether policy lets a caller hear of a resource; `named`: it subscribed to this very one, and not to something above it. */
export type MayBeNotified = (caller: Caller, uri: string, named: boolean) => Promise<boolean>

/** A notice as this caller may be told it; null: it is not for it. */
export type NamedFor = (caller: Caller, notice: Notice) => Notice | null

/**
 * `users`: the principals whose requests went over connections that these listeners may share. `tellsOf`: whether clients were told that they
 * would hear of this list.
 */
export function createNoticeListeners(
  levels: LogLevels,
  users: ReadonlySet<string>,
  mayHear: MayBeNotified,
  tellsOf: (list: string) => boolean = () => true,
  named: NamedFor = (_, notice) => notice,
  log: (words: string) => void = () => {},
): NoticeListeners {
  const all = new Set<RegisteredListener>()
  const subscriptions = createSubscriptions()
  const arrivals = new Set<() => void>()

  const isFor = ({ caller, listener }: RegisteredListener, notice: Notice, isOnePrincipals: boolean): boolean => {
    const list = lists.get(notice.method)
    if (list !== undefined)
      return tellsOf(list) && (listener.wants === undefined || hasList(listener.wants.lists, list))
    if (listener.wants !== undefined || !isOnePrincipals) return false
    return notice.method !== "notifications/message" || isLoudEnough(notice, levels.of(caller.conversation))
  }
  // Notices of resources below a subscribed one are passed on too, but only to clients that may know their names.
  const wantedFor = (caller: Caller, listener: NoticeListener, { params }: Notice): "named" | "below" | null =>
    subscriptions.match(textAt(params, "uri") ?? "", listener.wants === undefined ? caller.conversation : listener)
  const judged = async (caller: Caller, listener: NoticeListener, notice: Notice): Promise<SeenNotice> => {
    const wanted = wantedFor(caller, listener, notice)
    if (wanted === null) return null
    const may = await mayHear(caller, textAt(notice.params, "uri") ?? "", wanted === "named")
    return may ? named(caller, notice) : null
  }
  const register = (caller: Caller, listener: NoticeListener): RegisteredListener => {
    const tell = (notice: Notice): void => {
      if (all.has(registered)) listener.notify(notice)
    }
    const look = (notice: Notice): Promise<SeenNotice> => judged(caller, listener, notice)
    const registered = { caller, listener, waiting: createWaitingNotices({ passes: () => false, look, tell, log }) }
    return registered
  }
  return {
    add: (caller, listener) => {
      const registered = register(caller, listener)
      all.add(registered)
      for (const uri of listener.wants?.resources ?? none) subscriptions.add({ uri, caller, holder: listener })
      for (const wake of arrivals) wake()
      return () => {
        all.delete(registered)
        registered.waiting.forget()
        subscriptions.forget(listener)
      }
    },
    hear: (notice) => {
      const isOnes = isOnePrincipals(all, users)
      for (const registered of all) {
        const { caller, listener, waiting } = registered
        if (resourceNotices.has(notice.method)) {
          if (wantedFor(caller, listener, notice) !== null) waiting.add(notice)
        } else if (isFor(registered, notice, isOnes)) {
          const told = named(caller, notice)
          if (told !== null) listener.notify(told)
        }
      }
    },
    inquire: async (ask) => {
      if (all.size === 0) await arrival(arrivals)
      const [first] = all
      return first === undefined ? nobody : first.listener.inquire(ask)
    },
    isAskable: () => Array.from(all).some(({ listener }) => listener.wants === undefined),
    subscriptions,
    endRefused: async () => {
      const held = subscriptions.held()
      const heard = await Promise.all(held.map(({ uri, caller }) => mayHear(caller, uri, true)))
      const refused = held.filter((_, at) => heard[at] === false)
      for (const { uri, holder } of refused) subscriptions.drop(uri, holder)
      return refused.map(({ uri }) => uri)
    },
    wants: () => wantsOf(all, subscriptions),
    size: () => all.size,
  }
}

const nobody: Reply = { kind: "error", error: { code: -32603, message: "The client is not there to be asked." } }

function hasList(wanted: ReadonlySet<string>, list: string): boolean {
  return wanted.has(list)
}

function isOnePrincipals(all: ReadonlySet<RegisteredListener>, users: ReadonlySet<string>): boolean {
  if (users.size > 1) return false
  let [one] = users
  for (const { caller } of all) {
    one ??= caller.principal.id
    if (one !== caller.principal.id) return false
  }
  return true
}

function wantsOf(all: ReadonlySet<RegisteredListener>, subscriptions: ResourceSubscriptions): WantedNotices {
  // The list of tools is always ours to watch: what is called must be what was seen.
  const wantedLists = new Set(["tools"])
  for (const { listener } of all) {
    for (const list of listener.wants?.lists ?? lists.values()) wantedLists.add(list)
  }
  return { lists: wantedLists, resources: subscriptions.all() }
}

/** Resolves when somebody comes, or nobody does in time. */
function arrival(arrivals: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      arrivals.delete(wake)
      resolve()
    }
    const timer = setTimeout(wake, patienceMs).unref()
    arrivals.add(wake)
  })
}
