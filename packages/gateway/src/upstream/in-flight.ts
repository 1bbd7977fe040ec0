/**
 * Requests in flight, by ids of ours. A `Map` would do the same, but each time it makes room it leaves a table behind that holds what was
 * in flight then and leads to the next table; the collector that clears up after each call cannot tell that nobody needs them.
 *
 * An id says which place its request has, and which of all that had this place it is: no two requests have the same one.
 */
export type InFlight<T> = {
  /** A place for a request, and its id. */
  readonly next: () => number
  readonly put: (id: number, request: T) => void
  readonly get: (id: number) => T | undefined
  /** Gives it and its place free. */
  readonly take: (id: number) => T | undefined
  readonly size: () => number
  /** The oldest first. */
  readonly ids: () => readonly number[]
}

/** More than can be in flight at once. */
const places = 2 ** 20

/** Which place an id has: one for as long as its request is in flight. */
export function placeOf(id: number): number {
  return id % places
}

export function createInFlight<T extends object>(): InFlight<T> {
  const requests: Array<{ id: number; request: T | null }> = []
  const free: number[] = []
  let begun = 0
  let size = 0
  const find = (id: number): { id: number; request: T | null } | undefined => {
    const found = requests[placeOf(id)]
    return found?.id === id ? found : undefined
  }
  return {
    next: () => {
      const place = free.pop() ?? requests.push({ id: 0, request: null }) - 1
      const id = ++begun * places + place
      const entry = requests[place]
      if (entry !== undefined) entry.id = id
      return id
    },
    put: (id, request) => {
      const entry = find(id)
      if (entry === undefined || entry.request !== null) throw new Error("This id is not for a new request.")
      entry.request = request
      size++
    },
    get: (id) => find(id)?.request ?? undefined,
    take: (id) => {
      const entry = find(id)
      const request = entry?.request
      if (entry === undefined || request === null || request === undefined) return undefined
      entry.request = null
      entry.id = 0
      free.push(placeOf(id))
      size--
      return request
    },
    size: () => size,
    ids: () =>
      requests
        .filter(({ request }) => request !== null)
        .map(({ id }) => id)
        .sort((a, b) => a - b),
  }
}
