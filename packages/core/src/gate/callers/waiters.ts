import type { Store } from "../store.ts"

/** Rings whenever something happens to one approval, at whichever process; remembers a ring nobody was waiting for. */
export type ChangeSignal = { readonly ring: () => void; readonly rung: () => Promise<void>; readonly stop: () => void }

/** For what fails before anyone waits. */
export function stopping(bell: ChangeSignal): (error: unknown) => never {
  return (error) => {
    bell.stop()
    throw error
  }
}

export type Waiters = {
  readonly bell: (approval: string) => ChangeSignal
  readonly isWaitedFor: (approval: string) => boolean
  readonly close: () => void
}

/** Wakes the callers held in this process. They are told only that something changed; each reads the truth itself. */
export function createWaiters(store: Pick<Store, "subscribe">): Waiters {
  const hanging = new Map<string, HangingBell>()
  const stop = store.subscribe((event) => {
    // That a call began to wait is news to everyone but those who wait for it.
    if (event.type.startsWith("approval.") && event.type !== "approval.pending") ringAll(hanging.get(event.subject))
  })
  return {
    bell: (approval) => {
      const bell = new HangingBell(hanging, approval)
      hanging.set(approval, bell)
      return bell
    },
    isWaitedFor: (approval) => hanging.has(approval),
    close: () => {
      stop()
      for (const bell of hanging.values()) ringAll(bell)
    },
  }
}

function ringAll(first: HangingBell | undefined): void {
  for (let bell = first; bell !== undefined; bell = bell.next) bell.ring()
}

/** A class, and linked to the others of its approval, for its size: a hundred thousand of these may hang. */
class HangingBell implements ChangeSignal {
  next: HangingBell | undefined
  private missed = false
  private wake: (() => void) | null = null
  private readonly hanging: Map<string, HangingBell>
  private readonly approval: string

  constructor(hanging: Map<string, HangingBell>, approval: string) {
    this.hanging = hanging
    this.approval = approval
    this.next = hanging.get(approval)
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
    const first = this.hanging.get(this.approval)
    if (first === this) {
      if (this.next === undefined) this.hanging.delete(this.approval)
      else this.hanging.set(this.approval, this.next)
      return
    }
    for (let bell = first; bell !== undefined; bell = bell.next) {
      if (bell.next === this) bell.next = this.next
    }
  }
}
