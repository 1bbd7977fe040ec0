/** Ids begin with the time, so those of one minute begin alike: people get, and may write, the end as well as the beginning. */
const shortest = 6

/** The shortest end of an id that no other of these ids ends with. */
export function shortId(id: string, among: readonly string[]): string {
  for (let length = shortest; length < id.length; length++) {
    const end = id.slice(-length)
    if (!end.startsWith("-") && among.every((other) => other === id || !other.endsWith(end))) return end
  }
  return id
}

export type Found<Item> = { readonly ok: true; readonly item: Item } | { readonly ok: false; readonly error: string }

/** The one item whose id is, begins with, or ends with the written text. */
export function findById<Item extends { readonly id: string }>(
  items: readonly Item[],
  written: string,
  what: string,
): Found<Item> {
  const word = written.toLowerCase()
  const exact = items.find(({ id }) => id === word)
  if (exact !== undefined) return { ok: true, item: exact }
  if (word.length < 3)
    return { ok: false, error: `"${written}" is too short: enter at least three characters of the ID.` }
  const found = items.filter(({ id }) => id.startsWith(word) || id.endsWith(word))
  const [item, ...others] = found
  if (item === undefined) return { ok: false, error: `No ${what} has an ID that starts or ends with "${written}".` }
  if (others.length > 0) {
    const ids = found.slice(0, 5).map(({ id }) => id)
    const more = found.length > ids.length ? ` and ${found.length - ids.length} more` : ""
    return {
      ok: false,
      error: `${found.length} IDs start or end with "${written}". Enter more of the one you mean: ${ids.join(", ")}${more}`,
    }
  }
  return { ok: true, item }
}
