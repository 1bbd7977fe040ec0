/** How many callers are inside; a number, not a list, since a hundred thousand may be. */
export type Occupancy = {
  readonly enter: () => void
  readonly leave: () => void
  /** Resolves once nobody is inside. */
  readonly empty: () => Promise<void>
}

export function createOccupancy(): Occupancy {
  let inside = 0
  const leaving: Array<() => void> = []
  return {
    enter: () => {
      inside += 1
    },
    leave: () => {
      inside -= 1
      if (inside === 0) for (const resolve of leaving.splice(0)) resolve()
    },
    empty: () => (inside === 0 ? Promise.resolve() : new Promise((resolve) => leaving.push(resolve))),
  }
}
