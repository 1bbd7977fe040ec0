/** The call to go to after this one: the next on the list that waits, else the last before it; null when none does. */
export function neighbour(waiting: readonly string[], shown: readonly string[], from: string | null): string | null {
  const others = waiting.filter((id) => id !== from)
  if (from === null) return others[0] ?? null
  const place = new Map(shown.map((id, index) => [id, index]))
  const here = place.get(from) ?? -1
  return others.find((id) => (place.get(id) ?? -1) > here) ?? others.at(-1) ?? null
}

/** One step along the list, staying at its ends. */
export function stepped(shown: readonly string[], from: string | null, step: 1 | -1): string | null {
  const here = from === null ? -1 : shown.indexOf(from)
  if (here === -1) return shown[0] ?? null
  return shown[Math.min(shown.length - 1, Math.max(0, here + step))] ?? null
}
