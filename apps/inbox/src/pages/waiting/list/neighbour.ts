type Shown = { readonly id: string; readonly status: string }

/** The call to go to after this one: the next on the list that waits, else the last before it; null when none does. */
export function neighbour(shown: readonly Shown[], from: string | null): string | null {
  const waits = ({ id, status }: Shown): boolean => status === "pending" && id !== from
  const here = shown.findIndex(({ id }) => id === from)
  return (shown.slice(here + 1).find(waits) ?? shown.findLast(waits))?.id ?? null
}

type Answered = {
  readonly id: string
  /** The call whose card is open now. */
  readonly openId: string | null
  /** The page somebody is at now: an answer that was given on the way out arrives after they have left. */
  readonly path: string
}

/** The call to open once this one is answered; null for whoever has gone on to another call or another page. */
export function nextToOpen({ id, openId, path }: Answered, shown: readonly Shown[]): string | null {
  return path === "/" && id === openId ? neighbour(shown, id) : null
}

/** One step along the list, staying at its ends. From a call in a folded group it goes to the nearest that is shown; `order` has all of them. */
export function stepped(
  shown: readonly string[],
  from: string | null,
  step: 1 | -1,
  order: readonly string[] = shown,
): string | null {
  const here = from === null ? -1 : shown.indexOf(from)
  if (here !== -1) return shown[Math.min(shown.length - 1, Math.max(0, here + step))] ?? null
  const hidden = from === null ? -1 : order.indexOf(from)
  if (hidden === -1) return shown[0] ?? null
  const isShown = new Set(shown)
  const [after, before] = [order.slice(hidden), order.slice(0, hidden).reverse()]
  const [ahead, behind] = step === 1 ? [after, before] : [before, after]
  return [...ahead, ...behind].find((id) => isShown.has(id)) ?? null
}
