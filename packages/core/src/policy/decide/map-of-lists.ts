/** The map under this key, made when there is none. */
export function childMap<K, V>(parent: Map<string, Map<K, V>>, key: string): Map<K, V> {
  const known = parent.get(key)
  if (known !== undefined) return known
  const made = new Map<K, V>()
  parent.set(key, made)
  return made
}

/** Adds to the list under this key. */
export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** The items by a text of theirs, in the order in which the texts first occur. */
export function groupedBy<T>(items: readonly T[], textOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) pushTo(groups, textOf(item), item)
  return groups
}
