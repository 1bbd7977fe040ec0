type Shown = { readonly id: string; readonly status: string }

/** The call to go to after this one: the next on the list that waits, else the last before it; null when none does. */
export function neighbour(shown: readonly Shown[], from: string | null): string | null {
  const waits = ({ id, status }: Shown): boolean => status === "pending" && id !== from
  const here = shown.findIndex(({ id }) => id === from)
  return (shown.slice(here + 1).find(waits) ?? shown.findLast(waits))?.id ?? null
}

/** One step along the list, staying at its ends. */
export function stepped(shown: readonly string[], from: string | null, step: 1 | -1): string | null {
  const here = from === null ? -1 : shown.indexOf(from)
  if (here === -1) return shown[0] ?? null
  return shown[Math.min(shown.length - 1, Math.max(0, here + step))] ?? null
}
