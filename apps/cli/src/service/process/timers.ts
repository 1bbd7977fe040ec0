import type { GateUpkeep, Store } from "@byleave/core"
import { removeContents } from "@byleave/server"

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

export type TimerPorts = {
  readonly gate: Pick<GateUpkeep, "expireDue" | "renewLeases">
  readonly store: Store
  readonly now: () => number
  /** Null: indefinitely. */
  readonly retention: () => number | null
  readonly onTrouble: (trouble: unknown) => void
}

/** The recurring work: due approvals expire, leases are renewed, old arguments and results are removed. Returns how to stop. */
export function keepTime({ gate, store, now, retention, onTrouble }: TimerPorts): () => void {
  const removeOld = async (): Promise<void> => {
    const kept = retention()
    if (kept === null) return
    const at = store.now(now())
    await store.removePayloads(at - kept)
    await removeContents(store, at - kept, at)
  }
  const timers = [
    every(second, () => gate.expireDue(), onTrouble),
    every(10 * second, () => gate.renewLeases(), onTrouble),
    // Soon after the start as well: many services run for less than a day at a time.
    setTimeout(() => void removeOld().catch(onTrouble), minute).unref(),
    every(day, removeOld, onTrouble),
  ]
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}

/** Runs that became answerable are looked for now and then, as events may be lost, and the leases of those under way are renewed. Returns how to stop. */
export function keepRuns(
  runs: { readonly takeUp: () => Promise<unknown>; readonly renewLeases: () => Promise<unknown> },
  onTrouble: (trouble: unknown) => void,
): () => void {
  const timers = [every(5 * second, runs.takeUp, onTrouble), every(10 * second, runs.renewLeases, onTrouble)]
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}

/** One at a time: what takes longer than its turn skips the next. */
function every(ms: number, work: () => Promise<unknown>, onTrouble: (trouble: unknown) => void): NodeJS.Timeout {
  let isBusy = false
  return setInterval(() => {
    if (isBusy) return
    isBusy = true
    work()
      .catch(onTrouble)
      .finally(() => {
        isBusy = false
      })
  }, ms).unref()
}
