/** What waits, by whose it is. Each has a turn before anybody's second; what one of them has waiting goes in its order, behind what goes first. */
export type Rounds<Entry> = {
  readonly add: (name: string, entry: Entry, goesFirst?: boolean) => void
  /** The next one, which waits no longer. */
  readonly take: () => Entry | undefined
  /** False: it does not wait. */
  readonly remove: (name: string, entry: Entry) => boolean
}

type Own<Entry> = { readonly first: Set<Entry>; readonly others: Set<Entry> }

export function createRounds<Entry>(): Rounds<Entry> {
  /** The first one is next. */
  const waiting = new Map<string, Own<Entry>>()
  return {
    add: (name, entry, goesFirst = false) => {
      const own = waiting.get(name) ?? { first: new Set(), others: new Set() }
      waiting.set(name, own)
      own[goesFirst ? "first" : "others"].add(entry)
    },
    take: () => {
      for (const [name, { first, others }] of waiting) {
        // Behind everybody else, with what it has left.
        waiting.delete(name)
        for (const entries of [first, others]) {
          for (const entry of entries) {
            entries.delete(entry)
            if (first.size + others.size > 0) waiting.set(name, { first, others })
            return entry
          }
        }
      }
      return undefined
    },
    remove: (name, entry) => {
      const own = waiting.get(name)
      if (own === undefined || !(own.first.delete(entry) || own.others.delete(entry))) return false
      if (own.first.size + own.others.size === 0) waiting.delete(name)
      return true
    },
  }
}
