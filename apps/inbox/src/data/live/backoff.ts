const firstMs = 500
const mostMs = 20_000

/** How long to wait before the next try: longer each time, and never the same for every page at once. `chance` is from 0 to 1. */
export function backoffMs(attempt: number, chance: number): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.max(0, attempt - 1))
  return Math.round(full / 2 + (full / 2) * chance)
}
