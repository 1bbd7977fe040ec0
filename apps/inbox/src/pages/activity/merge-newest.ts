type Merged<Item> = {
  readonly items: readonly Item[]
  /** The newest page no longer reaches the older ones: something between them was never read. */
  readonly hasGap: boolean
}

/**
 * The newest items, read every few seconds, over the pages read before them: what is in both is shown as read last, in the place it has, and
 * nothing is shown twice.
 */
export function mergeNewest<Item>(
  newest: readonly Item[],
  pages: readonly (readonly Item[])[],
  keyOf: (item: Item) => string,
): Merged<Item> {
  const older = pages.flat()
  const known = new Set(older.map(keyOf))
  const hasGap = newest.length > 0 && older.length > 0 && !newest.some((item) => known.has(keyOf(item)))
  const seen = new Set<string>()
  const items = [...newest, ...older].filter((item) => {
    const key = keyOf(item)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  return { items, hasGap }
}

type Day<Item> = { readonly key: string; readonly label: string; readonly items: readonly Item[] }

/** Items by the day they happened on, in their order. `dayOf` says which day that is where the reader lives. */
export function byDay<Item extends { readonly at: number }>(
  items: readonly Item[],
  dayOf: (at: number) => string,
): readonly Day<Item>[] {
  const days: { key: string; label: string; items: Item[] }[] = []
  for (const item of items) {
    const label = dayOf(item.at)
    const last = days.at(-1)
    if (last?.label === label) last.items.push(item)
    else days.push({ key: `${days.length} ${label}`, label, items: [item] })
  }
  return days
}

const day = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" })
const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
})

export function dayInWords(at: number): string {
  return day.format(at)
}

export function clockTime(at: number): string {
  return clock.format(at)
}
