export type StreamCounter = {
  /** Counts one more stream of the caller. Null: it has as many as it may; otherwise how to count it no more. */
  readonly enter: (caller: string) => (() => void) | null
}

/** Counts the streams that each caller has open: an unread one takes memory. */
export function createStreamCounter(most: number): StreamCounter {
  const open = new Map<string, number>()
  return {
    enter: (caller) => {
      const now = open.get(caller) ?? 0
      if (now >= most) return null
      open.set(caller, now + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = (open.get(caller) ?? 1) - 1
        if (left === 0) open.delete(caller)
        else open.set(caller, left)
      }
    },
  }
}
