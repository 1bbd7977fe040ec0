/**
 * Shares what one server can do at once among the agents that use it.
 *
 * I1. Beyond what is guaranteed to each principal, no more run at once than there are places.
 * I2. A principal with less than what is guaranteed running is let in at once, whatever others do.
 * I3. Places that become free go to waiting principals in turn, however many wait for one of them.
 * I4. What waits of one principal is bounded, in number and in size.
 * I5. What left the queue never gets a place.
 */
export type FairShare = {
  /** Takes a place now, or says that there is none. */
  readonly enter: (principal: string) => boolean
  /** Waits for a place, which is taken when `onTurn` is called; null when too much waits already. Gives how to leave the queue. */
  readonly wait: (principal: string, size: number, onTurn: () => void) => (() => void) | null
  /** Gives the place back. */
  readonly leave: (principal: string) => void
}

export type FairShareLimits = {
  readonly places: number
  readonly guaranteed: number
  /** Of one principal. */
  readonly mostWaiting: number
  readonly mostWaitingSize: number
}

type Waiting = { readonly size: number; readonly onTurn: () => void }
type Queue = { readonly entries: Set<Waiting>; size: number }

export function createFairShare(limits: FairShareLimits): FairShare {
  const running = new Map<string, number>()
  // Whose turn it is next comes first.
  const queues = new Map<string, Queue>()
  let total = 0

  function enter(principal: string): boolean {
    const own = running.get(principal) ?? 0
    if (own >= limits.guaranteed && total >= limits.places) return false
    running.set(principal, own + 1)
    total++
    return true
  }

  function wait(principal: string, size: number, onTurn: () => void): (() => void) | null {
    const queue = queues.get(principal) ?? { entries: new Set(), size: 0 }
    if (queue.entries.size >= limits.mostWaiting || queue.size + size > limits.mostWaitingSize) return null
    const waiting = { size, onTurn }
    queue.entries.add(waiting)
    queue.size += size
    queues.set(principal, queue)
    return () => remove(principal, queue, waiting)
  }

  function remove(principal: string, queue: Queue, waiting: Waiting): void {
    if (!queue.entries.delete(waiting)) return
    queue.size -= waiting.size
    if (queue.entries.size === 0 && queues.get(principal) === queue) queues.delete(principal)
  }

  function leave(principal: string): void {
    const own = (running.get(principal) ?? 1) - 1
    if (own === 0) running.delete(principal)
    else running.set(principal, own)
    total--
    // Below what is guaranteed to it, the place stays with its principal.
    const next = own < limits.guaranteed && queues.has(principal) ? principal : firstWaiting()
    if (next !== undefined && enter(next)) begin(next)
  }

  function firstWaiting(): string | undefined {
    const [first] = queues.keys()
    return first
  }

  function begin(principal: string): void {
    const queue = queues.get(principal)
    const [waiting] = queue?.entries ?? []
    if (queue === undefined || waiting === undefined) return
    // To the end of the row.
    queues.delete(principal)
    queues.set(principal, queue)
    remove(principal, queue, waiting)
    waiting.onTurn()
  }

  return { enter, wait, leave }
}
