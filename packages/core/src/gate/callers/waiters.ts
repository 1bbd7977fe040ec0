import type { Store } from "../store.ts"

/** Tells whenever something happens to one approval, at whichever process; remembers a change nobody was waiting for. */
export type ChangeSignal = {
  readonly notify: () => void
  readonly changed: () => Promise<void>
  readonly stop: () => void
}

/** For what fails before anyone waits. */
export function stopping(signal: ChangeSignal): (error: unknown) => never {
  return (error) => {
    signal.stop()
    throw error
  }
}

export type Waiters = {
  readonly signal: (approval: string) => ChangeSignal
  readonly isWaitedFor: (approval: string) => boolean
  readonly close: () => void
}

/** Wakes the callers held in this process. They are told only that something changed; each reads the truth itself. */
export function createWaiters(store: Pick<Store, "subscribe">): Waiters {
  const byApproval = new Map<string, LinkedSignal>()
  const stop = store.subscribe((event) => {
    // The start of waiting is news to everyone except the caller that waits.
    if (event.type.startsWith("approval.") && event.type !== "approval.pending")
      notifyAll(byApproval.get(event.subject))
  })
  return {
    signal: (approval) => {
      const signal = new LinkedSignal(byApproval, approval)
      byApproval.set(approval, signal)
      return signal
    },
    isWaitedFor: (approval) => byApproval.has(approval),
    close: () => {
      stop()
      for (const signal of byApproval.values()) notifyAll(signal)
    },
  }
}

function notifyAll(first: LinkedSignal | undefined): void {
  for (let signal = first; signal !== undefined; signal = signal.next) signal.notify()
}

/** A class, and linked to the others of its approval, for its size: there may be a hundred thousand of these. */
class LinkedSignal implements ChangeSignal {
  next: LinkedSignal | undefined
  private missed = false
  private wake: (() => void) | null = null
  private readonly byApproval: Map<string, LinkedSignal>
  private readonly approval: string

  constructor(byApproval: Map<string, LinkedSignal>, approval: string) {
    this.byApproval = byApproval
    this.approval = approval
    this.next = byApproval.get(approval)
  }

  notify(): void {
    if (this.wake === null) this.missed = true
    else this.wake()
    this.wake = null
  }

  changed(): Promise<void> {
    if (!this.missed) {
      return new Promise((resolve) => {
        this.wake = resolve
      })
    }
    this.missed = false
    return Promise.resolve()
  }

  stop(): void {
    const first = this.byApproval.get(this.approval)
    if (first === this) {
      if (this.next === undefined) this.byApproval.delete(this.approval)
      else this.byApproval.set(this.approval, this.next)
      return
    }
    for (let signal = first; signal !== undefined; signal = signal.next) {
      if (signal.next === this) signal.next = this.next
    }
  }
}
