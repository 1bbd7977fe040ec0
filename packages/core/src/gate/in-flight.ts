/** Calls judged as allowed and not recorded yet, per session: they count for the limits, or a burst would pass together. */
export type InFlight = {
  /** Counts one more; gives what to call once it is recorded, or will not be. */
  readonly takeOff: (session: string, isWrite: boolean) => () => void
  readonly of: (session: string) => Flying
}

export type Flying = { readonly calls: number; readonly writes: number }

const none: Flying = { calls: 0, writes: 0 }

export function createInFlight(): InFlight {
  const flying = new Map<string, { calls: number; writes: number }>()
  return {
    takeOff: (session, isWrite) => {
      const here = flying.get(session) ?? { calls: 0, writes: 0 }
      flying.set(session, here)
      here.calls += 1
      if (isWrite) here.writes += 1
      return () => {
        here.calls -= 1
        if (isWrite) here.writes -= 1
        if (here.calls === 0) flying.delete(session)
      }
    },
    of: (session) => flying.get(session) ?? none,
  }
}
