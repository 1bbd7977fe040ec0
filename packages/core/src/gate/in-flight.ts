/** Calls judged as allowed and not recorded yet, per principal: they count for the limits, or a burst would pass together. */
export type InFlight = {
  /** Counts one more; gives what to call once it is recorded, or will not be. */
  readonly takeOff: (principal: string, isWrite: boolean) => () => void
  readonly of: (principal: string) => Flying
}

export type Flying = { readonly calls: number; readonly writes: number }

const none: Flying = { calls: 0, writes: 0 }

export function createInFlight(): InFlight {
  const flying = new Map<string, { calls: number; writes: number }>()
  return {
    takeOff: (principal, isWrite) => {
      const here = flying.get(principal) ?? { calls: 0, writes: 0 }
      flying.set(principal, here)
      here.calls += 1
      if (isWrite) here.writes += 1
      return () => {
        here.calls -= 1
        if (isWrite) here.writes -= 1
        if (here.calls === 0) flying.delete(principal)
      }
    },
    of: (principal) => flying.get(principal) ?? none,
  }
}
