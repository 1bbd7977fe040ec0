/**
 * All calls that wait, as a list needs them. Which ones wait is folded from events; what they are is read in pages, newest first, and by id as they
 * come. What is read and what is told arrive in any order.
 *
 * I1. A call that was told to be settled is never put back by what was read before.
 */
import type { ApprovalSummaryView, EventView, InboxState } from "@byleave/api"
import { applyEvent, emptyInbox, riskLevelOf } from "@byleave/api/page"

/** A waiting call as the list holds it: without its arguments, which only the open card shows. */
export type WaitingCall = ApprovalSummaryView

type Page = { readonly items: readonly WaitingCall[]; readonly next: string | null }

export type TableReader = {
  /** Waiting calls, newest first. */
  readonly page: (after: string | null, limit?: number) => Promise<Page>
  /** Null when there is no such call. */
  readonly one: (id: string) => Promise<WaitingCall | null>
}

export type TableView = {
  readonly loading: "first" | "more" | "done" | "failed"
  /** Those whose details are here, oldest first. */
  readonly calls: readonly WaitingCall[]
  /** All that wait, as far as is known. */
  readonly count: number
}

/** The calls that came and went, for whoever announces them. */
export type TableChange = {
  readonly arrived: readonly WaitingCall[]
  /** Gone without anybody's answer: their time was over, or their tool had changed. */
  readonly expired: readonly WaitingCall[]
  readonly superseded: readonly WaitingCall[]
}

export const nothingYet: TableView = { loading: "first", calls: [], count: 0 }

export type WaitingTable = {
  readonly view: () => TableView
  readonly onNews: (listener: (news: TableChange) => void) => () => void
  readonly open: (seq: number) => Promise<void>
  /** Reads on where reading failed. */
  readonly resume: () => Promise<void>
  readonly apply: (events: readonly EventView[]) => Promise<void>
}

/** `onView` is given what to show, each time that changes. */
export function createWaitingTable(reader: TableReader, onView: (view: TableView) => void = () => {}): WaitingTable {
  const hearers = new Set<(news: TableChange) => void>()
  const known = new Map<string, WaitingCall>()
  /** Settled while something was being read. */
  const gone = new Set<string>()
  const wanted = new Set<string>()
  let fold: InboxState = emptyInbox(0)
  let view = nothingYet
  let turn = 0
  let inFlight = 0

  const show = (loading: TableView["loading"] = view.loading): void => {
    const calls = fold.waiting.flatMap((id) => known.get(id) ?? [])
    view = { loading, calls, count: fold.waiting.length }
    onView(view)
  }

  /** Pages come newest first, so theirs go before what is listed; what arrives goes behind it. */
  const add = (items: readonly WaitingCall[], where: "before" | "behind"): void => {
    const fresh = items.filter(({ id, status }) => status === "pending" && !gone.has(id))
    const unknown = fresh.map(({ id }) => id).filter((id) => !known.has(id))
    for (const item of fresh) known.set(item.id, item)
    if (unknown.length === 0) return
    const listed = new Set(fold.waiting)
    const unlisted = unknown.filter((id) => !listed.has(id))
    if (unlisted.length === 0) return
    const waiting = where === "before" ? [...unlisted.reverse(), ...fold.waiting] : [...fold.waiting, ...unlisted]
    fold = { ...fold, waiting }
  }

  const reading = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    inFlight++
    try {
      return await work()
    } finally {
      if (--inFlight === 0) gone.clear()
    }
  }

  const readPages = async (mine: number): Promise<void> => {
    let after: string | null = null
    do {
      const page = await reader.page(after)
      if (mine !== turn) return
      add(page.items, "before")
      after = page.next
      show(after === null ? "done" : "more")
    } while (after !== null)
  }

  const readWanted = async (): Promise<readonly WaitingCall[]> => {
    const ids = [...wanted]
    wanted.clear()
    if (ids.length === 0) return []
    const mine = turn
    const areNew = ids.every((id) => !known.has(id))
    const read = await (areNew ? readNewest(reader, ids) : readEach(reader, ids))
    if (mine !== turn) return []
    const arrived = read.filter(({ id }) => !known.has(id))
    add(read, "behind")
    show()
    return arrived.flatMap(({ id }) => known.get(id) ?? [])
  }

  const forget = (event: EventView): readonly WaitingCall[] => {
    const call = known.get(event.subject)
    known.delete(event.subject)
    wanted.delete(event.subject)
    if (inFlight > 0) gone.add(event.subject)
    return call === undefined ? [] : [call]
  }

  const open = async (seq: number): Promise<void> => {
    const mine = ++turn
    known.clear()
    wanted.clear()
    fold = emptyInbox(seq)
    try {
      await reading(() => readPages(mine))
    } catch {
      if (mine === turn) show("failed")
    }
  }

  return {
    view: () => view,
    onNews: (hearer) => {
      hearers.add(hearer)
      return () => hearers.delete(hearer)
    },
    open,
    resume: async () => {
      if (view.loading === "failed") return open(fold.seq)
      for (const id of fold.waiting) if (!known.has(id) && view.loading === "done") wanted.add(id)
      await reading(readWanted)
    },
    apply: async (events) => {
      const lost = new Map<EventView["type"], WaitingCall[]>([
        ["approval.expired", []],
        ["approval.superseded", []],
      ])
      const before = fold.waiting
      for (const event of events) {
        // Only who waits is of use here: what was read before goes stale by other means.
        fold = { ...applyEvent(fold, event), versions: none }
        const isOpen = event.type === "approval.pending" || event.type === "approval.changed"
        const waits = isOpen && (known.has(event.subject) || fold.waiting.includes(event.subject))
        if (waits) wanted.add(event.subject)
        else if (!isOpen && event.type.startsWith("approval.")) {
          const gone = forget(event)
          if (event.type === "approval.approved") for (const call of gone) makeKnown(known, call)
          lost.get(event.type)?.push(...gone)
        }
      }
      if (fold.waiting !== before) show()
      const arrived = await reading(readWanted)
      const expired = lost.get("approval.expired") ?? []
      const superseded = lost.get("approval.superseded") ?? []
      if (arrived.length + expired.length + superseded.length === 0) return
      for (const hear of hearers) hear({ arrived, expired, superseded })
    },
  }
}

const none: ReadonlyMap<string, number> = new Map()

/** Once a call of a tool is approved, others of it are no first use any more; of other agents, they are still that agent's first. */
function makeKnown(known: Map<string, WaitingCall>, { tool, principal }: WaitingCall): void {
  for (const [id, call] of known) {
    if (call.tool.server !== tool.server || call.tool.tool !== tool.tool || call.risks === null) continue
    const others = call.risks.kinds.filter((kind) => kind !== "first-use" && kind !== "first-use-by-agent")
    if (others.length === call.risks.kinds.length) continue
    const isOwn = call.principal.id === principal.id
    const kinds = isOwn ? others : (["first-use-by-agent", ...others] as const)
    const risks = { count: isOwn ? call.risks.count - 1 : call.risks.count, kinds }
    known.set(id, { ...call, risks, riskLevel: riskLevelOf({ risks, pin: call.pin }) })
  }
}

const atOnce = 8

async function readEach(reader: TableReader, ids: readonly string[]): Promise<readonly WaitingCall[]> {
  const found: WaitingCall[] = []
  for (let at = 0; at < ids.length; at += atOnce) {
    // One that cannot be read now is read when the connection comes back.
    const some = await Promise.all(ids.slice(at, at + atOnce).map((id) => reader.one(id).catch(() => null)))
    found.push(...some.flatMap((call) => call ?? []))
  }
  return found
}

/** A call that has just come is on the newest pages, unless it is settled already. */
async function readNewest(reader: TableReader, ids: readonly string[]): Promise<readonly WaitingCall[]> {
  const missing = new Set(ids)
  const found: WaitingCall[] = []
  let after: string | null = null
  do {
    const page: Page = await reader.page(after, Math.min(2 * missing.size + 8, 100)).catch(() => nothing)
    const here = page.items.filter(({ id }) => missing.delete(id))
    found.push(...here)
    after = here.length === 0 ? null : page.next
  } while (after !== null && missing.size > 0)
  return [...found.reverse(), ...(await readEach(reader, [...missing]))]
}

const nothing: Page = { items: [], next: null }
