import type { Store } from "./store.ts"

/** Rings whenever something happens to one approval, at whichever process; remembers a ring nobody was waiting for. */
export type Bell = { readonly rung: () => Promise<void>; readonly stop: () => void }

export type Waiters = { readonly bell: (approval: string) => Bell; readonly close: () => void }

type Hanging = { ring: () => void }

/** Wakes the callers held in this process. They are told only that something changed; each reads the truth itself. */
export function createWaiters(store: Pick<Store, "subscribe">): Waiters {
  const hanging = new Map<string, Set<Hanging>>()
  const stop = store.subscribe((event) => {
    if (!event.type.startsWith("approval.")) return
    for (const bell of hanging.get(event.subject) ?? []) bell.ring()
  })
  return {
    bell: (approval) => hangBell(hanging, approval),
    close: () => {
      stop()
      for (const bells of hanging.values()) for (const bell of bells) bell.ring()
    },
  }
}

function hangBell(hanging: Map<string, Set<Hanging>>, approval: string): Bell {
  let missed = false
  let wake: (() => void) | null = null
  const bell: Hanging = {
    ring: () => {
      if (wake === null) missed = true
      else wake()
      wake = null
    },
  }
  const bells = hanging.get(approval) ?? new Set<Hanging>()
  hanging.set(approval, bells.add(bell))
  return {
    rung: () => {
      if (!missed) {
        return new Promise((resolve) => {
          wake = resolve
        })
      }
      missed = false
      return Promise.resolve()
    },
    stop: () => {
      bells.delete(bell)
      if (bells.size === 0) hanging.delete(approval)
    },
  }
}
