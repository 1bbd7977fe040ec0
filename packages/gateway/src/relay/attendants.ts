/**
 * Who hears what a server says outside any request: list changes, updates of resources somebody subscribed to, log lines where all that
 * listen and all that ever asked anything over the connection are one principal.
 *
 * I1. Log lines of a connection that two principals share reach neither.
 * I2. Nobody hears of a resource that policy keeps from them, though they subscribed to what lies above it.
 * I3. A subscription ends when policy keeps its resource from whoever subscribed: no server is told of it again.
 */
import type { Caller } from "../wire/caller.ts"
import type { Attendance } from "../wire/exchange.ts"
import { textAt } from "../wire/members.ts"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import { isLoudEnough, type LogLevels } from "./log-levels.ts"

export type Wants = { readonly lists: ReadonlySet<string>; readonly resources: ReadonlySet<string> }

export type Attendants = {
  readonly add: (caller: Caller, attendance: Attendance) => () => void
  readonly hear: (notice: Notice) => void
  /** Asks the client this connection belongs to, once it listens. */
  readonly inquire: (ask: Ask) => Promise<Reply>
  readonly subscribe: (uri: string, caller: Caller) => void
  /** True when nobody is left who subscribed to it. */
  readonly unsubscribe: (uri: string, conversation: string) => boolean
  /** How many resources this conversation has subscribed to. */
  readonly subscriptionsOf: (conversation: string) => number
  readonly forget: (conversation: string) => readonly string[]
  /** Ends subscriptions to what policy keeps from those who subscribed by now; true when there was one. */
  readonly endRefused: () => Promise<boolean>
  readonly wants: () => Wants
  readonly size: () => number
}

type Attendant = { readonly caller: Caller; readonly attendance: Attendance }

const lists = new Map([
  ["notifications/tools/list_changed", "tools"],
  ["notifications/prompts/list_changed", "prompts"],
  ["notifications/resources/list_changed", "resources"],
])
const patienceMs = 10_000

/** Whether policy lets a caller hear of a resource; `named`: it subscribed to this very one, and not to something above it. */
export type MayHear = (caller: Caller, uri: string, named: boolean) => Promise<boolean>

/** A notice as this caller may be told it; null: it is not for it. */
export type NamedFor = (caller: Caller, notice: Notice) => Notice | null

/**
 * `users`: the principals whose requests went over connections that these attendants may share. `tellsOf`: whether clients were told that they
 * would hear of this list.
 */
export function createAttendants(
  levels: LogLevels,
  users: ReadonlySet<string>,
  mayHear: MayHear,
  tellsOf: (list: string) => boolean = () => true,
  named: NamedFor = (_, notice) => notice,
): Attendants {
  const all = new Set<Attendant>()
  /** By resource and conversation. */
  const subscribers = new Map<string, Map<string, Caller>>()
  let arrivals: Array<() => void> = []

  const isFor = ({ caller, attendance }: Attendant, notice: Notice): boolean => {
    const list = lists.get(notice.method)
    if (list !== undefined)
      return tellsOf(list) && (attendance.wants === undefined || hasList(attendance.wants.lists, list))
    if (attendance.wants !== undefined || !isOnePrincipals(all, users)) return false
    return notice.method !== "notifications/message" || isLoudEnough(notice, levels.of(caller.conversation))
  }
  const wantedBy = ({ caller, attendance }: Attendant): readonly string[] =>
    attendance.wants === undefined
      ? [...subscribers].filter(([, who]) => who.has(caller.conversation)).map(([uri]) => uri)
      : [...attendance.wants.resources]
  // What lies below something a client subscribed to is told, too; but its name is for those alone who may know it.
  const tellUpdate = async (attendant: Attendant, notice: Notice): Promise<void> => {
    const uri = textAt(notice.params, "uri") ?? ""
    const wanted = wantedBy(attendant).filter((above) => above !== "" && uri.startsWith(above))
    if (wanted.length === 0 || !(await mayHear(attendant.caller, uri, wanted.includes(uri)))) return
    if (all.has(attendant)) attendant.attendance.notify(notice)
  }
  const unsubscribe = (uri: string, conversation: string): boolean => {
    const who = subscribers.get(uri)
    who?.delete(conversation)
    if (who === undefined || who.size > 0) return false
    subscribers.delete(uri)
    return true
  }
  return {
    add: (caller, attendance) => {
      const attendant = { caller, attendance }
      all.add(attendant)
      const woken = arrivals
      arrivals = []
      for (const wake of woken) wake()
      return () => all.delete(attendant)
    },
    hear: (notice) => {
      for (const attendant of all) {
        if (notice.method === "notifications/resources/updated") tellUpdate(attendant, notice).catch(() => {})
        else if (isFor(attendant, notice)) {
          const told = named(attendant.caller, notice)
          if (told !== null) attendant.attendance.notify(told)
        }
      }
    },
    inquire: async (ask) => {
      if (all.size === 0) await arrival((wake) => arrivals.push(wake))
      const [first] = all
      return first === undefined ? nobody : first.attendance.inquire(ask)
    },
    subscribe: (uri, caller) => {
      subscribers.set(uri, (subscribers.get(uri) ?? new Map()).set(caller.conversation, caller))
    },
    unsubscribe,
    subscriptionsOf: (conversation) => [...subscribers.values()].filter((who) => who.has(conversation)).length,
    forget: (conversation) => [...subscribers.keys()].filter((uri) => unsubscribe(uri, conversation)),
    endRefused: async () => {
      const held = [...subscribers].flatMap(([uri, who]) => Array.from(who.values(), (caller) => ({ uri, caller })))
      const heard = await Promise.all(held.map(({ uri, caller }) => mayHear(caller, uri, true)))
      const refused = held.filter((_, at) => heard[at] === false)
      for (const { uri, caller } of refused) unsubscribe(uri, caller.conversation)
      return refused.length > 0
    },
    wants: () => wantsOf(all, subscribers),
    size: () => all.size,
  }
}

const nobody: Reply = { kind: "error", error: { code: -32603, message: "The client is not there to be asked." } }

function hasList(wanted: ReadonlySet<string>, list: string): boolean {
  return wanted.has(list)
}

function isOnePrincipals(all: ReadonlySet<Attendant>, users: ReadonlySet<string>): boolean {
  return new Set([...users, ...Array.from(all, ({ caller }) => caller.principal.id)]).size <= 1
}

function wantsOf(all: ReadonlySet<Attendant>, subscribers: ReadonlyMap<string, unknown>): Wants {
  // The list of tools is always ours to watch: what is called must be what was seen.
  const wantedLists = new Set(["tools"])
  const resources = new Set(subscribers.keys())
  for (const { attendance } of all) {
    for (const list of attendance.wants?.lists ?? lists.values()) wantedLists.add(list)
  }
  return { lists: wantedLists, resources }
}

function arrival(wait: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs)
    timer.unref()
    wait(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
