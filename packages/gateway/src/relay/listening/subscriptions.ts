/** Which resources are subscribed to over one connection, and by whom. A step costs as much as what it changes, however much others hold. */
import type { Caller } from "../../wire/caller.ts"

/** A legacy conversation, by its name, or one listening request. */
export type Holder = string | object

/** All names together are told to modern servers with each change: a long one counts as several. */
export function weightOf(uri: string): number {
  return Math.max(1, Math.ceil(uri.length / 512))
}

export type HeldSubscription = { readonly uri: string; readonly caller: Caller; readonly holder: Holder }

export type ResourceSubscriptions = {
  readonly add: (held: HeldSubscription) => void
  readonly drop: (uri: string, holder: Holder) => void
  /** Gives the resources that it held. */
  readonly forget: (holder: Holder) => ReadonlySet<string>
  /** Whether it holds this resource itself, or one that lies above it; null: neither. */
  readonly match: (uri: string, holder: Holder) => "named" | "below" | null
  readonly has: (uri: string) => boolean
  /** Each resource once. */
  readonly all: () => ReadonlySet<string>
  readonly held: () => readonly HeldSubscription[]
  /** How much the legacy conversations of a principal hold, each resource by its weight. */
  readonly inConversations: (principal: string) => number
}

/** `callers`: by resource, who it is for. `tops`: those that lie below no other, in their order; null: to be found anew. */
type Kept = { readonly callers: Map<string, Caller>; tops: readonly string[] | null }

export function createSubscriptions(): ResourceSubscriptions {
  const byHolder = new Map<Holder, Kept>()
  const holders = new Map<string, number>()
  const inConversations = new Map<string, number>()
  const weigh = (uri: string, holder: Holder, caller: Caller, sign: 1 | -1): void => {
    if (typeof holder === "string") bump(inConversations, caller.principal.id, sign * weightOf(uri))
  }
  const drop = (uri: string, holder: Holder): void => {
    const kept = byHolder.get(holder)
    const caller = kept?.callers.get(uri)
    if (kept === undefined || caller === undefined) return
    kept.callers.delete(uri)
    kept.tops = null
    bump(holders, uri, -1)
    weigh(uri, holder, caller, -1)
    if (kept.callers.size === 0) byHolder.delete(holder)
  }
  return {
    add: ({ uri, caller, holder }) => {
      const kept: Kept = byHolder.get(holder) ?? { callers: new Map(), tops: null }
      byHolder.set(holder, kept)
      const isNew = !kept.callers.has(uri)
      kept.callers.set(uri, caller)
      if (!isNew) return
      kept.tops = null
      bump(holders, uri, 1)
      weigh(uri, holder, caller, 1)
    },
    drop,
    forget: (holder) => {
      const uris = new Set(byHolder.get(holder)?.callers.keys())
      for (const uri of uris) drop(uri, holder)
      return uris
    },
    match: (uri, holder) => {
      const kept = byHolder.get(holder)
      if (kept === undefined || uri === "") return null
      if (kept.callers.has(uri)) return "named"
      kept.tops ??= topsOf(kept.callers.keys())
      const above = lastUpTo(kept.tops, uri)
      return above !== undefined && uri.startsWith(above) ? "below" : null
    },
    has: (uri) => holders.has(uri),
    all: () => new Set(holders.keys()),
    held: () =>
      [...byHolder].flatMap(([holder, kept]) => Array.from(kept.callers, ([uri, caller]) => ({ uri, caller, holder }))),
    inConversations: (principal) => inConversations.get(principal) ?? 0,
  }
}

/** In order, each stands right before what lies below it. Nothing lies below the empty name. */
function topsOf(uris: Iterable<string>): readonly string[] {
  const tops: string[] = []
  for (const uri of Array.from(uris).sort()) {
    const above = tops.at(-1)
    if (uri !== "" && (above === undefined || !uri.startsWith(above))) tops.push(uri)
  }
  return tops
}

/** The last one in order that does not come after the name: no other of these can be a beginning of it. */
function lastUpTo(tops: readonly string[], uri: string): string | undefined {
  let from = 0
  let to = tops.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((tops[middle] ?? "") <= uri) from = middle + 1
    else to = middle
  }
  return tops[from - 1]
}

function bump(counts: Map<string, number>, key: string, more: number): void {
  const now = (counts.get(key) ?? 0) + more
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}
