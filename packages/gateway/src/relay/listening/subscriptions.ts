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
  readonly of: (holder: Holder) => Iterable<string>
  readonly has: (uri: string) => boolean
  /** Each resource once. */
  readonly all: () => ReadonlySet<string>
  readonly held: () => readonly HeldSubscription[]
  /** How much the legacy conversations of a principal hold, each resource by its weight. */
  readonly inConversations: (principal: string) => number
}

/** By resource, who it is for. */
type Kept = Map<string, Caller>

export function createSubscriptions(): ResourceSubscriptions {
  const byHolder = new Map<Holder, Kept>()
  const holders = new Map<string, number>()
  const inConversations = new Map<string, number>()
  const weigh = (uri: string, holder: Holder, caller: Caller, sign: 1 | -1): void => {
    if (typeof holder === "string") bump(inConversations, caller.principal.id, sign * weightOf(uri))
  }
  const drop = (uri: string, holder: Holder): void => {
    const kept = byHolder.get(holder)
    const caller = kept?.get(uri)
    if (kept === undefined || caller === undefined) return
    kept.delete(uri)
    bump(holders, uri, -1)
    weigh(uri, holder, caller, -1)
    if (kept.size === 0) byHolder.delete(holder)
  }
  return {
    add: ({ uri, caller, holder }) => {
      const kept = byHolder.get(holder) ?? new Map<string, Caller>()
      byHolder.set(holder, kept)
      const isNew = !kept.has(uri)
      kept.set(uri, caller)
      if (!isNew) return
      bump(holders, uri, 1)
      weigh(uri, holder, caller, 1)
    },
    drop,
    forget: (holder) => {
      const uris = new Set(byHolder.get(holder)?.keys())
      for (const uri of uris) drop(uri, holder)
      return uris
    },
    of: (holder) => byHolder.get(holder)?.keys() ?? [],
    has: (uri) => holders.has(uri),
    all: () => new Set(holders.keys()),
    held: () =>
      [...byHolder].flatMap(([holder, kept]) => Array.from(kept, ([uri, caller]) => ({ uri, caller, holder }))),
    inConversations: (principal) => inConversations.get(principal) ?? 0,
  }
}

function bump(counts: Map<string, number>, key: string, more: number): void {
  const now = (counts.get(key) ?? 0) + more
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}
