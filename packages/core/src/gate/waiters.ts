import type { Store } from "./store.ts"

/** Rings whenever something happens to one approval, at whichever process; remembers a ring nobody was waiting for. */
export type Bell = { readonly rung: () => Promise<void>; readonly stop: () => void }

export type Waiters = {
  readonly bell: (approval: string) => Bell
  readonly isWaitedFor: (approval: string) => boolean
  readonly close: () => void
}

/** Wakes the callers held in this process. They are told only that something changed; each reads the truth itself. */
export function createWaiters(store: Pick<Store, "subscribe">): Waiters {
  const hanging = new Map<string, HangingBell[]>()
  const stop = store.subscribe((event) => {
    if (!event.type.startsWith("approval.")) return
    for (const bell of hanging.get(event.subject) ?? []) bell.ring()
  })
  return {
    bell: (approval) => {
      const bell = new HangingBell(hanging, approval)
      hanging.set(approval, [...(hanging.get(approval) ?? []), bell])
      return bell
    },
    isWaitedFor: (approval) => hanging.has(approval),
    close: () => {
      stop()
      for (const bells of hanging.values()) for (const bell of bells) bell.ring()
    },
  }
}

/** A class for its size only: a hundred thousand of these may hang, and closures would weigh five times as much. */
class HangingBell implements Bell {
  private missed = false
  private wake: (() => void) | null = null
  private readonly hanging: Map<string, HangingBell[]>
  private readonly approval: string

  constructor(hanging: Map<string, HangingBell[]>, approval: string) {
    this.hanging = hanging
    this.approval = approval
  }

  ring(): void {
    if (this.wake === null) this.missed = true
    else this.wake()
    this.wake = null
  }

  rung(): Promise<void> {
    if (!this.missed) {
      return new Promise((resolve) => {
        this.wake = resolve
      })
    }
    this.missed = false
    return Promise.resolve()
  }

  stop(): void {
    const left = (this.hanging.get(this.approval) ?? []).filter((bell) => bell !== this)
    if (left.length === 0) this.hanging.delete(this.approval)
    else this.hanging.set(this.approval, left)
  }
}
