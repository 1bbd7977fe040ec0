export type LegSlots = {
  /** Runs the work once there is a place for it. Undefined: it was told to stop before its turn. */
  readonly whenFree: <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T | undefined>
}

/** At most so many pieces of work at the same time, in the order they came. */
export function createLegSlots(limit: number): LegSlots {
  const waiting = new Set<() => void>()
  let taken = 0
  const turn = async (signal: AbortSignal): Promise<void> => {
    if (taken < limit) {
      taken += 1
      return
    }
    await new Promise<void>((resolve) => {
      const next = (): void => {
        waiting.delete(next)
        signal.removeEventListener("abort", leave)
        taken += 1
        resolve()
      }
      const leave = (): void => {
        waiting.delete(next)
        taken += 1
        resolve()
      }
      waiting.add(next)
      signal.addEventListener("abort", leave, { once: true })
    })
  }
  const free = (): void => {
    taken -= 1
    if (taken >= limit) return
    const [next] = waiting
    next?.()
  }
  return {
    whenFree: async (signal, work) => {
      await turn(signal)
      try {
        return signal.aborted ? undefined : await work()
      } finally {
        free()
      }
    },
  }
}
